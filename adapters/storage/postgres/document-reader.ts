/** Reads documents. Reads that arrive while all readers are busy share the next statement. */
import type { Document, Stored } from "../../../src/ports/store.ts";
import { deepFreeze } from "../../../src/storage/documents/deep-freeze.ts";
import { isKey } from "../../../src/storage/keys.ts";
import type { Read } from "./list-reader.ts";

export interface DocumentReader {
  read(keys: readonly string[]): Promise<readonly (Stored<Document> | null)[]>;
  /** Returns the JSON text of a document, or its start. Null if there is none. */
  readText(key: string, maxChars: number | undefined): Promise<string | null>;
}

/** Keys of one statement, unless a single read has more. */
const MAX_KEYS = 1_000;

interface PendingRead {
  readonly keys: readonly string[];
  resolve(found: ReadonlyMap<string, Stored<Document>>): void;
  reject(error: unknown): void;
}

/** @param readers How many statements are executed at once. */
export function createDocumentReader(read: Read, readers: number): DocumentReader {
  let pending: PendingRead[] = [];
  let busy = 0;

  async function readPending(): Promise<void> {
    busy++;
    // Includes all reads of this turn.
    await undefined;
    while (pending.length > 0) {
      const batch = takeBatch();
      try {
        const found = await readBatch([...new Set(batch.flatMap(({ keys }) => keys))]);
        for (const one of batch) one.resolve(found);
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
    }
    busy--;
  }

  function takeBatch(): readonly PendingRead[] {
    let size = 0;
    const end = pending.findIndex(({ keys }, index) => {
      size += keys.length;
      return index > 0 && size > MAX_KEYS;
    });
    const batch = end === -1 ? pending : pending.slice(0, end);
    pending = end === -1 ? [] : pending.slice(end);
    return batch;
  }

  async function readBatch(keys: readonly string[]): Promise<ReadonlyMap<string, Stored<Document>>> {
    const rows = await read({
      text: "SELECT key, version, json FROM {document} WHERE key = ANY ($1::text[])",
      values: [keys],
    });
    return new Map(
      rows.map((row) => [
        String(row["key"]),
        { version: Number(row["version"]), document: deepFreeze(JSON.parse(String(row["json"]))) },
      ]),
    );
  }

  return {
    async read(keys) {
      // Other keys were never stored, even if they came from a URL.
      const valid = keys.filter(isKey);
      if (valid.length === 0) return keys.map(() => null);
      const found = await new Promise<ReadonlyMap<string, Stored<Document>>>((resolve, reject) => {
        pending.push({ keys: valid, resolve, reject });
        if (busy < readers) void readPending();
      });
      return keys.map((key) => found.get(key) ?? null);
    },

    async readText(key, maxChars) {
      if (!isKey(key)) return null;
      // PostgreSQL counts pairs of characters as one.
      const [row] = await read(
        maxChars === undefined
          ? { text: "SELECT json FROM {document} WHERE key = $1", values: [key] }
          : { text: "SELECT left(json, $2) AS json FROM {document} WHERE key = $1", values: [key, maxChars] },
      );
      return row === undefined ? null : String(row["json"]).slice(0, maxChars);
    },
  };
}
