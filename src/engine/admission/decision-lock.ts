/**
 * Makes processes that share a store decide about a key one after another: every decision commits the next version of a
 * document of the key. Of two that were made at the same time, one conflicts and is made again.
 */
import { type Expiring, expiringRow } from "../../documents/expiring-documents.ts";
import { retryOnConflict } from "../../documents/retry-on-conflict.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import { instant } from "../../time/iso.ts";
import { HOUR_MS } from "../../time/units.ts";

export interface DecisionLock {
  /** Calls `act` again for as long as others decide about the key meanwhile. */
  run<T>(key: string, act: () => Promise<T>): Promise<T>;
  /** Call this before the decision. Returns what to commit with it. */
  take(key: string, appId: string): Promise<readonly Change[]>;
}

/** A process that has the store for itself, and decides about a key once at a time. */
const UNLOCKED: DecisionLock = { run: (_, act) => act(), take: async () => [] };

const lockKey = (key: string): Key => `decision-lock:${key}`;

export function createDecisionLock(parts: { store: Store; clock: Clock; isShared: boolean }): DecisionLock {
  const { store, clock, isShared } = parts;
  if (!isShared) return UNLOCKED;
  return {
    run: (key, act) => retryOnConflict((changed) => changed === lockKey(key), act),
    async take(key, appId) {
      const documentKey = lockKey(key);
      const found = await store.get(documentKey);
      const document: Expiring = { expires_at: instant(clock.now() + HOUR_MS) };
      const rows = [expiringRow(documentKey, document, appId)];
      return [{ key: documentKey, document, expected: found?.version ?? null, rows }];
    },
  };
}
