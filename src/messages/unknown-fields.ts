/** Finds misspelled fields of definitions in code, which no compiler has checked in JavaScript. Pure. */
import { didYouMean } from "./closest-name.ts";

/**
 * Rejects fields that a definition does not have: a misspelled optional field would be ignored.
 * @param what Such as `The service "mail"`.
 * @throws TypeError
 */
export function rejectUnknownFields(what: string, definition: object, known: readonly string[]): void {
  const given = Object.keys(definition);
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const missing = known.filter((name) => !given.includes(name));
  const meant = didYouMean(unknown, missing) || ` Known fields: ${known.join(", ")}.`;
  throw new TypeError(`${what} has an unknown field ${JSON.stringify(unknown)}.${meant}`);
}
