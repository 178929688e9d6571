/** The web console: its page, and the sessions of people who use it. */
import { collectBody } from "../encoding/collect-body.ts";
import { essenceOf, isJsonType } from "../encoding/text-types.ts";
import { utf8 } from "../encoding/utf8.ts";
import { StepwellError } from "../errors.ts";
import { rawRoute } from "../http/route.ts";
import { omitUndefined, parseJson } from "../json.ts";
import { check } from "../schema.ts";
import type { HasConsole } from "./console.ts";
import { SessionState, SignIn } from "./session.ts";

/** Far more than any key. */
const BODY_BYTES = 16_384;
const FILE = { 200: { headers: ["ETag"], body: { "*/*": null } }, 304: {} };
const OWN_PAGE = ["Stepwell-Console"];
const STATE = { "application/json": SessionState };

const respondWith = (state: SessionState, cookie: string | null) =>
  Response.json(state, {
    headers: { "cache-control": "no-store", ...omitUndefined({ "set-cookie": cookie ?? undefined }) },
  });

const leadTo = (location: string) =>
  new Response(null, { status: 302, headers: { location, "cache-control": "no-cache" } });

export const consoleRoutes = {
  open: rawRoute({
    method: "GET",
    path: "/console",
    access: "open",
    summary: "Get the page of the web console.",
    described: { request: {}, answers: { 200: { headers: ["ETag"], body: { "text/html": null } }, 304: {} } },
    // Its own addresses are absolute, so it needs no slash. Next.js redirects each path that has one.
    takesTrailingSlash: true,
    respond: async ({ console }: HasConsole, request) => console().respond(request, ""),
  }),
  file: rawRoute({
    method: "GET",
    path: "/console/{path*}",
    access: "open",
    summary: "Get a file of the web console. A path without a file extension is an address in its page.",
    described: { request: { headers: ["Accept-Encoding", "If-None-Match"] }, answers: FILE },
    takesTrailingSlash: true,
    // The page says itself that there is nothing at an address.
    takesAnyEncoding: true,
    respond: async ({ console }: HasConsole, request, { params }) => console().respond(request, params.path),
  }),
  docs: rawRoute({
    method: "GET",
    path: "/docs",
    access: "open",
    summary: "Get the reference of this API, which is a page of the web console.",
    described: { request: {}, answers: { 302: { headers: ["Location"] } } },
    takesTrailingSlash: true,
    respond: async ({ console }: HasConsole) => leadTo(`${console().mount}/console/docs`),
  }),
  operation: rawRoute({
    method: "GET",
    path: "/docs/{operation}",
    access: "open",
    summary: "Get an operation in the reference of this API, such as `runs.create`.",
    described: { request: {}, answers: { 302: { headers: ["Location"] } } },
    respond: async ({ console }: HasConsole, _, { params }) =>
      leadTo(`${console().mount}/console/docs/${encodeURIComponent(params.operation)}`),
  }),
  session: rawRoute({
    method: "GET",
    path: "/console/session",
    access: "open",
    summary: "Get the session of the browser in the web console, from its cookie or the host.",
    described: { request: { headers: OWN_PAGE }, answers: { 200: { body: STATE } } },
    respond: async ({ console }: HasConsole, request) => respondWith(await console().show(request), null),
  }),
  signIn: rawRoute({
    method: "POST",
    path: "/console/session",
    access: "open",
    summary:
      "Sign in to the web console with an API key, the admin key or a one-time token, or open an app in the session of an admin.",
    described: {
      request: { headers: OWN_PAGE, body: { "application/json": SignIn } },
      answers: { 200: { headers: ["Set-Cookie"], body: STATE } },
    },
    async respond({ console }: HasConsole, request, { bytes }) {
      // Pages of other origins can send a body as text without a preflight.
      if (!isJsonType(essenceOf(request.headers.get("content-type") ?? "")))
        throw new StepwellError("unsupported_media_type", "Send the body as application/json.");
      const text = utf8(await collectBody(bytes(), BODY_BYTES));
      const { state, cookie } = await console().signIn(request, check(SignIn, parseJson(text), undefined, "the body"));
      return respondWith(state, cookie);
    },
  }),
  signOut: rawRoute({
    method: "DELETE",
    path: "/console/session",
    access: "open",
    summary: "Sign out of the web console.",
    described: { request: { headers: OWN_PAGE }, answers: { 204: { headers: ["Set-Cookie"] } } },
    respond: async ({ console }: HasConsole, request) =>
      new Response(null, { status: 204, headers: { "set-cookie": await console().signOut(request) } }),
  }),
};
