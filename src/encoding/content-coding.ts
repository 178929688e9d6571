/** Refuses compressed bodies, which could expand without limit (RFC 9110 §8.4). */
import { StepwellError } from "../errors.ts";

/** @throws StepwellError `unsupported_media_type` */
export function requireUncompressed(headers: Headers): void {
  const coding = headers.get("content-encoding");
  if (coding === null || coding.toLowerCase() === "identity") return;
  throw new StepwellError("unsupported_media_type", "The body must not be compressed. Omit Content-Encoding.");
}
