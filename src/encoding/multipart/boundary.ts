/** The boundary of a multipart body. RFC 2046 §5.1.1. */
import { StepwellError } from "../../errors.ts";
import { headerParameters } from "../header-parameters.ts";

/** @throws StepwellError `malformed` */
export function boundaryOf(contentType: string): string {
  const boundary = headerParameters(contentType).get("boundary") ?? "";
  if (boundary === "") throw malformed("its Content-Type names no boundary");
  if (/["\\]/.test(boundary)) throw malformed("its boundary contains characters that RFC 2046 does not allow");
  return boundary;
}

export function malformed(reason: string, cause?: unknown): StepwellError {
  return new StepwellError("malformed", `The multipart body is invalid: ${reason}.`, { cause });
}
