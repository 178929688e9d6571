/** Ids that sort by time, and random secrets, over nanoid. */
import { customAlphabet } from "nanoid";
import type { Clock } from "./ports/clock.ts";
import type { Ids } from "./ports/ids.ts";
import { ALPHABET, digits, timeDigits } from "./time/id-time.ts";

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
      return `${prefix}_${timeDigits(last)}${digits(counter, COUNTER_CHARS)}${tail()}`;
    },
    random: (length) => secret(length),
  };
}
