/** Checks of path parameters, from HTTP or a service function, and of idempotency keys. */
import { StepwellError } from "../errors.ts";

/** The format of generated ids. Anything else cannot exist, so the storage is not queried for it. */
const ID = /^[0-9A-Za-z_-]{1,128}$/;
const MAX_PARAM_CHARS = 1_024;

/** @throws StepwellError `not_found` for a value that no resource can have. */
export function checkedParam(name: string, value: string): string {
  if (name.endsWith("_id") ? ID.test(value) : value.length <= MAX_PARAM_CHARS) return value;
  throw new StepwellError("not_found", `There is no resource with this ${name}.`);
}

/** An idempotency key, which identifies repeats of a request. */
const KEY = /^[\x20-\x7e]{1,255}$/;
/** The separator between the values of a repeated header. */
const JOINT = ", ";

/**
 * @param header Name of the header that contains it.
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
