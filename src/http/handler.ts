/** The HTTP interface as one web-standard function, and the only place where errors become answers. */

import { type Caller, onlyPublic } from "../calls/caller.ts";
import type { IdentifySession } from "../calls/session-identity.ts";
import { noReceipt, unrepeatableParts } from "../documents/receipt.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import { parseJson } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import { isClosedError } from "../ports/closed-error.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Store } from "../ports/store.ts";
import { createAuthenticate, type HasKeys } from "./auth.ts";
import { type CorsOptions, createCors } from "./cors.ts";
import { createEncodeResult } from "./encode-result.ts";
import { createIdempotency } from "./idempotency.ts";
import { checkPreconditions, unlessUnchanged, versionsOf } from "./preconditions.ts";
import { preferredWait } from "./preferred-wait.ts";
import { problem } from "./problem.ts";
import { createReadBody, readJsonText } from "./request-body.ts";
import { mountPath, type RequestPath, readQuery, requestPath } from "./request-path.ts";
import { createReadUrl } from "./request-url.ts";
import {
  type CreateResponse,
  fromResponse,
  type ResponseClass,
  type ResponseParts,
  requestIdOf,
  toResponse,
  withoutBody,
} from "./response.ts";
import type { AnyRoute, Method, OpenCall, RawCall, RawRoute, Route } from "./route.ts";
import { allowOf, createRouter, noAddress } from "./router.ts";
import { type HasWatches, whilePermitted } from "./while-permitted.ts";

export interface HandlerParts<Slices> {
  readonly routes: readonly AnyRoute<Slices>[];
  /** The slices that the routes call. */
  readonly slices: Slices;
  /** Without a trailing slash. Links start with it, and its path is the mount path. */
  readonly baseUrl: string;
  readonly adminKey: string | undefined;
  /** @default no request has a session */
  readonly identifySession?: IdentifySession | undefined;
  readonly cors: CorsOptions | undefined;
  /** Maximum bytes of a JSON body. */
  readonly bodyBytes: number;
  /** Milliseconds in which the next KiB of a body, or its end, must arrive. */
  readonly bodyIdleMs: number;
  readonly store: Store;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly hash: Hash;
  readonly logger: Logger;
  /** For hosts without a class of responses. @default as the runtime does */
  readonly createResponse?: CreateResponse;
}

/**
 * Handles a request. Never rejects.
 *
 * `host` is what the server passes along. Stepwell uses two properties, which `stepwell/http/node` sets: a class
 * `Response` that the server can write faster than the runtime's, and `isBodyRebuilt: true` for a body that a parser
 * consumed and that was rebuilt from its result.
 */
export type Handler = (request: Request, host?: object) => Promise<Response>;

/** A request with a route and a known caller. */
interface Admitted {
  readonly request: Request;
  readonly address: RequestPath;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly isBodyRebuilt: boolean;
  /** Identifies the caller again. @throws StepwellError `unauthorized` if the key or session has ended */
  authenticate(): Promise<unknown>;
}

export function createHandler<Slices extends HasWatches & HasKeys>(parts: HandlerParts<Slices>): Handler {
  const { slices, baseUrl, bodyBytes, ids, logger, createResponse = nativeResponse } = parts;
  const mount = mountPath(baseUrl);
  const router = createRouter(parts.routes);
  const authenticate = createAuthenticate(parts);
  const cors = createCors(parts.cors);
  const idempotency = createIdempotency(parts);
  const encode = createEncodeResult(baseUrl);
  const readUrl = createReadUrl();
  const readBody = createReadBody({ clock: parts.clock, idleMs: parts.bodyIdleMs });

  async function answer(request: Request, host: object): Promise<ResponseParts> {
    const address = requestPath(readUrl(request), mount);
    if (request.method === "OPTIONS") return options(request, address.path);
    const { route, params: given } = router.match(request.method, address.path);
    const identify = () => authenticate(route, given, request);
    const { caller, params } = await identify();
    if (route.kind === "shaped") checkPreconditions(request, route.isVersioned);
    const isBodyRebuilt = "isBodyRebuilt" in host && host.isBodyRebuilt === true;
    const admitted = { request, address, params, caller, isBodyRebuilt, authenticate: identify };
    try {
      const found = route.kind === "raw" ? await raw(route, admitted) : await respondWithShapes(route, admitted);
      return request.method === "HEAD" ? withoutBody(found) : found;
    } catch (error) {
      throw onlyPublic(caller) && route.access === "public" ? withHint(error) : error;
    }
  }

  async function options(request: Request, path: string): Promise<ResponseParts> {
    const methods: Method[] = [];
    const discovery: Record<string, string> = {};
    for (const { route, params } of router.matches(path)) {
      if (route.kind === "raw") {
        if (route.exists !== undefined && !(await route.exists(slices, params))) continue;
        Object.assign(discovery, route.discovery?.(slices));
      }
      methods.push(route.method);
    }
    if (methods.length === 0) throw noAddress();
    const allowed = allowOf(methods);
    const preflight = cors.preflight(request, allowed);
    return { status: 204, headers: { allow: allowed.join(", "), ...discovery, ...preflight }, body: null };
  }

  async function respondWithShapes(route: Route<Slices>, admitted: Admitted): Promise<ResponseParts> {
    const { request, address, params, caller } = admitted;
    const query = readQuery(address.search);
    const limit = Math.max(bodyBytes, route.bodyBytes);
    const text = request.body === null ? undefined : await readJsonText(request, readBody, limit);
    const body = text === undefined ? undefined : parseJson(text);
    const wait = preferredWait(request) ?? 0;
    // Most reads end before a caller could disconnect, and creating the signal on Node.js costs more than they do.
    const signal = request.method === "GET" ? undefined : request.signal;
    const versions = route.isVersioned ? versionsOf(request) : undefined;
    const call: RawCall = { params, query, body, caller, wait, signal, versions };
    const key = route.repeatable ? request.headers.get("idempotency-key") : null;
    const first = key === null ? await route.call(slices, call) : await once(route, call, key, text ?? "");
    const isSettled = route.isSettled(call, first);
    const result = isSettled
      ? first
      : await permitted(admitted, (signal) => route.settle(slices, { ...call, signal }, first));
    const shown = route.show(result, caller);
    const found = encode(route, shown, params, address.search, request.headers.get("accept"));
    return route.answers.versioned?.isWholeVersion(shown) === true ? unlessUnchanged(request, found) : found;
  }

  async function once(route: Route<Slices>, call: RawCall, key: string, body: string): Promise<unknown> {
    const { params, caller } = call;
    // A repeated response does not pass through the route, which would check the app.
    if (params["app_id"] !== undefined) await slices.apps.get(params["app_id"]);
    const attempt = { key, within: withinOf(route, params, caller), body, response: route.answers };
    if (route.repeatable === "in parts")
      return route.call(slices, { ...call, parts: await idempotency.parts(attempt) });
    return idempotency.once(attempt, (receipt) => route.call(slices, { ...call, receipt }));
  }

  /** Ends a call that waits when its caller loses access. */
  function permitted<T>(admitted: Admitted, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { request, params, caller, authenticate } = admitted;
    return whilePermitted(slices, { appId: params["app_id"], caller, disconnected: request.signal, authenticate }, act);
  }

  async function raw(route: RawRoute<Slices>, admitted: Admitted): Promise<ResponseParts> {
    const { request, address, params, caller, isBodyRebuilt } = admitted;
    if (params["app_id"] !== undefined) await slices.apps.get(params["app_id"]);
    const query = readQuery(address.search);
    const bytes = (signal?: AbortSignal) => readBody(request, signal);
    const wait = preferredWait(request);
    const key = request.headers.get("idempotency-key");
    const once: OpenCall<string>["once"] = (body, create) => {
      if (key === null) return create(noReceipt);
      return idempotency.once({ key, within: withinOf(route, params, caller), body }, create);
    };
    const respond = (signal: AbortSignal) => {
      const rest = {
        body: undefined,
        wait,
        signal,
        receipt: noReceipt,
        versions: undefined,
        parts: unrepeatableParts,
      };
      return route.respond(slices, request, { params, query, caller, ...rest, bytes, isBodyRebuilt, once });
    };
    return fromResponse(
      await (route.waits === true && wait !== 0 ? permitted(admitted, respond) : respond(request.signal)),
    );
  }

  function toProblem(error: unknown, request: Request, requestId: string): ResponseParts {
    const refused = error instanceof StepwellError && error.status < 500;
    // After a disconnect, work ends with whatever the abort causes. Nobody reads the response, but the host may count it.
    if (!refused && request.signal.aborted) return { status: CLIENT_CLOSED_REQUEST, headers: {}, body: null };
    if (!refused) {
      const { method, url } = request;
      const about = { request_id: requestId, method, path: requestPath(url, mount).path };
      // Any caller can repeat it, and a stack says nothing about a missing option.
      // Clients that poll are no news while a server ends.
      if (isClosedError(error)) logger.debug("a request came after close", about);
      else if (isStepwellError(error, "not_configured"))
        logger.warn("a request needs an option that is not set", { ...about, reason: reasonOf(error) });
      else logger.error("request failed", { ...about, error });
    }
    const answer = problem(error, requestId);
    return request.method === "HEAD" ? withoutBody(answer) : answer;
  }

  return async (request, host = NO_HOST) => {
    const requestId = requestIdOf(request) ?? ids.next("req");
    let found: ResponseParts;
    try {
      found = await answer(request, host);
    } catch (error) {
      found = toProblem(isTooLongText(error) ? tooLargeAnswer(error) : error, request, requestId);
    }
    const OfHost = "Response" in host && isResponseClass(host.Response) ? host.Response : null;
    const create: CreateResponse = OfHost === null ? createResponse : (body, head) => new OfHost(body, head);
    return toResponse(found, requestId, cors.headers(request), create);
  };
}

/** Not registered, but what proxies and their logs use. */
const CLIENT_CLOSED_REQUEST = 499;

const NO_HOST = {};
const nativeResponse: CreateResponse = (body, init) => new Response(body, init);

/** The scope of an idempotency key. */
function withinOf({ path }: AnyRoute, params: Readonly<Record<string, string>>, caller: Caller): readonly string[] {
  return ["app_id" in caller ? caller.app_id : caller.kind, path, ...Object.values(params)];
}

/** The error that engines throw for a string longer than the maximum: about 512 Mi characters in V8. */
function isTooLongText(error: unknown): error is RangeError {
  return error instanceof RangeError && /string length|out of memory/i.test(error.message);
}

/** For example, the outputs of hundreds of steps, each within its limit. */
function tooLargeAnswer(cause: RangeError): StepwellError {
  return new StepwellError(
    "too_large",
    "The response exceeds the maximum length of a string. Request a smaller part of it.",
    {
      cause,
    },
  );
}

function isResponseClass(value: unknown): value is ResponseClass {
  return typeof value === "function";
}

/** Adds a hint for callers that forgot their key. It reveals nothing to others. */
function withHint(error: unknown): unknown {
  if (!isStepwellError(error, "not_found")) return error;
  return new StepwellError("not_found", `${error.message} Without an API key, only PUBLIC resources are visible.`);
}

/** Why something is not configured: a public message may hide it. */
function reasonOf({ message, cause }: StepwellError): string {
  return cause instanceof Error ? cause.message : message;
}
