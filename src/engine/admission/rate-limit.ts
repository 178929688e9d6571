/**
 * Limits how many runs begin within a period. Each run gets its start at once, so there is one small document for each key,
 * however many runs wait. It counts the starts in the buckets of the last period. If a run begins later than planned, because
 * no process ran, all later starts move by the same time.
 */
import { type Expiring, expiringRow } from "../../documents/expiring-documents.ts";
import { omitUndefined } from "../../json.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import { rateLimitedRuns } from "../../runs/run-rows.ts";
import { instant } from "../../time/iso.ts";
import type { RateLimit, RunAdmission } from "../state/stored-admission.ts";

/** Number of starts in a bucket of time, by its number since 1970. */
export type Bucket = readonly [number: number, starts: number];

export interface Starts {
  /** In ascending order, with starts in each. */
  readonly buckets: readonly Bucket[];
  /** How much later than planned runs begin, in milliseconds: the longest delay that any had. */
  readonly delay: number;
  /** Of the runs that have begun: the one that was planned last, and when the last one began. Absent before the first. */
  readonly latest?: { readonly planned: number; readonly at: number };
}

interface RateLimitDocument extends Expiring, Starts {}

/** When a run begins. */
export interface Start {
  /** Identifies the start. Milliseconds since 1970, without the delay. */
  readonly planned: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The starts afterwards. */
  readonly starts: Starts;
}

type OpenRateLimit = NonNullable<RunAdmission["rate_limit"]>;

/** Buckets in which at most `limit` starts may be. They are longer than a period, wherever in its bucket a start is. */
const BUCKETS = 64;
/** One for the place of a start in its bucket, and one for timers that are a little late. */
const BUCKETS_PER_PERIOD = BUCKETS - 2;

export const NO_STARTS: Starts = { buckets: [], delay: 0 };

const widthOf = ({ period_ms }: Pick<RateLimit, "period_ms">): number => period_ms / BUCKETS_PER_PERIOD;

export const rateLimitKey = ({ key }: Pick<RateLimit, "key">): Key => `rate-limit:${key}`;

/** Decides when a run begins. @param now Milliseconds since 1970. */
export async function takeStart(
  store: Store,
  rateLimit: OpenRateLimit,
  appId: string,
  now: number,
): Promise<Pick<Start, "planned" | "at"> & { readonly change: Change }> {
  const documentKey = rateLimitKey(rateLimit);
  const found = await store.get<RateLimitDocument>(documentKey);
  const before = found?.document ?? NO_STARTS;
  const { planned, at, starts } =
    rateLimit.planned === undefined
      ? nextStart(before, rateLimit, now, await hasWaitingRuns(store, rateLimit))
      : plannedStart(before, rateLimit, rateLimit.planned, now);
  const document: RateLimitDocument = { ...starts, expires_at: instant(Math.ceil(endOf(starts, rateLimit))) };
  const rows = [expiringRow(documentKey, document, appId)];
  return { planned, at, change: { key: documentKey, document, expected: found?.version ?? null, rows } };
}

/**
 * Whether a run waits for its start. Its row is committed with it, so a run that was canceled does not count, whenever the
 * process ended.
 */
async function hasWaitingRuns(store: Store, { key }: RateLimit): Promise<boolean> {
  return (await store.list(rateLimitedRuns(key), { limit: 1, withoutTotal: true })).ids.length > 0;
}

/**
 * Returns the first start that exceeds no limit, not before those that were given earlier. Pure.
 * @param hasWaiting Whether a run waits for its start. It goes first: it may be overdue after an interruption.
 */
export function nextStart(
  { buckets: before, delay, latest }: Starts,
  rateLimit: Pick<RateLimit, "limit" | "period_ms">,
  now: number,
  hasWaiting: boolean,
): Start {
  const width = widthOf(rateLimit);
  const current = Math.floor((now - delay) / width);
  let bucket = Math.max(current, before.at(-1)?.[0] ?? 0);
  let recent = within(before, bucket);
  while (recent.reduce((sum, [, starts]) => sum + starts, 0) >= rateLimit.limit) {
    bucket = (recent[0]?.[0] ?? bucket) + BUCKETS;
    recent = within(before, bucket);
  }
  const [last, starts] = recent.at(-1) ?? [undefined, 0];
  const buckets: Bucket[] = last === bucket ? [...recent.slice(0, -1), [bucket, starts + 1]] : [...recent, [bucket, 1]];
  // Multiplied, a bucket may begin after the time that was divided.
  const planned = bucket === current ? now - delay : Math.max(now - delay, Math.ceil(bucket * width));
  const begins = !hasWaiting && planned + delay <= now;
  const at = begins ? now : Math.max(planned + delay, now + 1);
  return { planned, at, starts: { buckets, delay, ...omitUndefined({ latest: begins ? { planned, at } : latest }) } };
}

/** Returns when a run begins that was planned for this time: now, or later if others have been delayed. Pure. */
export function plannedStart(
  before: Starts,
  rateLimit: Pick<RateLimit, "period_ms">,
  planned: number,
  now: number,
): Start {
  const { latest } = before;
  if (latest !== undefined && planned < latest.planned) return overtakenStart(before, latest, rateLimit, planned, now);
  const isLate = now - planned > before.delay + widthOf(rateLimit);
  const delay = isLate ? now - planned : before.delay;
  const at = Math.max(now, planned + delay);
  return {
    planned,
    at,
    starts: { ...before, delay, ...omitUndefined({ latest: at > now ? latest : { planned, at } }) },
  };
}

/**
 * Returns when a run begins that was overtaken by a run planned later, because it could not be read in time: a period
 * after the last beginning. All later starts move by the same time, as if the last run had begun twice.
 */
function overtakenStart(
  before: Starts,
  latest: NonNullable<Starts["latest"]>,
  { period_ms }: Pick<RateLimit, "period_ms">,
  planned: number,
  now: number,
): Start {
  const at = Math.max(now, latest.at + period_ms);
  if (at > now) return { planned, at, starts: before };
  const delay = before.delay + now - latest.at;
  return { planned, at, starts: { ...before, delay, latest: { planned: latest.planned, at } } };
}

/** When the starts no longer matter to any other one. */
export function endOf({ buckets, delay }: Starts, rateLimit: RateLimit): number {
  return ((buckets.at(-1)?.[0] ?? 0) + 2 * BUCKETS) * widthOf(rateLimit) + delay;
}

/** The buckets that count for a start in this one. */
const within = (buckets: readonly Bucket[], bucket: number) => buckets.filter(([number]) => number > bucket - BUCKETS);
