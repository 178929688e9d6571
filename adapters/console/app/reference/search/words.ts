/** Words as the search compares them. Pure. */

/** `page_token`, `Idempotency-Key` and `runs.list` are one word, and their parts are words, too. */
const WORD = /[\p{L}\p{N}]+(?:[._-][\p{L}\p{N}]+)*/gu;

/** Lowercase. */
export const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? [];

/** The parts of a word: `hooks.putSignature` is `hooks`, `putsignature`, `put` and `signature`. Empty for a plain word. */
export function partsOf(word: string): readonly string[] {
  const parts = (word.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((part) => {
    const humps = part.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").split(" ");
    return humps.length === 1 ? humps : [part, ...humps];
  });
  return parts.length < 2 ? [] : parts.map((part) => part.toLowerCase());
}

/** Without the ending of a plural. The last letters of `cache` and `cookie` go, too: their plurals do not show them. */
export const stemOf = (word: string): string =>
  singularOf(word)
    .replace(/(?<=..ch)e$/, "")
    .replace(/(?<=..)ie$/, "y");

function singularOf(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || /(?:ss|us|[dhsx]is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /(?:ss|x|ch|sh|[^aeiou]us)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** Whether one letter is missing, added or another, or two neighbors are swapped. */
export function isOneEdit(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length === 2 && right.length === 2) return left[0] === right[1] && left[1] === right[0];
  return left.length <= 1 && right.length <= 1;
}
