/** Turns the result of a route into a response: JSON, status, Location, and the headers of a page. */
import type { Page } from "../documents/pagination.ts";
import { MEBIBYTE } from "../encoding/bytes.ts";
import { invalid } from "../messages/field-errors.ts";
import { type Form, preferredForm } from "./content-negotiation.ts";
import { pageHeaders } from "./page-headers.ts";
import { entityTag } from "./preconditions.ts";
import { fillPath, type RequestPath } from "./request-path.ts";
import type { ResponseParts } from "./response.ts";
import { acceptsPageToken, type Route } from "./route.ts";

const JSON_HEADERS = { "content-type": "application/json" } as const;

export type EncodeResult = (
  route: Route,
  result: unknown,
  params: Readonly<Record<string, string>>,
  search: RequestPath["search"],
  accept: string | null,
) => ResponseParts;

export function createEncodeResult(baseUrl: string): EncodeResult {
  const stringify = createStringify();
  return (route, result, params, search, accept) => {
    const { answers } = route;
    switch (answers.kind) {
      case "nothing":
        return { status: answers.status, headers: {}, body: null };
      case "one":
        if (answers.forms !== undefined) return inForm(preferredForm(accept, answers.forms), answers.status, result);
        return {
          status: answers.status,
          headers: { ...JSON_HEADERS, ...tagOf(route, result) },
          body: stringify(result),
        };
      case "created": {
        const location = answers.location?.(result, fillPath(route.path, params)) ?? fillPath(route.path, params);
        const headers = { ...JSON_HEADERS, ...tagOf(route, result), location: `${baseUrl}${location}` };
        const status = answers.isExisting?.(result) === true ? 200 : answers.status;
        return { status, headers, body: stringify(result) };
      }
      case "page": {
        const page = result as Page<unknown>; // as the kind says
        const list = `${baseUrl}${fillPath(route.path, params)}`;
        const headers = { ...JSON_HEADERS, ...pageHeaders(page, list, search, acceptsPageToken(route)) };
        return { status: answers.status, headers, body: pageText(page.items, stringify) };
      }
    }
  };
}

/** Nothing in a response runs as a script, wherever a browser shows it. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

function inForm<Result>(form: Form<Result>, status: number, result: Result): ResponseParts {
  const type = form.type.startsWith("text/") ? `${form.type}; charset=utf-8` : form.type;
  const headers = { "content-type": type, "content-security-policy": INERT, vary: "accept" };
  return { status, headers, body: form.text(result) };
}

function tagOf({ answers: { versioned } }: Route, result: unknown): { readonly etag?: string } {
  return versioned === undefined ? {} : { etag: entityTag(versioned.versionOf(result)) };
}

/** Characters of a page. A thousand items of 1 MiB would exceed the length of a string. */
const MAX_PAGE_CHARS = 64 * MEBIBYTE;

/** @throws StepwellError `invalid` if the page would be too long */
function pageText(items: readonly unknown[], stringify: (value: unknown) => string): string {
  let length = 0;
  const texts: string[] = [];
  for (const item of items) {
    const text = stringify(item);
    length += text.length + 1;
    if (length > MAX_PAGE_CHARS) {
      const message = `The first ${texts.length + 1} of ${items.length} items exceed ${MAX_PAGE_CHARS} characters. Request fewer items.`;
      throw invalid([{ in: "query", pointer: "/take", message }]);
    }
    texts.push(text);
  }
  return `[${texts.join(",")}]`;
}

/**
 * Serializes to JSON and caches the text of immutable values: the store returns the same frozen document until it is
 * replaced, and versions never change.
 */
function createStringify(): (value: unknown) => string {
  const known = new WeakMap<object, string>();
  return (value) => {
    if (typeof value !== "object" || value === null || !Object.isFrozen(value)) return JSON.stringify(value);
    const before = known.get(value);
    if (before !== undefined) return before;
    const text = JSON.stringify(value);
    if (isDeepFrozen(value)) known.set(value, text);
    return text;
  };
}

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen);
}
