/** The names that a request gives: ids in its path, whichever door it came through, and the key of the request itself. */
import { StepwellError } from "../errors.ts";

/** Ids are generated; what does not look like one is not there, and no storage is asked for it. */
const ID = /^[0-9A-Za-z_-]{1,128}$/;
const MAX_LENGTH = 1_024;

/** @throws StepwellError `not_found` for what nothing can be named. */
export function checkedParam(name: string, value: string): string {
  if (name.endsWith("_id") ? ID.test(value) : value.length <= MAX_LENGTH) return value;
  throw new StepwellError("not_found", `No resource has this ${name}.`);
}

/** The name of a request, by which one that is sent again is known. */
const KEY = /^[\x20-\x7e]{1,255}$/;
/** What joins the values of a header that is sent twice. */
const JOINT = ", ";

/**
 * @param header The header that it came in.
 * @throws StepwellError `malformed`
 */
export function checkedIdempotencyKey(header: string, key: string): string {
  if (!KEY.test(key)) throw wrong(header, "Must be 1 to 255 printable ASCII characters.");
  if (key.includes(JOINT))
    throw wrong(header, `Must be sent once and must not contain "${JOINT}", which joins repeated headers.`);
  return key;
}

function wrong(header: string, message: string): StepwellError {
  const errors = [{ pointer: `/${header}`, message, in: "header" as const }];
  return new StepwellError("malformed", `header ${header}: ${message}`, { errors });
}
