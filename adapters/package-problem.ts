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
  if (!(cause instanceof Error) || isMissing(cause)) return `${what} needs the package "${name}": npm install ${name}`;
  const reason = cut(cause.message, MAX_REASON_CHARS);
  return `${what} cannot load the package "${name}": ${reason.endsWith(".") ? reason.slice(0, -1) : reason}`;
}

/** Vite puts an error without a code in the place of a package that is missing when it builds. */
const isMissing = (error: Error) =>
  NOT_FOUND.has(systemErrorCode(error) ?? "") || error.message.startsWith("Could not resolve ");
