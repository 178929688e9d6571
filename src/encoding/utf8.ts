/** Strict UTF-8. */
import { StepwellError } from "../errors.ts";

/** @throws StepwellError `malformed` for bytes that are not UTF-8, because replacing them would change what was sent */
export function utf8(bytes: Uint8Array, what = "The body"): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new StepwellError("malformed", `${what} is not valid UTF-8.`, { cause });
  }
}
