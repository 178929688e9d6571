/** Strict UTF-8. */
import { StepwellError } from "../errors.ts";
import { headerParameters } from "./header-parameters.ts";

const UTF_8 = /^utf-?8$/i;

/** Whether a media type names no other encoding than UTF-8. */
export const isUtf8Type = (contentType: string): boolean =>
  UTF_8.test(headerParameters(contentType).get("charset") ?? "utf-8");

/** @throws StepwellError `unsupported_media_type` for a media type that names another encoding */
export function requireUtf8(contentType: string, what = "The body"): void {
  if (isUtf8Type(contentType)) return;
  const message = `${what} has the Content-Type ${JSON.stringify(contentType.slice(0, 100))}. Send it in UTF-8.`;
  throw new StepwellError("unsupported_media_type", message);
}

/** @throws StepwellError `malformed` for bytes that are not UTF-8, because replacing them would change what was sent */
export function utf8(bytes: Uint8Array, what = "The body"): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new StepwellError("malformed", `${what} is not valid UTF-8.`, { cause });
  }
}
