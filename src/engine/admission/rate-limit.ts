/**
 * Limits how many runs begin within a period. Each run gets its turn at once, so there is one small document for each key,
 * however many runs wait. It counts the turns in the buckets of the last period. If a run begins later than its turn, because
 * no process ran, all later turns move by the same time.
 */
import { type Expiring, expiringRow } from "../../documents/expiring-documents.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import { rateLimitedRuns } from "../../runs/run-rows.ts";
import { instant } from "../../time/iso.ts";
import type { RunAdmission } from "../state/stored-admission.ts";

/** Number of turns in a bucket of time, by its number since 1970. */
export type Bucket = readonly [number: number, turns: number];

export interface Turns {
  /** In ascending order, with turns in each. */
  readonly buckets: readonly Bucket[];
  /** How much later than their turns runs begin, in milliseconds: the longest delay that any had. */
  readonly delay: number;
}

interface RateLimitDocument extends Expiring, Turns {}

/** When a run begins. */
export interface Turn {
  /** Identifies the turn. Milliseconds since 1970, without the delay. */
  readonly turn: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The turns afterwards. */
  readonly turns: Turns;
}

type RateLimit = NonNullable<RunAdmission["rate_limit"]>;

/** Buckets in which at most `limit` turns may be. They are longer than a period, wherever in its bucket a turn is. */
const BUCKETS = 64;
/** One for the place of a turn in its bucket, and one for timers that are a little late. */
const BUCKETS_PER_PERIOD = BUCKETS - 2;

export const NO_TURNS: Turns = { buckets: [], delay: 0 };

const widthOf = ({ period_ms }: Pick<RateLimit, "period_ms">): number => period_ms / BUCKETS_PER_PERIOD;

/** Decides when a run begins. @param now Milliseconds since 1970. */
export async function takeTurn(
  store: Store,
  rateLimit: RateLimit,
  appId: string,
  now: number,
): Promise<Pick<Turn, "turn" | "at"> & { readonly change: Change }> {
  const documentKey: Key = `rate-limit:${rateLimit.key}`;
  const found = await store.get<RateLimitDocument>(documentKey);
  const before = found?.document ?? NO_TURNS;
  const { turn, at, turns } =
    rateLimit.turn === undefined
      ? nextTurn(before, rateLimit, now, await hasWaitingRuns(store, rateLimit))
      : dueTurn(before, rateLimit, rateLimit.turn, now);
  const document: RateLimitDocument = { ...turns, expires_at: instant(Math.ceil(lastOf(turns, rateLimit))) };
  const rows = [expiringRow(documentKey, document, appId)];
  return { turn, at, change: { key: documentKey, document, expected: found?.version ?? null, rows } };
}

/**
 * Whether a run waits for its turn. Its row is committed with it, so a run that was canceled does not count, whenever the
 * process ended.
 */
async function hasWaitingRuns(store: Store, { key }: RateLimit): Promise<boolean> {
  return (await store.list(rateLimitedRuns(key), { limit: 1, withoutTotal: true })).ids.length > 0;
}

/**
 * Returns the first turn that exceeds no limit, not before those that were given earlier. Pure.
 * @param hasWaiting Whether a run waits for its turn. It goes first: it may be overdue after an interruption.
 */
export function nextTurn(
  { buckets: before, delay }: Turns,
  rateLimit: Pick<RateLimit, "limit" | "period_ms">,
  now: number,
  hasWaiting: boolean,
): Turn {
  const width = widthOf(rateLimit);
  let bucket = Math.max(Math.floor((now - delay) / width), before.at(-1)?.[0] ?? 0);
  let recent = within(before, bucket);
  while (recent.reduce((sum, [, turns]) => sum + turns, 0) >= rateLimit.limit) {
    bucket = (recent[0]?.[0] ?? bucket) + BUCKETS;
    recent = within(before, bucket);
  }
  const [last, turns] = recent.at(-1) ?? [undefined, 0];
  const buckets: Bucket[] = last === bucket ? [...recent.slice(0, -1), [bucket, turns + 1]] : [...recent, [bucket, 1]];
  const turn = Math.max(now - delay, Math.ceil(bucket * width));
  const begins = !hasWaiting && turn + delay <= now;
  const at = begins ? now : Math.max(turn + delay, now + 1);
  return { turn, at, turns: { buckets, delay } };
}

/** Returns when a run with this turn begins: now, or later if others have been delayed. Pure. */
export function dueTurn(before: Turns, rateLimit: Pick<RateLimit, "period_ms">, turn: number, now: number): Turn {
  const isLate = now - turn > before.delay + widthOf(rateLimit);
  const delay = isLate ? now - turn : before.delay;
  return { turn, at: Math.max(now, turn + delay), turns: { ...before, delay } };
}

/** When the turns no longer matter to any other one. */
function lastOf({ buckets, delay }: Turns, rateLimit: RateLimit): number {
  return ((buckets.at(-1)?.[0] ?? 0) + 2 * BUCKETS) * widthOf(rateLimit) + delay;
}

/** The buckets that count for a turn in this one. */
const within = (buckets: readonly Bucket[], bucket: number) => buckets.filter(([number]) => number > bucket - BUCKETS);
