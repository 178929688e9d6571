/** Says why a package that the user installs cannot be loaded. */
import { cut, systemErrorCode } from "../src/errors.ts";

/** Codes of Node.js, Deno and Bun, and of webpack. */
const NOT_FOUND = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]);
const MAX_REASON_CHARS = 300;

/**
 * The message, without a full stop.
 * @param what What needs the package, such as `The redis driver`.
 * @param cause What its import threw. Unless the package was not found, the message has its text: in a bundle, an installed
 * package may fail for another reason.
 */
export function packageProblem(what: string, name: string, cause: unknown): string {
  const isMissing = NOT_FOUND.has(systemErrorCode(cause) ?? "") || !(cause instanceof Error);
  if (isMissing) return `${what} needs the package "${name}": npm install ${name}`;
  return `${what} cannot load the package "${name}": ${cut(cause.message, MAX_REASON_CHARS)}`;
}
