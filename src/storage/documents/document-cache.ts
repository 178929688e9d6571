/**
 * Documents on the driver, each under its own key, and in memory. Memory holds documents that so far exist only in the
 * log, and a cache of others.
 */
import { LRUCache } from "lru-cache";
import { damaged } from "../../errors.ts";
import { isRecord } from "../../json.ts";
import type { Document, Stored } from "../../ports/store.ts";
import { type ListedRow, listedRows, mergeRowChanges, NO_ROWS } from "../commits/document-rows.ts";
import type { DocumentVersion, DocumentWrite } from "../commits/prepare-changes.ts";
import type { ChecksummedItems, StoredItem } from "../driver/checksummed-items.ts";
import { forEachParallel } from "../driver/parallel.ts";
import type { CheckpointPacer } from "../log/checkpoint-pacing.ts";
import { deepFreeze } from "./deep-freeze.ts";

/** Identifies the checkpoint that stored a document: the generation of its owner, and the number of the first log record after it. */
export interface CheckpointMark {
  readonly generation: number;
  readonly cut: number;
}

/** The documents that one checkpoint stores. */
export interface DocumentSave {
  readonly size: number;
  /** Stores the documents. */
  finish(turn: CheckpointPacer["waitForTurn"]): Promise<void>;
  /** @param stored Whether all were stored. If not, the next checkpoint stores them again. */
  end(stored: boolean): void;
}

export interface DocumentCache {
  /** Returns a document from memory, null if it doesn't exist. Undefined if it isn't in memory. */
  peek(key: string): Stored<Document> | null | undefined;
  /** Returns a document's version without parsing its JSON. */
  peekVersion(key: string): DocumentVersion | undefined;
  read(key: string): Promise<Stored<Document> | null>;
  readMany(keys: readonly string[]): Promise<readonly (Stored<Document> | null)[]>;
  /** Applies a write that is in the log. */
  apply(write: DocumentWrite): void;
  /** Starts saving everything applied so far. Later writes are not included. */
  startSave(mark: CheckpointMark): DocumentSave;
  /**
   * Treats documents as missing that an owner stored after it was replaced.
   * @param replaced For each replaced owner, the start of the log at that time. Its later checkpoints don't count.
   */
  ignoreFenced(replaced: ReadonlyMap<number, number>): void;
  /** Changes whenever a document may have been evicted from memory. */
  readonly generation: number;
}

interface PendingWrite extends DocumentWrite {
  /** Whether the document is new or was deleted since the last checkpoint. Its rows then replace the stored ones. */
  readonly replacesRows: boolean;
}

export function createDocumentCache(items: ChecksummedItems, cacheSize: number): DocumentCache {
  const cache = new LRUCache<string, Stored<Document>>({ maxSize: cacheSize });
  const reading = new Map<string, Promise<Stored<Document> | null>>();
  let pending = new Map<string, PendingWrite>();
  /** Writes of the checkpoint in progress. */
  let saving = new Map<string, PendingWrite>();
  let generation = 0;
  let replaced: ReadonlyMap<number, number> = new Map();

  function cacheDocument(key: string, stored: Stored<Document>, size: number): Stored<Document> {
    cache.set(key, deepFreeze(stored), { size: size + 1 });
    return stored;
  }

  function peek(key: string): Stored<Document> | null | undefined {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const write = pending.get(key) ?? saving.get(key);
    if (write === undefined) return undefined;
    if (write.version === null) return null;
    return cacheDocument(key, { version: write.version, document: JSON.parse(write.json) }, write.json.length);
  }

  function parseStored(key: string, found: StoredItem): Stored<Document> | null {
    if (found === "missing") return null;
    if (found === "damaged" || !isStoredDocument(found.value)) throw damaged(key, "The document");
    const { version, document } = found.value;
    return isFenced(found.value, replaced) ? null : cacheDocument(key, { version, document }, found.size);
  }

  /**
   * Returns all rows of a document: the stored ones with the changes since. If a process died in a checkpoint, the document
   * may already have the rows of log records that are applied again here, which changes nothing. A fenced document counts,
   * too: it has replaced the only other copy of the rows that these records don't name.
   */
  async function rowsOf({ key, rows, replacesRows }: PendingWrite): Promise<readonly ListedRow[]> {
    const found = replacesRows ? "missing" : await items.find(key);
    // Reading a damaged item reports it. The item is replaced here, so the damage doesn't matter.
    const isStored = typeof found === "object" && isStoredDocument(found.value);
    return listedRows(mergeRowChanges(isStored ? (found.value.rows ?? NO_ROWS) : NO_ROWS, rows));
  }

  async function read(key: string): Promise<Stored<Document> | null> {
    for (;;) {
      const seen = generation;
      const found = await items.find(key);
      // Anything committed meanwhile is newer than the driver's answer.
      const newer = peek(key);
      if (newer !== undefined) return newer;
      if (seen === generation) return parseStored(key, found);
    }
  }

  function readOnce(key: string): Promise<Stored<Document> | null> {
    let pendingRead = reading.get(key);
    if (pendingRead === undefined) {
      pendingRead = read(key).finally(() => reading.delete(key));
      reading.set(key, pendingRead);
    }
    return pendingRead;
  }

  return {
    peek,

    peekVersion(key) {
      const write = pending.get(key) ?? saving.get(key);
      return write === undefined ? cache.get(key)?.version : write.version;
    },

    read: readOnce,

    async readMany(keys) {
      const missing = keys.filter((key) => peek(key) === undefined);
      const seen = generation;
      const found = await items.findMany(missing);
      const read = new Map<string, Stored<Document> | null>();
      for (const [index, key] of missing.entries()) {
        const text = found[index];
        if (seen === generation && text !== undefined && peek(key) === undefined) read.set(key, parseStored(key, text));
      }
      return Promise.all(keys.map((key) => peek(key) ?? read.get(key) ?? (read.has(key) ? null : readOnce(key))));
    },

    apply(write) {
      cache.delete(write.key);
      const before = pending.get(write.key);
      const isNew = before === undefined ? write.isNew : before.isNew;
      // A document created and deleted between two checkpoints is never written to the driver.
      if (isNew && write.version === null) pending.delete(write.key);
      else pending.set(write.key, mergeWrites(before, write, isNew));
    },

    startSave(mark) {
      const end = `,"checkpoint":[${mark.generation},${mark.cut}]}`;
      saving = pending;
      pending = new Map();
      return {
        size: saving.size,
        finish: (turn) =>
          forEachParallel(saving.values(), async (write) => {
            const { key, version, json } = write;
            await turn();
            if (version === null) return items.remove(key);
            const listed = await rowsOf(write);
            const rows = listed.length === 0 ? "" : `,"rows":${JSON.stringify(listed)}`;
            // Not exclusive: an owner that is replaced during an exclusive write could leave half an item behind.
            await items.write(key, `{"version":${version},"document":${json}${rows}${end}`);
          }),
        end(stored) {
          generation++;
          if (!stored) {
            // Some may have been stored, so none counts as new anymore.
            for (const [key, write] of saving) {
              const later = pending.get(key);
              pending.set(key, later === undefined ? { ...write, isNew: false } : mergeWrites(write, later, false));
            }
          }
          saving = new Map();
        },
      };
    },

    ignoreFenced(owners) {
      replaced = owners;
    },

    get generation() {
      return generation;
    },
  };
}

/** Combines two consecutive writes of the same document. */
function mergeWrites(
  before: PendingWrite | undefined,
  write: DocumentWrite & Partial<PendingWrite>,
  isNew: boolean,
): PendingWrite {
  const { key, version, json } = write;
  if (version === null) return { key, version, json, rows: NO_ROWS, isNew, replacesRows: true };
  const replacesRows = write.replacesRows ?? write.isNew;
  if (before === undefined || replacesRows) return { key, version, json, rows: write.rows, isNew, replacesRows };
  const rows = mergeRowChanges(before.rows, write.rows);
  return { key, version, json, rows, isNew, replacesRows: before.replacesRows };
}

/** A document as stored on the driver. */
export interface StoredDocument extends Stored<Document> {
  /** The document's rows in lists. Omitted if there are none. */
  readonly rows?: readonly ListedRow[];
  readonly checkpoint: readonly [generation: number, cut: number];
}

/**
 * Whether an owner stored the document after it was replaced. Its successor took the document from the log, stored it
 * again, and has deleted it since.
 */
export function isFenced({ checkpoint }: StoredDocument, replaced: ReadonlyMap<number, number>): boolean {
  const [storedBy, cut] = checkpoint;
  return cut > (replaced.get(storedBy) ?? Number.POSITIVE_INFINITY);
}

export function isStoredDocument(value: unknown): value is StoredDocument {
  return (
    isRecord(value) &&
    typeof value["version"] === "number" &&
    isRecord(value["document"]) &&
    Array.isArray(value["checkpoint"])
  );
}
