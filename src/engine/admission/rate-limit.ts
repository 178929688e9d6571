/**
 * Limits how many runs begin within a period, by the generic cell rate algorithm: each run moves a stored time forward, and
 * waits until that time is at most a period ahead. So there is one small document for each key, however many runs wait.
 */
import { type Expiring, expiringRow } from "../../documents/expiring-documents.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import { instant } from "../../time/iso.ts";
import type { RunDocument } from "../state/run-document.ts";

interface RateLimitDocument extends Expiring {
  /** When the next run would begin if they were spread evenly, in milliseconds since 1970. */
  readonly next: number;
}

/** When a run begins, and the change that takes its turn. */
export interface Turn {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly change: Change;
}

/** @param now Milliseconds since 1970. */
export async function takeTurn(
  store: Store,
  { key, limit, period_ms }: NonNullable<NonNullable<RunDocument["admission"]>["rate_limit"]>,
  appId: string,
  now: number,
): Promise<Turn> {
  const documentKey: Key = `rate-limit:${key}`;
  const found = await store.get<RateLimitDocument>(documentKey);
  const interval = period_ms / limit;
  const next = Math.max(found?.document.next ?? now, now) + interval;
  const document: RateLimitDocument = { next, expires_at: instant(Math.ceil(next + period_ms)) };
  const rows = [expiringRow(documentKey, document, appId)];
  const at = Math.max(now, Math.ceil(next - period_ms));
  return { at, change: { key: documentKey, document, expected: found?.version ?? null, rows } };
}
