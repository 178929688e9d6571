/**
 * Routes.
 *
 * A route declares one capability once: path, access, schemas and function. The HTTP handler, the service functions of
 * `stepwell.*` (src/api/api.ts) and the reference in HTTP.md derive from these rows.
 */
import type * as v from "valibot";
import type { ApiKeyScope, Caller } from "../calls/caller.ts";
import { noReceipt, type Receipt, type RepeatableParts, unrepeatableParts } from "../documents/receipt.ts";
import type { Described } from "./described.ts";
import { bodyOf, queryOf, takenOver } from "./given-arguments.ts";
import type { ResponseSpec } from "./response-spec.ts";

export {
  accepted,
  created,
  createdAt,
  createdSecret,
  inForms,
  JSON_FORM,
  nothing,
  one,
  pageOf,
  type ResponseSpec,
  withVersion,
} from "./response-spec.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call a route:
 * - `admin`: a caller with the admin key.
 * - `app`: a key of the app in the path, with the route's scope.
 * - `public`: like `app`, and without a key for PUBLIC resources.
 * - `open`: anyone. The URL itself may be the credential.
 */
export type Access = "admin" | "app" | "public" | "open";

/** Names of the `{…}` segments of a path, in order. `{…*}` matches several segments. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [Name extends `${infer Several}*` ? Several : Name, ...ParamNames<Rest>]
  : [];

export type Params<Path extends string> = Readonly<Record<ParamNames<Path>[number], string>>;

/** A call before validation. */
export interface RawCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly caller: Caller;
  /** Seconds to wait for the end of the run (RFC 7240, `Prefer: wait`). @default 0 */
  readonly wait?: number;
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Present for a request with an `Idempotency-Key`. */
  readonly receipt?: Receipt;
  /** Versions that `If-Match` names; undefined for any. */
  readonly versions?: readonly number[] | undefined;
  /** Present instead of `receipt` for a route that is repeatable in parts. */
  readonly parts?: RepeatableParts;
}

/** A validated call. */
export interface Call<Path extends string, Query, Body> {
  readonly params: Params<Path>;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  readonly wait: number;
  readonly signal: AbortSignal | undefined;
  readonly receipt: Receipt;
  /** Versions of which the resource must have one; undefined for any. Only for a route that declares `isVersioned`. */
  readonly versions: readonly number[] | undefined;
  readonly parts: RepeatableParts;
}

/** A call of a route that reads the request itself. */
export interface OpenCall<Path extends string> extends Omit<Call<Path, unknown, unknown>, "wait"> {
  /** Seconds of `Prefer: wait` (RFC 7240); null without it. */
  readonly wait: number | null;
  /**
   * The body as it arrives. Leaving it early does not cancel it: the host disposes of the rest. The signal aborts it with
   * its reason.
   * @throws StepwellError `malformed` if the connection closes early; `request_timeout` if the body arrives too slowly
   */
  bytes(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Whether the body was rebuilt from the result of a body parser, so its bytes are not those that were sent. */
  readonly isBodyRebuilt: boolean;
  /**
   * Calls `create`, which must commit the receipt, or returns what it returned for the first request with the same
   * `Idempotency-Key`.
   * @param body Identifies the body, such as its digest.
   * @throws StepwellError `idempotency_mismatch` if the key was used with another body
   */
  once(body: string, create: (receipt: Receipt) => Promise<object>): Promise<unknown>;
}

interface Address<Path extends string> {
  readonly method: Method;
  /** Path template, such as `/apps/{app_id}/collections`. */
  readonly path: Path;
  readonly access: Access;
  /** Scope that a key needs, for the access `app` and `public`. */
  readonly scope?: ApiKeyScope;
  /** One sentence for the reference. */
  readonly summary: string;
}

/** Waiting for what a call started. A repeat of the request (`Idempotency-Key`) waits in the same way. */
interface Settle<Slices, Path extends string, Result> {
  /** @param wait Seconds to wait, as in `Prefer: wait`. */
  isDone(result: Result, wait: number): boolean;
  /** Returns the result when it is done, or as it is when the time is up. */
  wait(
    slices: Slices,
    call: Pick<Call<Path, unknown, unknown>, "params" | "caller" | "wait" | "signal" | "query">,
    result: Result,
  ): Promise<Result>;
}

interface Declaration<Slices, Path extends string, Q extends v.GenericSchema, B extends v.GenericSchema, Result>
  extends Address<Path> {
  readonly query?: Q;
  /** Schema of the body. An omitted body is an empty object. A route without this accepts no body. */
  readonly body?: B;
  /** Whether the call fails without a body, because it would replace everything with nothing. @default false */
  readonly needsBody?: true;
  readonly answers: ResponseSpec<Result>;
  /** Whether a repeat with the same `Idempotency-Key` gets the first response. @default Whether the route creates */
  readonly repeatable?: true | "in parts";
  /** Maximum bytes of the body, if more than `limits.bodyBytes`. @default `limits.bodyBytes` */
  readonly bodyBytes?: number;
  /** Whether `run` checks the versions that `If-Match` names. @default false: any tag fails */
  readonly isVersioned?: true;
  readonly settle?: Settle<Slices, Path, Result>;
  /** Whether `settle` waits as long as `Prefer: wait` says. @default false: as long as it takes */
  readonly waits?: true;
  /** What a caller may see of the result. @default everything */
  readonly show?: (result: Result, caller: Caller) => Result;
  /** @param slices The slices that the route calls. Its type declares them. */
  readonly run: (slices: Slices, call: Call<Path, v.InferOutput<Q>, v.InferOutput<B>>) => Promise<NoInfer<Result>>;
}

/** The slice that looks up the app of a path. */
export interface HasApps {
  readonly apps: {
    /** @throws StepwellError `not_found` */
    get(appId: string): Promise<unknown>;
  };
}

/**
 * A route with schemas, which is reachable over HTTP and as a service function. `Slices` are the slices that a caller must
 * provide. A plain `Route` is any route, which cannot be called.
 */
export interface Route<Slices = never, Path extends string = string, Query = unknown, Body = unknown, Result = unknown>
  extends Address<Path> {
  readonly kind: "shaped";
  readonly query: v.GenericSchema<Query, unknown> | undefined;
  readonly body: v.GenericSchema<Body, unknown> | undefined;
  readonly needsBody: boolean;
  readonly answers: ResponseSpec<Result>;
  /** Whether a repeat with the same `Idempotency-Key` gets the first response. Then `run` commits the receipt, or one
   * for each part. */
  readonly repeatable: boolean | "in parts";
  /** Maximum bytes of the body, if more than `limits.bodyBytes`. */
  readonly bodyBytes: number;
  /** Whether `run` checks the versions that `If-Match` names. */
  readonly isVersioned: boolean;
  /** Whether `settle` waits as long as `Prefer: wait` says. */
  readonly waits: boolean;
  /** Validates the input, checks that the app exists, then runs. HTTP and service functions both use it. */
  readonly call: (slices: Slices & HasApps, raw: RawCall) => Promise<Result>;
  /** What a caller may see of the result. */
  show(result: Result, caller: Caller): Result;
  /** Whether the result of a call can be returned without waiting. */
  isSettled(raw: RawCall, result: Result): boolean;
  /** Waits for what the call started, until the signal of `raw` aborts. */
  settle(slices: Slices, raw: RawCall, result: Result): Promise<Result>;
}

/** A route that reads the request or creates the response itself: streams of bytes, web pages. */
export interface RawRoute<Slices = never, Path extends string = string> extends Address<Path> {
  readonly kind: "raw";
  /** What the route reads and responds with, for openapi.json. */
  readonly described: Described;
  /** Headers of the response to OPTIONS that describe the extensions of the route. */
  readonly discovery?: (slices: Slices) => Readonly<Record<string, string>>;
  /** Whether the route also has paths with a trailing slash. @default false: they don't exist */
  readonly takesTrailingSlash?: true;
  /** Whether a parameter that is not percent-encoded UTF-8 stays as it is. @default false: such a path is malformed */
  readonly takesAnyEncoding?: true;
  /** Whether `respond` repeats the first response to a request with the same `Idempotency-Key`, by `once`. */
  readonly repeatable?: true;
  /** For OPTIONS: whether the path supports the method, if its text does not say so. @default true */
  readonly exists?: (slices: Slices, params: Params<Path>) => Promise<boolean>;
  /** Whether `respond` may wait as long as `Prefer: wait` says. The wait ends when the caller loses access. */
  readonly waits?: true;
  readonly respond: (slices: Slices, request: Request, call: OpenCall<Path>) => Promise<Response>;
}

export type AnyRoute<Slices = never> = Route<Slices> | RawRoute<Slices>;

/** Routes by name. */
export type RouteGroup<Slices = never> = Readonly<Record<string, AnyRoute<Slices>>>;

/** Groups of routes by name. */
export type RouteTable<Slices = never> = Readonly<Record<string, RouteGroup<Slices>>>;

/** All slices that the routes of a table call. */
export type SlicesOf<Table> = Table extends RouteTable<infer Slices> ? Slices : never;

export function route<
  Slices,
  const Path extends string,
  Result,
  const Q extends v.GenericSchema = v.UnknownSchema,
  const B extends v.GenericSchema = v.UnknownSchema,
>(declared: Declaration<Slices, Path, Q, B, Result>): Route<Slices, Path, v.InferInput<Q>, v.InferInput<B>, Result> {
  const { query, body, run, settle, show, repeatable = declared.answers.kind === "created", ...others } = declared;
  const { isVersioned = false, waits = false, needsBody = false, bodyBytes = 0, ...rest } = others;
  const paramsOf = ({ params }: RawCall) => params as Params<Path>; // the router fills in all names of the path
  return {
    kind: "shaped",
    ...rest,
    query,
    body,
    repeatable,
    isVersioned,
    waits,
    needsBody,
    bodyBytes,
    show: (result, caller) => show?.(result, caller) ?? result,
    isSettled: ({ wait = 0 }, result) => settle?.isDone(result, wait) ?? true,
    async settle(slices, raw, result) {
      const { query: given, caller, wait = 0, signal } = raw;
      return settle?.wait(slices, { params: paramsOf(raw), query: given, caller, wait, signal }, result) ?? result;
    },
    async call(slices, raw) {
      const given = takenOver(raw);
      if (raw.params["app_id"] !== undefined) await slices.apps.get(raw.params["app_id"]);
      return await run(slices, {
        params: paramsOf(raw),
        caller: raw.caller,
        wait: raw.wait ?? 0,
        signal: raw.signal,
        query: query === undefined ? undefined : queryOf(query, given.query),
        body: bodyOf(body, given.body, raw.caller, needsBody),
        receipt: raw.receipt ?? noReceipt,
        versions: raw.versions,
        parts: raw.parts ?? unrepeatableParts,
      });
    },
  };
}

/** Whether the list of a route supports `page_token`. */
export function acceptsPageToken({ query }: Route): boolean {
  return query !== undefined && "entries" in query && Object.hasOwn(Object(query.entries), "page_token");
}

/** Declares a route that handles the request itself. */
export function rawRoute<Slices, const Path extends string>(
  declared: Omit<RawRoute<Slices, Path>, "kind">,
): RawRoute<Slices, Path> {
  return { kind: "raw", ...declared };
}
