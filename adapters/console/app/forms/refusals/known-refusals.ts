/** What the server says of values that do not fit their fields, in the language of the page. Pure. */
import type { Messages } from "../../texts/messages.ts";

type Refusals = Messages["forms"]["refusals"];

/** Sentences without a value, as src/workflows/input and src/messages have them. */
const SENTENCES: ReadonlyMap<string, Exclude<keyof Refusals, "oneOf" | "min" | "max" | "maxLength">> = new Map([
  ["Is required.", "required"],
  ["Must not be empty.", "empty"],
  ["Must have at least one value.", "none"],
  ["Must be a single file.", "oneFile"],
  ["Must be the id of a file.", "file"],
  ["Must be a number.", "number"],
  ["Must be true or false.", "boolean"],
  ["Must be a URL that starts with http:// or https://.", "url"],
  ["Must be a date such as 2027-01-31.", "date"],
  ["Must be an ISO 8601 date and time such as 2027-01-31T09:30:00Z.", "datetime"],
  ["Must be a time of day such as 09:30 or 09:30:00.", "time"],
]);

const ONE_OF = /^Must be one of (".+")\.$/;
const MIN = /^Must be at least (-?[\d.]+)\.$/;
const MAX = /^Must be at most (-?[\d.]+)\.$/;
const MAX_LENGTH = /^Must have at most (\d+) characters\.$/;

/** The sentence of the server if the page has no other. */
export function refusalText(message: string, texts: Refusals): string {
  const known = SENTENCES.get(message);
  if (known !== undefined) return texts[known];
  const valueIn = (pattern: RegExp) => pattern.exec(message)?.[1];
  // Further words say which value was given, or which one is near.
  const choices = message.includes('", not ') ? undefined : valueIn(ONE_OF);
  if (choices !== undefined) return texts.oneOf(choices);
  const min = valueIn(MIN);
  if (min !== undefined) return texts.min(min);
  const max = valueIn(MAX);
  if (max !== undefined) return texts.max(max);
  const length = valueIn(MAX_LENGTH);
  return length === undefined ? message : texts.maxLength(length);
}
