/** The parts of a request's address, read from its text: a URL object would cost more than the rest of the way. */
import { trimEnd } from "../encoding/trim.ts";

export interface RequestPath {
  /** Below the mount path. */
  readonly path: string;
  /** Without the question mark. */
  readonly search: string;
}

/** Where the service is mounted: the path of its base address, without a slash at the end. */
export function mountPath(baseUrl: string): string {
  return withoutNeedlessEscapes(trimEnd(new URL(baseUrl).pathname, "/"));
}

/**
 * Takes off the mount path where it is there. A proxy, or Express, may have taken it off before. Nothing but path and
 * query is looked at: the Host header says what a client wants it to.
 */
export function requestPath(url: string, mount: string): RequestPath {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const query = url.indexOf("?", start);
  const hash = url.indexOf("#", start);
  const end = hash === -1 ? url.length : hash;
  const hasQuery = query !== -1 && query < end;
  const whole = url.slice(start, hasQuery ? query : end);
  const plain = whole.includes("%") ? withoutNeedlessEscapes(whole) : whole;
  const path = mount !== "" && plain.startsWith(`${mount}/`) ? plain.slice(mount.length) : plain;
  return { path, search: hasQuery ? url.slice(query + 1, end) : "" };
}

/** Letters, digits and `-._~`, encoded: the same address as without (RFC 3986 section 6.2.2.2). */
const UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

function withoutNeedlessEscapes(path: string): string {
  return path.replace(UNRESERVED, (triplet) => String.fromCharCode(Number.parseInt(triplet.slice(1), 16)));
}

/** The path of a row with its parameters in place. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}
