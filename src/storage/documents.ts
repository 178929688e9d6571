/**
 * Documents on the driver, each under its own key, and in memory: those that so far stand only in the log, and as many
 * of the others as fit.
 */
import { LRUCache } from "lru-cache";
import { isRecord } from "../json.ts";
import type { Document, Stored } from "../ports/store.ts";
import type { Pace } from "./pace.ts";
import { parallel } from "./parallel.ts";
import { damaged, type Found, type Texts } from "./texts.ts";

/** What a commit does to a document. */
export interface Write {
  readonly key: string;
  /** The version after it, or null when it is removed. */
  readonly version: number | null;
  readonly json: string;
  /** Nothing was there before: only known of a write of this process. */
  readonly fresh: boolean;
}

/** A version, or null where there is nothing. */
export type Version = number | null;

export interface Documents {
  /** A document as far as it is in memory; undefined when only the driver knows. */
  known(key: string): Stored<Document> | null | undefined;
  /** Its version, without making an object of it. */
  knownVersion(key: string): Version | undefined;
  read(key: string): Promise<Stored<Document> | null>;
  readMany(keys: readonly string[]): Promise<readonly (Stored<Document> | null)[]>;
  /** Takes a write that is in the log. */
  apply(write: Write): void;
  /** From here on, `finish` stores everything that was applied so far, and nothing that comes later. */
  startSave(): { readonly size: number; finish(turn: Pace["turn"]): Promise<void>; end(stored: boolean): void };
  /** Changes whenever a document may have left memory for the driver. */
  readonly generation: number;
}

type Pending = Write;

export function createDocuments(texts: Texts, cacheSize: number): Documents {
  const cache = new LRUCache<string, Stored<Document>>({ maxSize: cacheSize });
  const reading = new Map<string, Promise<Stored<Document> | null>>();
  let pending = new Map<string, Pending>();
  /** What the checkpoint under way is writing. */
  let saving = new Map<string, Pending>();
  let generation = 0;

  function remember(key: string, stored: Stored<Document>, size: number): Stored<Document> {
    cache.set(key, freeze(stored), { size: size + 1 });
    return stored;
  }

  function known(key: string): Stored<Document> | null | undefined {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const write = pending.get(key) ?? saving.get(key);
    if (write === undefined) return undefined;
    if (write.version === null) return null;
    return remember(key, { version: write.version, document: JSON.parse(write.json) }, write.json.length);
  }

  function understand(key: string, found: Found): Stored<Document> | null {
    if (found === "missing") return null;
    if (found === "damaged" || !isStored(found.value)) throw damaged(key, "The document");
    return remember(key, found.value, found.size);
  }

  async function read(key: string): Promise<Stored<Document> | null> {
    for (;;) {
      const seen = generation;
      const found = await texts.find(key);
      // Whatever was committed meanwhile is newer than what the driver gave.
      const newer = known(key);
      if (newer !== undefined) return newer;
      if (seen === generation) return understand(key, found);
    }
  }

  function readOnce(key: string): Promise<Stored<Document> | null> {
    let under = reading.get(key);
    if (under === undefined) {
      under = read(key).finally(() => reading.delete(key));
      reading.set(key, under);
    }
    return under;
  }

  return {
    known,

    knownVersion(key) {
      const write = pending.get(key) ?? saving.get(key);
      return write === undefined ? cache.get(key)?.version : write.version;
    },

    read: readOnce,

    async readMany(keys) {
      const missing = keys.filter((key) => known(key) === undefined);
      const seen = generation;
      const found = await texts.findMany(missing);
      const read = new Map<string, Stored<Document> | null>();
      for (const [index, key] of missing.entries()) {
        const text = found[index];
        if (seen === generation && text !== undefined && known(key) === undefined) read.set(key, understand(key, text));
      }
      return Promise.all(keys.map((key) => known(key) ?? read.get(key) ?? (read.has(key) ? null : readOnce(key))));
    },

    apply(write) {
      cache.delete(write.key);
      const before = pending.get(write.key);
      const fresh = before === undefined ? write.fresh : before.fresh;
      // What came and went between two checkpoints never touches its own key.
      if (fresh && write.version === null) pending.delete(write.key);
      else pending.set(write.key, fresh === write.fresh ? write : { ...write, fresh });
    },

    startSave() {
      saving = pending;
      pending = new Map();
      return {
        size: saving.size,
        finish: (turn) =>
          parallel(saving.values(), async ({ key, version, json, fresh }) => {
            await turn();
            if (version === null) await texts.remove(key);
            // Torn by a crash, it is written anew from the log; so what is new needs none of the care of a replacement.
            else await texts.write(key, `{"version":${version},"document":${json}}`, { exclusive: fresh });
          }),
        end(stored) {
          generation++;
          if (!stored) {
            // Some may have been stored: none is fresh any more.
            for (const [key, write] of saving) pending.set(key, { ...(pending.get(key) ?? write), fresh: false });
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

function isStored(value: unknown): value is Stored<Document> {
  return isRecord(value) && typeof value["version"] === "number" && isRecord(value["document"]);
}

function freeze<T extends object>(value: T): T {
  for (const item of Object.values(value)) {
    if (typeof item === "object" && item !== null) freeze(item);
  }
  return Object.freeze(value);
}
