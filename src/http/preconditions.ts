/** Evaluates preconditions on resources without an ETag or a date (RFC 9110 §13.1). */
import { StepwellError } from "../errors.ts";

/** Methods that change the resource of the path itself. */
const CHANGING: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);

/**
 * A resource without an ETag matches no tag in `If-Match`. A resource to change exists, or the route responds with 404, so
 * `*` is true in `If-Match` and false in `If-None-Match`. Dates are ignored (RFC 9110 §13.1.4).
 * @throws StepwellError `precondition_failed`
 */
export function checkPreconditions({ method, headers }: Request): void {
  const tags = headers.get("if-match");
  if (tags !== null && tags.trim() !== "*") {
    throw unmet("If-Match names an ETag, but this resource has none. Omit the header, or send If-Match: *.");
  }
  if (CHANGING.has(method) && headers.get("if-none-match")?.trim() === "*") {
    throw unmet("If-None-Match: * requires that the resource does not exist yet. Omit the header.");
  }
}

function unmet(message: string): StepwellError {
  return new StepwellError("precondition_failed", message);
}
