/**
 * Limits how many runs begin within a period. Each run gets its turn at once, as a time, so there is one small document for
 * each key, however many runs wait. It counts the turns in the buckets of the last period.
 */
import { type Expiring, expiringRow } from "../../documents/expiring-documents.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import { instant } from "../../time/iso.ts";
import type { RunAdmission } from "./stored-admission.ts";

/** Number of turns in a bucket of time, by its number since 1970. */
export type Bucket = readonly [number: number, turns: number];

interface RateLimitDocument extends Expiring {
  /** In ascending order, with turns in each. */
  readonly buckets: readonly Bucket[];
}

/** When a run begins, and the change that takes its turn. */
export interface Turn {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly change: Change;
}

type RateLimit = NonNullable<RunAdmission["rate_limit"]>;

/** Buckets in which at most `limit` turns may be. They are longer than a period, wherever in its bucket a turn is. */
const BUCKETS = 64;
const BUCKETS_PER_PERIOD = BUCKETS - 1;

/** @param now Milliseconds since 1970. */
export async function takeTurn(store: Store, rateLimit: RateLimit, appId: string, now: number): Promise<Turn> {
  const documentKey: Key = `rate-limit:${rateLimit.key}`;
  const found = await store.get<RateLimitDocument>(documentKey);
  const { at, buckets } = nextTurn(found?.document.buckets ?? [], rateLimit, now);
  const document: RateLimitDocument = { buckets, expires_at: instant(Math.ceil(at + 2 * rateLimit.period_ms)) };
  const rows = [expiringRow(documentKey, document, appId)];
  return { at, change: { key: documentKey, document, expected: found?.version ?? null, rows } };
}

/** Returns the first turn that exceeds no limit, not before those that were given earlier. Pure. */
export function nextTurn(
  before: readonly Bucket[],
  { limit, period_ms }: Pick<RateLimit, "limit" | "period_ms">,
  now: number,
): { readonly at: number; readonly buckets: readonly Bucket[] } {
  const width = period_ms / BUCKETS_PER_PERIOD;
  let bucket = Math.max(Math.floor(now / width), before.at(-1)?.[0] ?? 0);
  let recent = within(before, bucket);
  while (recent.reduce((sum, [, turns]) => sum + turns, 0) >= limit) {
    bucket = (recent[0]?.[0] ?? bucket) + BUCKETS;
    recent = within(before, bucket);
  }
  const [last, turns] = recent.at(-1) ?? [undefined, 0];
  const buckets: Bucket[] = last === bucket ? [...recent.slice(0, -1), [bucket, turns + 1]] : [...recent, [bucket, 1]];
  return { at: Math.max(now, Math.ceil(bucket * width)), buckets };
}

/** The buckets that count for a turn in this one. */
const within = (buckets: readonly Bucket[], bucket: number) => buckets.filter(([number]) => number > bucket - BUCKETS);

/** Whether a run is so late, because no process ran, that others may have begun in its period. It takes another turn. */
export const isLate = ({ period_ms }: RateLimit, turn: number, now: number): boolean => now - turn > period_ms;
