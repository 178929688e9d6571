/** Where the next page of a list is, in the response of an API. */
import * as v from "valibot";
import { pointerNames } from "../../encoding/json-pointer.ts";
import { isRecord, type JsonValue } from "../../json.ts";
import { wholeNumber } from "../../schema.ts";
import { ActionError } from "../action-error.ts";
import type { HttpOutput } from "./read-response.ts";

export const JsonPointer = v.pipe(
  v.string(),
  v.maxLength(1_000, "Must have at most 1000 characters."),
  v.regex(/^(\/([^~/]|~[01])*)*$/, 'Must be a JSON Pointer such as "/data/items", or "" for the whole body.'),
);
const parameter = (name: string) =>
  v.optional(
    v.pipe(v.string(), v.minLength(1, "Must not be empty."), v.description(`Query parameter. Default: ${name}.`)),
    name,
  );

export const NextPage = v.variant("type", [
  v.pipe(
    v.strictObject({ type: v.literal("link") }),
    v.description('Follows the Link header with rel="next" (RFC 8288).'),
  ),
  v.pipe(
    v.strictObject({ type: v.literal("url"), path: JsonPointer }),
    v.description("Follows a URL in the body. path: its JSON Pointer."),
  ),
  v.pipe(
    v.strictObject({ type: v.literal("cursor"), path: JsonPointer, parameter: parameter("cursor") }),
    v.description("Sends a value of the body as a query parameter. path: its JSON Pointer."),
  ),
  v.pipe(
    v.strictObject({ type: v.literal("page"), parameter: parameter("page"), first: v.optional(wholeNumber(0), 1) }),
    v.description("Requests numbered pages until one has no items."),
  ),
  v.pipe(
    v.strictObject({ type: v.literal("offset"), parameter: parameter("offset") }),
    v.description("Sends the number of items received so far as an offset, until a page has no items."),
  ),
]);
export type NextPage = v.InferOutput<typeof NextPage>;

export interface Page {
  readonly url: URL;
  readonly response: HttpOutput;
  readonly items: readonly JsonValue[];
  /** Number of pages before this one. */
  readonly index: number;
  /** Number of items up to this page, included. */
  readonly itemsSoFar: number;
}

/** The URL of the first page. */
export function firstPage(url: URL, next: NextPage): URL {
  if (next.type === "page") return withParameter(url, next.parameter, String(next.first));
  return url;
}

/** The URL of the next page; null after the last one. @throws ActionError `invalid_response` */
export async function nextPage(page: Page, next: NextPage): Promise<URL | null> {
  const { url, response, items, index, itemsSoFar } = page;
  switch (next.type) {
    case "link":
      return linked(url, await nextLink(response.headers["link"] ?? ""));
    case "url":
      return linked(url, textAt(response.body, next.path));
    case "cursor": {
      const cursor = textAt(response.body, next.path);
      return cursor === null ? null : withParameter(url, next.parameter, cursor);
    }
    case "page":
      return items.length === 0 ? null : withParameter(url, next.parameter, String(next.first + index + 1));
    case "offset":
      return items.length === 0 ? null : withParameter(url, next.parameter, String(itemsSoFar));
  }
}

/** The list at a JSON Pointer of a body. @throws ActionError `invalid_response` */
export function itemsIn({ body, mime_type }: HttpOutput, path: string): readonly JsonValue[] {
  const items = valueAt(body, path);
  if (Array.isArray(items)) return items;
  const where = path === "" ? "The body" : `${JSON.stringify(path)} of the body`;
  const found = items === undefined ? "missing" : kindOf(items);
  const hint = typeof body === "string" ? ` The response is ${mime_type ?? "text without a type"}.` : "";
  throw new ActionError("invalid_response", `${where} must be a list of items, but is ${found}.${hint}`);
}

function kindOf(value: JsonValue): string {
  if (value === null) return "null";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function linked(from: URL, to: string | null): URL | null {
  if (to === null) return null;
  if (URL.canParse(to, from)) return new URL(to, from);
  throw new ActionError(
    "invalid_response",
    `The address of the next page is invalid: ${JSON.stringify(to.slice(0, 200))}.`,
  );
}

async function nextLink(header: string): Promise<string | null> {
  if (header === "") return null;
  const { default: LinkHeader } = await import("http-link-header");
  try {
    // The parser takes quadratic time for spaces.
    return LinkHeader.parse(header.replace(/[ \t]+/g, " ")).rel("next")[0]?.uri ?? null;
  } catch (cause) {
    throw new ActionError("invalid_response", "The Link header of the response is invalid.", { cause });
  }
}

function withParameter(url: URL, name: string, value: string): URL {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed;
}

/** Null if there is no text or number, or an empty text. */
function textAt(body: JsonValue, path: string): string | null {
  const found = valueAt(body, path);
  if (typeof found === "number") return String(found);
  return typeof found === "string" && found !== "" ? found : null;
}

/** The value at a JSON Pointer (RFC 6901); undefined if there is none. */
function valueAt(root: JsonValue, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const key of pointerNames(path)) {
    if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
    else value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}
