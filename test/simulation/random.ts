/** Reproducible randomness: every decision of a simulation comes from one seed. */

export interface Random {
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  /** A number from `from` up to `to`. */
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** An independent source: draws from one do not affect the other. */
  fork(): Random;
}

/** @param seed A whole number; the same seed gives the same sequence on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  /** mulberry32: fast and well distributed, but not for secrets. */
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const whole = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1));

  return {
    fraction,
    whole,
    between: (from, to) => from + fraction() * (to - from),
    chance: (probability) => fraction() < probability,
    pick(from) {
      const picked = from[whole(0, from.length - 1)];
      if (picked === undefined) throw new RangeError("Nothing to pick from.");
      return picked;
    },
    fork: () => createRandom(whole(0, 2 ** 31)),
  };
}
