/**
 * Holds back runs that have passed their rate limit and wait for a slot. They get slots later than planned, and would otherwise
 * start together. In memory: what this process has started counts.
 */
import type { Clock } from "../../ports/clock.ts";
import type { RateLimit } from "../state/stored-admission.ts";
import { type Bucket, endOf, NO_STARTS, nextStart, type Starts } from "./rate-limit.ts";

interface Limited {
  readonly rate_limit?: RateLimit;
}

export interface StartRates {
  /** When the run may start, in milliseconds since 1970; null if it may start now. */
  heldUntil(run: Limited): number | null;
  /** Call this when a run gets its slot. Returns a function to call if the run does not start after all. */
  onStart(run: Limited): () => void;
}

/** Keys after which those are forgotten that no longer matter. */
const FIRST_SWEEP = 100;

function withoutStart(starts: Starts, bucket: number | undefined): Starts {
  const buckets = starts.buckets.map(([number, count]): Bucket => [number, number === bucket ? count - 1 : count]);
  return { ...starts, buckets: buckets.filter(([, count]) => count > 0) };
}

export function createStartRates(clock: Pick<Clock, "now">): StartRates {
  const known = new Map<string, { readonly starts: Starts; readonly until: number }>();
  let nextSweep = FIRST_SWEEP;

  const next = (rateLimit: RateLimit, now: number) =>
    nextStart(known.get(rateLimit.key)?.starts ?? NO_STARTS, rateLimit, now, false);

  function sweep(now: number): void {
    for (const [key, { until }] of known) if (until <= now) known.delete(key);
    nextSweep = Math.max(FIRST_SWEEP, 2 * known.size);
  }

  return {
    heldUntil({ rate_limit: rateLimit }) {
      if (rateLimit === undefined) return null;
      const now = clock.now();
      const { at } = next(rateLimit, now);
      return at > now ? at : null;
    },

    onStart({ rate_limit: rateLimit }) {
      if (rateLimit === undefined) return () => undefined;
      const now = clock.now();
      const { starts } = next(rateLimit, now);
      const { key } = rateLimit;
      const bucket = starts.buckets.at(-1)?.[0];
      known.set(key, { starts, until: endOf(starts, rateLimit) });
      if (known.size >= nextSweep) sweep(now);
      return () => {
        const later = known.get(key);
        if (later !== undefined) known.set(key, { ...later, starts: withoutStart(later.starts, bucket) });
      };
    },
  };
}
