/** Settings that decide when a run of a workflow starts: concurrency, rate limit, debounce and priority. */
import * as v from "valibot";
import { groupedDigits } from "../messages/grouped-digits.ts";
import { strictObject } from "../schema.ts";
import { DAY_SECONDS } from "../time/units.ts";

const MAX_LIMIT = 10_000;
const MAX_PERIOD_SECONDS = 366 * DAY_SECONDS;
/** The lowest is the same below zero. */
export const MAX_PRIORITY = 100;

const expression = v.pipe(v.string(), v.minLength(1, "Must not be empty."));
/** CEL expression of what runs have in common. */
const key = v.exactOptional(expression);
const limit = v.pipe(
  v.number(),
  v.integer("Must be a whole number."),
  v.minValue(1, "Must be at least 1."),
  v.maxValue(MAX_LIMIT, `Must be at most ${groupedDigits(MAX_LIMIT)}.`),
);
const period = v.pipe(
  v.number(),
  v.gtValue(0, "Must be more than 0 seconds."),
  v.maxValue(MAX_PERIOD_SECONDS, `Must be at most ${MAX_PERIOD_SECONDS} seconds.`),
);

export const CONCURRENCY_STRATEGIES = ["queue", "reject", "skip", "cancel_oldest"] as const;

/** How many runs of a workflow may be open at once. */
export const Concurrency = strictObject({
  /**
   * CEL expression over the input: runs with the same value share the limit, such as `input.customer_id`.
   * @default all runs of the workflow share it
   */
  key,
  /** Maximum open runs with the same key, from 1 to 10,000. Waiting runs count too. */
  limit,
  /**
   * What happens to a run beyond the limit. `queue`: the run is `queued` until another one ends. `reject`: no run is
   * created; the response is 429. `skip`: no run is created; the response is the oldest open run. `cancel_oldest`:
   * Stepwell cancels the oldest open run, then starts the new one. Child runs and runs of rules and failure workflows are
   * queued instead of rejected or skipped. Retries are always queued.
   * @default queue
   */
  strategy: v.exactOptional(v.picklist(CONCURRENCY_STRATEGIES)),
});

/** Combines calls in quick succession into one run. */
export const Debounce = v.pipe(
  strictObject({
    /** CEL expression over the input: calls with the same value are combined. @default all calls are combined */
    key,
    /** Seconds without a further call until the run starts, up to 31,622,400 (366 days). */
    period,
    /**
     * Maximum seconds from the first call until the run starts, even if calls continue; at least `period`.
     * @default ten periods
     */
    max_wait: v.exactOptional(period),
  }),
  v.forward(
    v.check(({ period, max_wait = period }) => max_wait >= period, "Must be at least the period."),
    ["max_wait"],
  ),
);

/** How many runs of a workflow may start in a period. */
export const RateLimit = strictObject({
  /**
   * CEL expression over the input: runs with the same value share the limit. @default all runs of the workflow share it
   */
  key,
  /** Maximum runs that may start within the period, from 1 to 10,000. Further runs are `waiting` until their turn. */
  limit,
  /** Length of the period in seconds, up to 31,622,400 (366 days). */
  period,
});

/** From -100 to 100. */
export const Priority = v.pipe(
  v.number(),
  v.integer("Must be a whole number."),
  v.minValue(-MAX_PRIORITY, `Must be at least ${-MAX_PRIORITY}.`),
  v.maxValue(MAX_PRIORITY, `Must be at most ${MAX_PRIORITY}.`),
);

/** From -100 to 100, or a CEL expression over the input. */
export const PrioritySetting = v.union(
  [Priority, expression],
  `Must be a whole number from ${-MAX_PRIORITY} to ${MAX_PRIORITY}, or an expression.`,
);
