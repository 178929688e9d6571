/** The web console, for the option `console`. */

import * as v from "valibot";
import type { HostSession, WebConsole } from "../../src/console/web-console.ts";
import { omitUndefined } from "../../src/json.ts";
import { checkOptions, strictObject } from "../../src/schema.ts";
import { loadBuiltFiles } from "./built-files.ts";
import { loadOnce, unpack } from "./unpack.ts";

export type { HostSession, WebConsole } from "../../src/console/web-console.ts";

/** Options of {@link webConsole}. */
export interface WebConsoleOptions {
  /**
   * Says who sends a request, from the session of your service: for example, by its cookie. Stepwell asks it for each
   * request of the console without an API key, and each minute for streams. The request has headers, but no body. The
   * console then needs no key. It returns `{ app_id, scopes?, name?, user? }` for a person who may use one app,
   * `{ admin: true, name? }` for an admin, who manages apps and keys and can open every app, or null (or nothing): then
   * only a key or a one-time link lets the person in. If it throws, takes longer than 10 seconds, returns anything else
   * or names an app that does not exist, nobody is let in: the response is 503, and the log has the reason.
   *
   * Identify the person by something that only their browser sends, such as a cookie: never by the address of the
   * network, which other web pages in their browser share.
   * @default people sign in with a key
   */
  readonly session?: (request: Request) => HostSession | null | Promise<HostSession | null>;
  /**
   * URL or path, such as `/login?next={return_to}`, where people sign in to your service, if `session` returns null.
   * `{return_to}` becomes the path of the page that they wanted to see, percent-encoded: lead them back there, and to
   * nothing that does not begin with the path of the console, because anybody can write such an address.
   * @default a form for a key
   */
  readonly signIn?: string;
  /**
   * Origins whose pages may show the console in a frame, such as `https://intranet.example.com`. They must be of the same
   * site: browsers send its cookie to no other.
   * @default none
   */
  readonly frameAncestors?: readonly string[];
}

const SESSION = "Must be a function that returns who sends a request.";
const SIGN_IN = "Must be an http or https URL, or a path such as /login, without spaces and backslashes.";
/** Browsers read a backslash as a slash, so `/\\host` is another site, as `//host` is. */
const SIGN_IN_ADDRESS = /^(?:https?:\/\/|\/(?!\/))[^\\\s]*$/;
const ANCESTORS = "Must be a list of origins such as https://example.com.";
const ORIGIN = /^https?:\/\/[^/?#\s;,'"@A-Z]+$/;

const Shape = strictObject({
  session: v.optional(v.custom<unknown>((value) => typeof value === "function", SESSION)),
  signIn: v.optional(v.pipe(v.string(SIGN_IN), v.regex(SIGN_IN_ADDRESS, SIGN_IN))),
  frameAncestors: v.optional(v.array(v.pipe(v.string(ANCESTORS), v.regex(ORIGIN, ANCESTORS)), ANCESTORS)),
});

/**
 * Creates the web console, which a server with the option `console` serves at `/console/`. People sign in with an API key,
 * with the admin key, or by the session of your service.
 * @throws StepwellError `invalid` with an entry for each unknown or invalid option
 * @example
 * ```ts
 * const stepwell = createStepwell({ console: webConsole() });
 * ```
 * @example
 * ```ts
 * const console = webConsole({
 *   session: async ({ headers }) => {
 *     const person = await sessions.find(headers.get("cookie"));
 *     return person === null ? null : { app_id: person.appId, scopes: ["runs:read"], name: person.name };
 *   },
 *   signIn: "https://example.com/login",
 * });
 * ```
 */
export function webConsole(options: WebConsoleOptions = {}): WebConsole {
  checkOptions(Shape, options);
  const { session, signIn, frameAncestors = [] } = options;
  return {
    load: loadOnce(loadBuild),
    ...omitUndefined({ session, signIn }),
    frameAncestors,
  };
}

const loadBuild = async () => unpack(await loadBuiltFiles());
