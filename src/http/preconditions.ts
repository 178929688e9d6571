/** Preconditions of requests: `If-Match` and `If-None-Match` (RFC 9110 §13.1). An entity tag is a version in quotes. */
import { namesTag } from "../encoding/entity-tags.ts";
import { StepwellError } from "../errors.ts";
import type { ResponseParts } from "./response.ts";

/** How a response gets its entity tag. */
export interface Versioned<Result> {
  versionOf(result: Result): number;
  /** Whether nothing in this response can change without its version. */
  isWholeVersion(result: Result): boolean;
}

/** Methods that change the resource of the path itself. */
const CHANGING: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);
const TAG = /^"([1-9]\d{0,14})"$/;

export const entityTag = (version: number): string => `"${version}"`;

/**
 * The versions that `If-Match` names; undefined without the header, or for `*`. Weak tags and those of other forms match
 * none (RFC 9110 §13.1.1).
 */
export function versionsOf({ headers }: Request): readonly number[] | undefined {
  const tags = headers.get("if-match");
  if (tags === null || tags.trim() === "*") return undefined;
  return tags.split(",").flatMap((tag) => {
    const [, digits] = TAG.exec(tag.trim()) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
}

/**
 * A resource without an ETag matches no tag in `If-Match`. A resource to change exists, or the route responds with 404, so
 * `*` is true in `If-Match` and false in `If-None-Match`. Dates are ignored (RFC 9110 §13.1.4).
 * @param isVersioned Whether the route itself checks the versions in `If-Match`.
 * @throws StepwellError `precondition_failed`
 */
export function checkPreconditions(request: Request, isVersioned: boolean): void {
  const { method, headers } = request;
  if (!isVersioned && versionsOf(request) !== undefined) {
    throw preconditionFailed(
      "If-Match names an ETag, but this resource has none. Omit the header, or send If-Match: *.",
    );
  }
  if (CHANGING.has(method) && headers.get("if-none-match")?.trim() === "*") {
    throw preconditionFailed("If-None-Match: * requires that the resource does not exist yet. Omit the header.");
  }
}

/** Turns the response to a read into 304 if `If-None-Match` names its entity tag. */
export function unlessUnchanged({ method, headers }: Request, found: ResponseParts): ResponseParts {
  const etag = found.headers["etag"];
  const tags = headers.get("if-none-match");
  if (etag === undefined || tags === null || (method !== "GET" && method !== "HEAD")) return found;
  return namesTag(tags, etag) ? { status: 304, headers: { etag }, body: null } : found;
}

function preconditionFailed(message: string): StepwellError {
  return new StepwellError("precondition_failed", message);
}
