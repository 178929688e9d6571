/**
 * Numbers that identify something. JSON numbers are doubles, so from 2^53 on, several numbers of a request become the same one.
 * As an id or a key, it would make two events one. Imports read such numbers as text; in JSON, the sender has to.
 */
import type { JsonValue } from "../../json.ts";

/** Whether other numbers in JSON may have become this value. */
export const isAmbiguous = (value: JsonValue | undefined) =>
  typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;

export const SEND_AS_STRING = "Must not be a number beyond ±9007199254740991, which loses digits. Send it as a string.";
