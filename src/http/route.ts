/**
 * What a row of the route table is.
 *
 * A route declares one capability once: address, access, shapes and the function. The HTTP handler, the service
 * functions of `stepwell.*` (src/api/api.ts), the OpenAPI document and the client are all derived from these rows.
 */
import type * as v from "valibot";
import type { ApiKeyScope, Caller } from "../api/caller.ts";
import type { Page } from "../documents/pagination.ts";
import { noReceipt, type Receipt } from "../documents/receipt.ts";
import { isRecord } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import { check, strictObject } from "../schema.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call:
 * - `admin`: the bearer of the admin key.
 * - `app`: a key of the app in the path, with the route's scope.
 * - `public`: as `app`, and without any key, for what is PUBLIC.
 * - `open`: anyone; possession of the address is enough.
 */
export type Access = "admin" | "app" | "public" | "open";

/** Names of the `{…}` segments of a path, in order; `{…*}` stands for several segments. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [Name extends `${infer Several}*` ? Several : Name, ...ParamNames<Rest>]
  : [];

export type Params<Path extends string> = Readonly<Record<ParamNames<Path>[number], string>>;

/** A call before its shapes are checked. */
export interface RawCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly caller: Caller;
  /** Seconds that the caller is willing to wait for an end (RFC 7240, `Prefer: wait`), default 0. */
  readonly wait?: number;
  /** Ends when the caller has gone. */
  readonly signal?: AbortSignal | undefined;
  /** Set for a request with an `Idempotency-Key`. */
  readonly receipt?: Receipt;
}

/** A call as the route's function sees it. */
export interface Call<Path extends string, Query, Body> {
  readonly params: Params<Path>;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  readonly wait: number;
  readonly signal: AbortSignal | undefined;
  readonly receipt: Receipt;
}

/** What comes back, and how HTTP tells it. */
export interface ResponseSpec<Result> {
  readonly kind: "one" | "created" | "page" | "nothing";
  readonly status: 200 | 201 | 204;
  /** Of the answer; of one item where it is a page; null for no content. */
  readonly schema: v.GenericSchema | null;
  /** The answer holds a secret that is shown once: it is not kept for a repeated request, which is refused. */
  readonly secret?: true;
  /** Where a created thing is, seen from the base address. */
  location?(answer: Result, path: string): string;
}

/** 200 with the thing. */
export function one<const S extends v.GenericSchema>(schema: S): ResponseSpec<v.InferOutput<S>> {
  return { kind: "one", status: 200, schema };
}

/** 201 with the thing and its Location: the path of the call followed by the thing's id, unless told otherwise. */
export function created<const S extends v.GenericSchema<unknown, { readonly id: string }>>(
  schema: S,
): ResponseSpec<v.InferOutput<S>> {
  return { kind: "created", status: 201, schema, location: (answer, path) => `${path}/${answer.id}` };
}

/** As {@link created}, for what is found elsewhere than at its id. */
export function createdAt<const S extends v.GenericSchema>(
  schema: S,
  location: (answer: v.InferOutput<S>, path: string) => string,
): ResponseSpec<v.InferOutput<S>> {
  return { kind: "created", status: 201, schema, location };
}

/** As {@link created}, for what is shown this one time. */
export function createdSecret<const S extends v.GenericSchema<unknown, { readonly id: string }>>(
  schema: S,
): ResponseSpec<v.InferOutput<S>> {
  return { ...created(schema), secret: true };
}

/** 200 with an array of things; the rest of the page in headers. */
export function pageOf<const S extends v.GenericSchema>(schema: S): ResponseSpec<Page<v.InferOutput<S>>> {
  return { kind: "page", status: 200, schema };
}

/** 204. */
export function nothing(): ResponseSpec<void> {
  return { kind: "nothing", status: 204, schema: null };
}

/** A call of a route that reads the request itself. */
export interface OpenCall<Path extends string> extends Call<Path, unknown, unknown> {
  /**
   * The body as it comes. Left early it is not cancelled: the host gets rid of the rest. By the signal it ends, with its
   * reason.
   * @throws StepwellError `malformed` when it breaks off, `request_timeout` when it comes too slowly
   */
  bytes(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** The bytes are not those that were sent: a body parser had read them, and they were made anew of what it left. */
  readonly isBodyRebuilt: boolean;
}

interface Address<Path extends string> {
  readonly method: Method;
  /** Such as `/apps/{app_id}/collections`. */
  readonly path: Path;
  readonly access: Access;
  /** Needed where the access is `app` or `public` and a key is given. */
  readonly scope?: ApiKeyScope;
  /** One sentence for the reference. */
  readonly summary: string;
}

interface Declaration<Slices, Path extends string, Q extends v.GenericSchema, B extends v.GenericSchema, Result>
  extends Address<Path> {
  readonly query?: Q;
  /** A body that is left out is an empty object; a row without this takes no other body. */
  readonly body?: B;
  readonly answers: ResponseSpec<Result>;
  /** @param slices Those that this row calls. The type of the parameter says which. */
  readonly run: (slices: Slices, call: Call<Path, v.InferOutput<Q>, v.InferOutput<B>>) => Promise<NoInfer<Result>>;
}

/** What a row with an app in its path looks the app up in. */
export interface HasApps {
  readonly apps: {
    /** @throws StepwellError `not_found` */
    get(appId: string): Promise<unknown>;
  };
}

/**
 * A row whose shapes are all known: reached over HTTP and as a service function. It runs on `Slices`: whatever has at least
 * these can call it. Of `Route` alone, as of any route, nothing is known that could call it.
 */
export interface Route<Slices = never, Path extends string = string, Query = unknown, Body = unknown, Result = unknown>
  extends Address<Path> {
  readonly kind: "shaped";
  readonly query: v.GenericSchema<Query, unknown> | undefined;
  readonly body: v.GenericSchema<Body, unknown> | undefined;
  readonly answers: ResponseSpec<Result>;
  /** Checks the shapes and that the app exists, then runs. The one place where either happens, for both doors. */
  readonly call: (slices: Slices & HasApps, raw: RawCall) => Promise<Result>;
}

/** A row that reads the request or writes the answer itself: streams of bytes, pages for people. */
export interface RawRoute<Slices = never, Path extends string = string> extends Address<Path> {
  readonly kind: "raw";
  /** Headers with which OPTIONS tells what the address can do beyond its methods. */
  readonly discovery?: (slices: Slices) => Readonly<Record<string, string>>;
  /** For OPTIONS: whether the address takes the method, where its text does not say so. Left out: it does. */
  readonly isThere?: (slices: Slices, params: Params<Path>) => Promise<boolean>;
  readonly respond: (slices: Slices, request: Request, call: OpenCall<Path>) => Promise<Response>;
}

export type AnyRoute<Slices = never> = Route<Slices> | RawRoute<Slices>;

/** Rows by their names. */
export type RouteGroup<Slices = never> = Readonly<Record<string, AnyRoute<Slices>>>;

/** Rows in groups, by the names of these. */
export type RouteTable<Slices = never> = Readonly<Record<string, RouteGroup<Slices>>>;

/** The slices that the rows of a table call: all that any of them does. */
export type SlicesOf<Table> = Table extends RouteTable<infer Slices> ? Slices : never;

export function route<
  Slices,
  const Path extends string,
  Result,
  const Q extends v.GenericSchema = v.UnknownSchema,
  const B extends v.GenericSchema = v.UnknownSchema,
>(declared: Declaration<Slices, Path, Q, B, Result>): Route<Slices, Path, v.InferInput<Q>, v.InferInput<B>, Result> {
  const { query, body, run, ...rest } = declared;
  return {
    kind: "shaped",
    ...rest,
    query,
    body,
    async call(slices, raw) {
      if (raw.params["app_id"] !== undefined) await slices.apps.get(raw.params["app_id"]);
      return run(slices, {
        params: raw.params as Params<Path>, // the router fills exactly the names of the path
        query: query === undefined ? undefined : queryOf(query, raw.query === undefined ? {} : raw.query),
        body: bodyOf(body, raw),
        caller: raw.caller,
        wait: raw.wait ?? 0,
        signal: raw.signal,
        receipt: raw.receipt ?? noReceipt,
      });
    },
  };
}

/** A page is named by its number or by a token: which of two would count is not for us to guess. */
function queryOf<Q extends v.GenericSchema>(schema: Q, given: unknown): v.InferOutput<Q> {
  const query = check(schema, given, "query");
  if (isRecord(given) && given["page"] !== undefined && given["page_token"] !== undefined) {
    throw invalid([
      { pointer: "/page", message: "Must not be combined with page_token. Omit one of them.", in: "query" },
    ]);
  }
  return query;
}

/** A row that reads no body refuses one with content, instead of letting its sender believe that it counts. */
const NO_BODY = strictObject({});

function bodyOf<B extends v.GenericSchema>(schema: B | undefined, raw: RawCall): v.InferOutput<B> | undefined {
  const { body: given, caller } = raw;
  const whole = caller.kind === "host" ? "the argument" : "the body";
  if (schema !== undefined) return check(schema, given === undefined ? {} : given, undefined, whole);
  if (given !== undefined) check(NO_BODY, given, undefined, whole);
  return undefined;
}

/** Declares a row that handles the request itself. */
export function rawRoute<Slices, const Path extends string>(
  declared: Omit<RawRoute<Slices, Path>, "kind">,
): RawRoute<Slices, Path> {
  return { kind: "raw", ...declared };
}
