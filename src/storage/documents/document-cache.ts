/**
 * Documents in memory: those that so far exist only in the log, and a cache of others. Checkpoints store them in segments.
 */
import { LRUCache } from "lru-cache";
import type { Pause } from "../../encoding/long-text.ts";
import { damaged, isStepwellError, type StepwellError } from "../../errors.ts";
import type { Document, Stored } from "../../ports/store.ts";
import { listedRows, mergeRowChanges, NO_ROWS } from "../commits/document-rows.ts";
import type { DocumentVersion, DocumentWrite } from "../commits/prepare-changes.ts";
import type { ChecksumCodec } from "../driver/checksum.ts";
import type { CheckpointTurns } from "../log/checkpoint-pacing.ts";
import type { DocumentSegments } from "../segments/document-segments.ts";
import { type CheckpointMark, documentText, type Entry, formatEntry } from "../segments/entry.ts";
import type { FoundEntry } from "../segments/segment-reader.ts";
import { deepFreeze } from "./deep-freeze.ts";

const NOTHING_FOUND: ReadonlyMap<string, FoundEntry> = new Map();
const MISSING = { document: null, size: 0 };
/** What it replaces has some length. */
const DAMAGED = { document: null, size: 1 };
/** Number of documents that are prepared together. */
const DOCUMENTS_PER_BATCH = 100;

/** The documents that one checkpoint stores. */
export interface DocumentSave {
  /** Total length of the documents, in characters. */
  readonly size: number;
  /** Returns what to store, in ascending order of the keys. */
  entries(turns: CheckpointTurns): AsyncGenerator<readonly Entry[], void>;
  /** @param stored Whether all were stored, and are read from now on. If not, the next checkpoint stores them again. */
  end(stored: boolean): void;
}

export interface DocumentCache {
  /** Returns a document from memory, null if it doesn't exist. Undefined if it isn't in memory. */
  peek(key: string): Stored<Document> | null | undefined;
  /** Returns a document's version without parsing its JSON. */
  peekVersion(key: string): DocumentVersion | undefined;
  read(keys: readonly string[]): Promise<readonly (Stored<Document> | null)[]>;
  /**
   * Returns the JSON text of a document, or its start. Null if it doesn't exist.
   * @param pause Called between the parts of a long text.
   */
  readText(key: string, maxChars: number | undefined, pause: Pause): Promise<string | null>;
  /** Applies a write that is in the log. */
  apply(write: DocumentWrite): void;
  /** Starts saving everything applied so far. Later writes are not included. */
  startSave(mark: CheckpointMark): DocumentSave;
  /** Changes whenever a document may have been evicted from memory. */
  readonly generation: number;
}

interface PendingWrite extends DocumentWrite {
  /** Whether the document is new or was deleted since the last checkpoint. Its rows then replace the stored ones. */
  readonly replacesRows: boolean;
}

export function createDocumentCache(
  segments: DocumentSegments,
  codec: ChecksumCodec,
  cacheSize: number,
): DocumentCache {
  const cache = new LRUCache<string, Stored<Document>>({ maxSize: cacheSize });
  let pending = new Map<string, PendingWrite>();
  /** Writes of the checkpoint in progress. */
  let saving = new Map<string, PendingWrite>();
  let generation = 0;

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

  function cacheFound(key: string, found: FoundEntry | StepwellError | undefined): Stored<Document> | null {
    if (isStepwellError(found)) throw found;
    if (found === undefined || found.document === null) return null;
    const { version, document } = found.document;
    return cacheDocument(key, { version, document }, found.size);
  }

  async function read(keys: readonly string[]): Promise<readonly (Stored<Document> | null)[]> {
    for (;;) {
      const known = keys.map(peek);
      const seen = generation;
      const unknown = keys.filter((_, at) => known[at] === undefined);
      const found = unknown.length === 0 ? NOTHING_FOUND : await segments.find(unknown);
      // A checkpoint may have replaced segments meanwhile, and documents that were in memory are not there anymore.
      if (seen !== generation) continue;
      return keys.map((key, at) => {
        // Anything committed meanwhile is newer than the driver's answer.
        const newer = peek(key);
        if (newer !== undefined) return newer;
        const { [at]: before } = known;
        return before === undefined ? cacheFound(key, found.get(key)) : before;
      });
    }
  }

  async function readText(key: string, maxChars: number | undefined, pause: Pause): Promise<string | null> {
    for (;;) {
      const write = pending.get(key) ?? saving.get(key);
      if (write !== undefined) return write.version === null ? null : write.json.slice(0, maxChars);
      const seen = generation;
      const line = await segments.findLine(key);
      const isIntact = line instanceof Uint8Array && (await codec.verify(line, pause));
      // As in `read`: it may have been replaced, written or deleted meanwhile.
      if (seen !== generation || pending.has(key) || saving.has(key)) continue;
      if (line === undefined) return null;
      if (isStepwellError(line)) throw line;
      if (!isIntact) throw damaged(key, "The document");
      return documentText(key, line, maxChars, pause);
    }
  }

  /**
   * Returns the entry of a document with all its rows: the stored ones with the changes since. Null for a deletion if
   * nothing is stored.
   */
  function entryOf(
    { key, version, json, rows, replacesRows }: PendingWrite,
    found: FoundEntry | StepwellError | undefined,
    mark: CheckpointMark,
  ): Entry | null {
    // Reading a damaged document reports it. Here it is replaced, so the damage doesn't matter.
    const { document: before, size } = isStepwellError(found) ? DAMAGED : (found ?? MISSING);
    if (version === null) {
      return found === undefined ? null : { key, line: formatEntry(codec, key, null, mark), replaced: size };
    }
    const changes = mergeRowChanges(replacesRows ? NO_ROWS : (before?.rows ?? NO_ROWS), rows);
    const document = { version, json, rows: listedRows(changes) };
    return { key, line: formatEntry(codec, key, document, mark), replaced: size };
  }

  function add(write: DocumentWrite & Partial<PendingWrite>): void {
    const before = pending.get(write.key);
    const isNew = before === undefined ? write.isNew : before.isNew;
    // A document created and deleted between two checkpoints is never written to the driver.
    if (isNew && write.version === null) pending.delete(write.key);
    else pending.set(write.key, mergeWrites(before, write, isNew));
  }

  return {
    peek,

    peekVersion(key) {
      const write = pending.get(key) ?? saving.get(key);
      return write === undefined ? cache.get(key)?.version : write.version;
    },

    read,
    readText,

    apply(write) {
      cache.delete(write.key);
      add(write);
    },

    startSave(mark) {
      saving = pending;
      pending = new Map();
      return {
        size: [...saving.values()].reduce((sum, { json }) => sum + json.length, 0),
        async *entries(turns) {
          const writes = [...saving.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
          for (let at = 0; at < writes.length; at += DOCUMENTS_PER_BATCH) {
            const batch = writes.slice(at, at + DOCUMENTS_PER_BATCH);
            const found = await segments.find(batch.flatMap(({ key, isNew }) => (isNew ? [] : [key])));
            yield batch.map((write) => entryOf(write, found.get(write.key), mark)).filter(isEntry);
            await turns.work(batch.reduce((sum, { json }) => sum + json.length, 0));
          }
        },
        end(stored) {
          generation++;
          if (!stored) {
            const later = pending;
            pending = saving;
            for (const write of later.values()) add(write);
          }
          saving = new Map();
        },
      };
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

const isEntry = (entry: Entry | null): entry is Entry => entry !== null;
