/**
 * Notes when keys were last used, at most once an hour for each, and a moment after the request, which waits for nothing. What was
 * not stored when the process ends is lost.
 */
import type { Clock } from "../ports/clock.ts";
import type { Key as DocumentKey, Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { HOUR_MS, SECOND_MS } from "../time/units.ts";

/** What is read and written here of the document of a key. */
interface UsedKey {
  /** ISO 8601. Absent if the key was never used. */
  readonly last_used_at?: string;
}

export interface KeyUses {
  /** @param key Of a document that was just read. */
  note(key: DocumentKey, document: UsedKey): void;
}

/** How long uses wait, so that those of many keys are stored together. */
const STORED_AFTER_MS = 10 * SECOND_MS;
const PRECISION_MS = HOUR_MS;

export function createKeyUses({ store, clock }: { store: Store; clock: Clock }): KeyUses {
  /** When keys were used whose use is not stored. */
  const waiting = new Map<DocumentKey, string>();

  async function storeUse(key: DocumentKey, last_used_at: string): Promise<void> {
    const found = await store.get<UsedKey>(key);
    if (found === null) return;
    await store.commit([{ key, document: { ...found.document, last_used_at }, expected: found.version }]);
  }

  function storeAll(): void {
    const uses = [...waiting];
    waiting.clear();
    // The key was revoked meanwhile, another process has noted its use, or the storage fails: the next use is noted.
    for (const [key, at] of uses) void storeUse(key, at).catch(() => undefined);
  }

  return {
    note(key, { last_used_at }) {
      const now = clock.now();
      if (waiting.has(key)) return;
      if (last_used_at !== undefined && now - Date.parse(last_used_at) < PRECISION_MS) return;
      if (waiting.size === 0) clock.after(STORED_AFTER_MS, storeAll);
      waiting.set(key, instant(now));
    },
  };
}
