/** The message about an object whose field `type` is missing or unknown. */
import type * as v from "valibot";
import { cut } from "../errors.ts";
import { didYouMean } from "./closest-name.ts";

/** Characters of an invalid value that a message repeats. */
const MAX_RECEIVED_CHARS = 100;

/** @param known The allowed types. */
export function typeMessage(known: readonly string[]) {
  const list = known.map((type) => JSON.stringify(type)).join(", ");
  return ({ expected, received, input }: v.VariantIssue): string => {
    if (expected === "Object") return `Must be an object, not ${cut(received, MAX_RECEIVED_CHARS)}.`;
    if (received === "undefined") return `Is required: one of ${list}.`;
    const near = typeof input === "string" ? didYouMean(input, known) : "";
    return `Must be one of ${list}, not ${cut(received, MAX_RECEIVED_CHARS)}.${near}`;
  };
}
