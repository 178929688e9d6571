/** Conditions on resources without an ETag or a date (RFC 9110 section 13.1): they are answered, never ignored. */
import { StepwellError } from "../errors.ts";

/** Methods that change what the address names, and nothing below it. */
const CHANGING: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);

/**
 * A tag of `If-Match` can never be that of a resource without one. What is changed is there, or else not found, so `*` is
 * true of it in `If-Match` and false in `If-None-Match`. Conditions on dates are ignored (RFC 9110 section 13.1.4).
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
