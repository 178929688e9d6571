/** The cookie of a session (RFC 6265). Pure. */

export interface SessionCookie {
  /** Returns the token of a request, or null. */
  read(headers: Headers): string | null;
  /** Returns the header Set-Cookie. @param seconds Until the session expires. */
  write(token: string, seconds: number): string;
  /** Returns the header Set-Cookie that deletes the cookie. */
  clear(): string;
}

/** Letters, digits and other characters that may stand in the path of a cookie. */
const PATH = /^[\x21-\x3a\x3c-\x7e]*$/;
const TOKEN = /^[0-9a-z]{1,128}$/;

/**
 * @param parts.name Differs between services on one host: cookies do not distinguish ports.
 * @param parts.mount Mount path, empty for none.
 */
export function createSessionCookie(parts: { name: string; mount: string; isSecure: boolean }): SessionCookie {
  const { name, mount, isSecure } = parts;
  const path = mount !== "" && PATH.test(mount) ? mount : "/";
  const flags = `Path=${path}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  const write = (token: string, seconds: number) => `${name}=${token}; Max-Age=${seconds}; ${flags}`;
  return {
    read(headers) {
      for (const pair of (headers.get("cookie") ?? "").split(";")) {
        const at = pair.indexOf("=");
        if (pair.slice(0, at).trim() !== name) continue;
        const token = pair.slice(at + 1).trim();
        return TOKEN.test(token) ? token : null;
      }
      return null;
    },
    write,
    clear: () => write("", 0),
  };
}
