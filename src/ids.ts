/** Ids that sort by time, and random secrets, over nanoid. */
import { customAlphabet } from "nanoid";
import type { Clock } from "./ports/clock.ts";
import type { Ids } from "./ports/ids.ts";

/** Crockford's base 32, without similar letters. Ascending code units, so ids sort as text. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 10;
/** Two characters of counter keep ids of one millisecond in order. The rest is random (70 bits). */
const COUNTER_CHARS = 2;
const RANDOM_CHARS = 14;
const COUNTER_LIMIT = ALPHABET.length ** COUNTER_CHARS;

/** Lower case only, because file systems and host names may ignore case. */
const SECRET_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

export function createIds(clock: Clock): Ids {
  const tail = customAlphabet(ALPHABET, RANDOM_CHARS);
  const secret = customAlphabet(SECRET_ALPHABET);
  let last = 0;
  let counter = 0;

  return {
    next(prefix) {
      const now = clock.now();
      if (now > last) {
        last = now;
        counter = 0;
      } else if (++counter === COUNTER_LIMIT) {
        last++; // more than 1,024 ids in this millisecond, or the clock went back
        counter = 0;
      }
      return `${prefix}_${digits(last, TIME_CHARS)}${digits(counter, COUNTER_CHARS)}${tail()}`;
    },
    random: (length) => secret(length),
  };
}

function digits(value: number, length: number): string {
  let text = "";
  let rest = value;
  for (let index = 0; index < length; index++) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
