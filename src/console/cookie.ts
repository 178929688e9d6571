/** The cookie of a session (RFC 6265). Pure. */

export interface SessionCookie {
  /** Returns the tokens of a request. There may be several: a page of a sibling domain can set a cookie of the same name. */
  read(headers: Headers): readonly string[];
  /** Returns the header Set-Cookie. @param seconds Until the session expires. */
  write(token: string, seconds: number): string;
  /** Returns the header Set-Cookie that deletes the cookie. */
  clear(): string;
  /** Returns the headers of a request as they are with this token. */
  replaceIn(headers: Headers, token: string): Headers;
}

/** Letters, digits and other characters that may stand in the path of a cookie. */
const PATH = /^[\x21-\x3a\x3c-\x7e]*$/;
/** More cookies of one name than a browser sends that nobody attacks. */
const MAX_TOKENS = 5;
const TOKEN = /^[0-9a-z]{1,128}$/;

/**
 * @param parts.name Differs between services on one host: cookies do not distinguish ports.
 * @param parts.mount Mount path, empty for none.
 */
export function createSessionCookie(parts: { name: string; mount: string; isSecure: boolean }): SessionCookie {
  const { name, mount, isSecure } = parts;
  const path = mount !== "" && PATH.test(mount) ? mount : "/";
  const flags = `Path=${path}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  const isOwn = (pair: string) => pair.slice(0, pair.indexOf("=")).trim() === name;
  const pairsOf = (headers: Headers) => (headers.get("cookie") ?? "").split(";").filter((pair) => pair.includes("="));
  const write = (token: string, seconds: number) => `${name}=${token}; Max-Age=${seconds}; ${flags}`;
  return {
    read(headers) {
      const values = pairsOf(headers)
        .filter(isOwn)
        .map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
      return values.filter((value) => TOKEN.test(value)).slice(0, MAX_TOKENS);
    },
    write,
    clear: () => write("", 0),
    replaceIn(headers, token) {
      const others = pairsOf(headers).filter((pair) => !isOwn(pair));
      const replaced = new Headers(headers);
      replaced.set("cookie", [...others, `${name}=${token}`].map((pair) => pair.trim()).join("; "));
      return replaced;
    },
  };
}
