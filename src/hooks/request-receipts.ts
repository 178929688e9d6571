/** Remembers which requests started runs, so that a repeat of one starts no second run. */
import { type Expiring, expiringRow } from "../documents/expiring-documents.ts";
import type { Receipt } from "../documents/receipt.ts";
import { isStepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Key, Store } from "../ports/store.ts";
import type { Run } from "../runs/run.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS } from "../time/units.ts";

export interface RequestReceipts {
  /** @param id What a request to the hook shares with its repeats only. */
  keyOf(hookId: string, id: string): Key;
  /** The id of the run that the request started; null if there is none. */
  find(key: Key): Promise<string | null>;
  /** A receipt to store with the run, so that only one of several copies of a request starts a run. */
  receiptFor(key: Key): Receipt;
  /** The id of the run that a copy of the request has started meanwhile, if this is why the creation failed; else null. */
  findConcurrent(key: Key, error: unknown): Promise<string | null>;
}

/** A request that started a run. */
interface HookReceipt extends Expiring {
  readonly run_id: string;
}

/** How long repeated requests are recognized. */
const REQUEST_MEMORY_MS = DAY_MS;

export function createRequestReceipts({
  store,
  clock,
  hash,
}: {
  store: Store;
  clock: Clock;
  hash: Hash;
}): RequestReceipts {
  const find = async (key: Key) => (await store.get<HookReceipt>(key))?.document.run_id ?? null;

  return {
    keyOf: (hookId, id) => `hook-request:${hash.sha256(JSON.stringify([hookId, id])).slice(0, 40)}`,
    find,
    receiptFor: (key) => (run) => {
      const expires_at = instant(clock.now() + REQUEST_MEMORY_MS);
      const document: HookReceipt = { run_id: (run as Run).id, expires_at }; // a receipt gets what the call created: here a run
      return [{ key, document, expected: null, rows: [expiringRow(key, document)] }];
    },
    findConcurrent: async (key, error) => (isStepwellError(error, "conflict") && error.key === key ? find(key) : null),
  };
}
