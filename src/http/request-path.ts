/** Splits the URL of a request as text: creating a URL object would cost more than the rest of the routing. */
import { trimEnd } from "../encoding/trim.ts";
import { urlComponent } from "../encoding/url-component.ts";
import { StepwellError } from "../errors.ts";

export interface RequestPath {
  /** Path below the mount path. */
  readonly path: string;
  /** Query without the question mark. */
  readonly search: string;
}

/** The mount path: the path of the base URL, without a trailing slash. */
export function mountPath(baseUrl: string): string {
  return withoutNeedlessEscapes(trimEnd(new URL(baseUrl).pathname, "/"));
}

/**
 * Removes the mount path, unless a proxy or Express has removed it already. Only the path and query count: clients control
 * the Host header.
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

/** Encoded letters, digits and `-._~`, which are equivalent to the plain characters (RFC 3986 §6.2.2.2). */
const UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

function withoutNeedlessEscapes(path: string): string {
  return path.replace(UNRESERVED, (triplet) => String.fromCharCode(Number.parseInt(triplet.slice(1), 16)));
}

/** Fills the parameters into the path of a route. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => urlComponent(params[name] ?? ""));
}

const MAX_PARAMETERS = 256;
/** The format of API keys, which a URL would leak into logs and histories. */
const KEY = /sw_[0-9a-z]{26}_[0-9a-z]{40}/;

/**
 * `tags=a&tags=b` and `tags[]=a&tags[]=b` are the same list. The schema of the route decides whether a list is allowed.
 * @throws StepwellError `malformed` for an API key in the query, and for too many parameters
 */
export function readQuery(search: string): Record<string, string | readonly string[]> | undefined {
  if (search === "") return undefined;
  if (KEY.test(search)) {
    throw new StepwellError(
      "malformed",
      "An API key must not be part of the URL. Send it as Authorization: Bearer <API_KEY>.",
    );
  }
  const values = new Map<string, string | string[]>();
  let count = 0;
  for (const [given, value] of new URLSearchParams(search)) {
    if (++count > MAX_PARAMETERS) {
      throw new StepwellError("malformed", `The query must have at most ${MAX_PARAMETERS} parameters.`);
    }
    const listed = given.endsWith("[]");
    const name = listed ? given.slice(0, -2) : given;
    const before = values.get(name);
    if (Array.isArray(before)) before.push(value);
    else if (before !== undefined) values.set(name, [before, value]);
    else values.set(name, listed ? [value] : value);
  }
  return Object.fromEntries(values);
}
