/** Settings that decide when a run of a workflow begins: how many at once, how often, and after which pause. */
import * as v from "valibot";
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
  v.maxValue(MAX_LIMIT, `Must be at most ${MAX_LIMIT.toLocaleString("en")}.`),
);
const period = v.pipe(
  v.number(),
  v.gtValue(0, "Must be more than 0 seconds."),
  v.maxValue(MAX_PERIOD_SECONDS, `Must be at most ${MAX_PERIOD_SECONDS} seconds.`),
);

export const CONCURRENCY_STRATEGIES = ["queue", "reject", "skip", "cancel_oldest"] as const;

export const Concurrency = strictObject({
  /**
   * CEL expression over the input: runs with the same value share the limit, such as `input.customer_id`.
   * @default all runs of the workflow share it
   */
  key,
  /** How many runs with the same key may be open at once, from 1 to 10,000. Runs that wait count, too. */
  limit,
  /**
   * What happens to a run beyond the limit. `queue`: it is `queued` until another one ends. `reject`: it is not created; the
   * response is 429. `skip`: it is not created; the response is the oldest open run. `cancel_oldest`: the oldest open run is
   * canceled, and the new one begins after that. Child runs and runs of rules and failure workflows are queued instead of
   * rejected or skipped. Retries are always queued.
   * @default queue
   */
  strategy: v.exactOptional(v.picklist(CONCURRENCY_STRATEGIES)),
});

export const Debounce = v.pipe(
  strictObject({
    /** CEL expression over the input: calls with the same value are combined. @default all calls are combined */
    key,
    /** Seconds without a further call after which the run begins, up to a year. */
    period,
    /** Seconds after the first call at which the run begins even if calls continue. @default ten periods */
    max_wait: v.exactOptional(period),
  }),
  v.forward(
    v.check(({ period, max_wait = period }) => max_wait >= period, "Must be at least the period."),
    ["max_wait"],
  ),
);

export const RateLimit = strictObject({
  /** CEL expression over the input: runs with the same value share the limit. @default all runs of the workflow share it */
  key,
  /** How many runs may begin within the period, from 1 to 10,000. Further ones are `waiting` until it is their turn. */
  limit,
  /** Seconds, up to a year. */
  period,
});

/** From -100 to 100. */
export const Priority = v.pipe(
  v.number(),
  v.integer("Must be a whole number."),
  v.minValue(-MAX_PRIORITY, `Must be at least ${-MAX_PRIORITY}.`),
  v.maxValue(MAX_PRIORITY, `Must be at most ${MAX_PRIORITY}.`),
);

export const PrioritySetting = v.union(
  [Priority, expression],
  `Must be a whole number from ${-MAX_PRIORITY} to ${MAX_PRIORITY}, or an expression.`,
);
