/** What is said of an object whose field `type` names none of the shapes that it may have. */
import type * as v from "valibot";
import { cut } from "../errors.ts";
import { didYouMean } from "./closest-name.ts";

/** Characters of a wrong value that a message repeats. */
const MAX_RECEIVED_LENGTH = 100;

/** @param known The types that there are */
export function typeMessage(known: readonly string[]) {
  const list = known.map((type) => JSON.stringify(type)).join(", ");
  return ({ expected, received, input }: v.VariantIssue): string => {
    if (expected === "Object") return `Must be an object, not ${cut(received, MAX_RECEIVED_LENGTH)}.`;
    if (received === "undefined") return `Is required: one of ${list}.`;
    const near = typeof input === "string" ? didYouMean(input, known) : "";
    return `Must be one of ${list}, not ${cut(received, MAX_RECEIVED_LENGTH)}.${near}`;
  };
}
