/** The time with which ids begin that sort by it. */

/** Crockford's base 32, without similar letters. Ascending code units, so ids sort as text. */
export const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 10;
const TIME_LIMIT = ALPHABET.length ** TIME_CHARS;

/** What an id of a millisecond has after its prefix. */
export function timeDigits(milliseconds: number): string {
  return digits(Math.min(Math.max(milliseconds, 0), TIME_LIMIT - 1), TIME_CHARS);
}

export function digits(value: number, length: number): string {
  let text = "";
  let rest = value;
  for (let index = 0; index < length; index++) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
