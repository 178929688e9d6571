/** Texts in a column, each without the start that it shares with the one before. Ids that sort by time take half as much. Pure. */

/** As one text, or as they are if one contains the separator. */
export type SharedStarts = string | readonly string[];

const SEPARATOR = ",";
/** Each character stands for a length. */
const LENGTHS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MAX_LENGTH = LENGTHS.length - 1;

export function withoutSharedStarts(texts: readonly string[]): SharedStarts {
  if (texts.some((text) => text.includes(SEPARATOR))) return texts;
  let before = "";
  return texts
    .map((text) => {
      const length = sharedLength(before, text);
      before = text;
      return LENGTHS.charAt(length) + text.slice(length);
    })
    .join(SEPARATOR);
}

function sharedLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length, MAX_LENGTH);
  let length = 0;
  while (length < end && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}

export function withSharedStarts(stored: SharedStarts): readonly string[] {
  if (typeof stored !== "string") return stored;
  if (stored === "") return [];
  let before = "";
  return stored.split(SEPARATOR).map((part) => {
    before = before.slice(0, LENGTHS.indexOf(part.charAt(0))) + part.slice(1);
    return before;
  });
}

export function isSharedStarts(value: unknown): value is SharedStarts {
  return typeof value === "string" || Array.isArray(value);
}
