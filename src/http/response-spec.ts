/** What a route responds with: the status, the schema of the result, and its headers. */
import type * as v from "valibot";
import type { Page } from "../documents/pagination.ts";
import { omitUndefined } from "../json.ts";
import type { Form } from "./content-negotiation.ts";
import type { Versioned } from "./preconditions.ts";

/** The result of a route, and its form over HTTP. */
export interface ResponseSpec<Result> {
  readonly kind: "one" | "created" | "page" | "nothing";
  readonly status: 200 | 201 | 202 | 204;
  /** Schema of the result, or of one item of a page; null for no content. */
  readonly schema: v.GenericSchema | null;
  /** Whether the response contains a secret. It is then not stored for repeats of the request, which fail instead. */
  readonly secret?: true;
  /** Where the entity tag (`ETag`) of the response comes from. @default no tag */
  readonly versioned?: Versioned<Result>;
  /** The forms that `Accept` selects from, the default first. @default JSON */
  readonly forms?: readonly [Form<Result>, ...Form<Result>[]];
  /** Path of the created resource below the base URL. */
  location?(answer: Result, path: string): string;
  /** Whether the call created nothing, because the resource exists. The status is 200 then. @default false */
  isExisting?(answer: Result): boolean;
}

/** 200 with the resource. */
export function one<const S extends v.GenericSchema>(schema: S): ResponseSpec<v.InferOutput<S>> {
  return { kind: "one", status: 200, schema };
}

/** JSON, as one of several forms. */
export const JSON_FORM: Form<unknown> = { type: "application/json", text: (result) => JSON.stringify(result) };

/** 200 with the resource, in the form that `Accept` selects. The first form is the default. */
export function inForms<const S extends v.GenericSchema>(
  schema: S,
  ...forms: [Form<v.InferOutput<S>>, ...Form<v.InferOutput<S>>[]]
): ResponseSpec<v.InferOutput<S>> {
  return { ...one(schema), forms };
}

/** 201 with the resource and its Location: the path of the call and the id of the resource. */
export function created<const S extends v.GenericSchema<unknown, { readonly id: string }>>(
  schema: S,
): ResponseSpec<v.InferOutput<S>> {
  return { kind: "created", status: 201, schema, location: (answer, path) => `${path}/${answer.id}` };
}

/**
 * Like {@link created}, with another Location.
 * @param isExisting Whether the call created nothing. The status is 200 then.
 */
export function createdAt<const S extends v.GenericSchema>(
  schema: S,
  location: (answer: v.InferOutput<S>, path: string) => string,
  isExisting?: (answer: v.InferOutput<S>) => boolean,
): ResponseSpec<v.InferOutput<S>> {
  return { kind: "created", status: 201, schema, location, ...omitUndefined({ isExisting }) };
}

/** Like {@link created}, for a response that contains a secret. */
export function createdSecret<const S extends v.GenericSchema<unknown, { readonly id: string }>>(
  schema: S,
): ResponseSpec<v.InferOutput<S>> {
  return { ...created(schema), secret: true };
}

/** Like `spec`, with an `ETag`. */
export function withVersion<Result>(
  spec: ResponseSpec<Result>,
  versioned: Versioned<NoInfer<Result>>,
): ResponseSpec<Result> {
  return { ...spec, versioned };
}

/** 202 with the job that does the work, and its Location. */
export function accepted<const S extends v.GenericSchema<unknown, { readonly id: string }>>(
  schema: S,
): ResponseSpec<v.InferOutput<S>> {
  const app = (path: string) => path.split("/").slice(0, 3).join("/");
  return { kind: "created", status: 202, schema, location: ({ id }, path) => `${app(path)}/jobs/${id}` };
}

/** 200 with an array of resources, and the headers of a page. */
export function pageOf<const S extends v.GenericSchema>(schema: S): ResponseSpec<Page<v.InferOutput<S>>> {
  return { kind: "page", status: 200, schema };
}

/** 204 without content. */
export function nothing(): ResponseSpec<void> {
  return { kind: "nothing", status: 204, schema: null };
}
