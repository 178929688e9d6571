/** Reads documents. Those that are asked for in the same turn are read by one script. */
import type { Document, Stored } from "../../../src/ports/store.ts";
import { deepFreeze } from "../../../src/storage/documents/deep-freeze.ts";
import { DOCUMENT_START, DOCUMENTS } from "./lists/list-scripts.ts";
import type { Read } from "./lists/read.ts";
import { itemsOf } from "./script.ts";

/** Documents that one script reads or looks for. */
export const DOCUMENTS_AT_ONCE = 200;

type Found = ReadonlyMap<string, Stored<Document> | null>;

interface Batch {
  readonly keys: Set<string>;
  readonly found: Promise<Found>;
}

/** Returns documents by their keys, which must be valid. */
export function createDocumentReader(read: Read): (keys: readonly string[]) => Promise<Found> {
  let batch: Batch | null = null;

  /** Sent after everything that is ready now, so that others can join. */
  function startBatch(): Batch {
    const keys = new Set<string>();
    const found = new Promise<void>((resolve) => process.nextTick(resolve)).then(() => {
      if (batch?.keys === keys) batch = null;
      return readNow([...keys]);
    });
    return { keys, found };
  }

  async function readNow(keys: readonly string[]): Promise<Found> {
    const [texts] = await read("reading documents", DOCUMENTS, keys);
    return new Map(itemsOf(texts).map((text, index) => [keys[index] ?? "", storedOf(text)]));
  }

  async function readChunk(keys: readonly string[]): Promise<Found> {
    if (batch !== null && batch.keys.size + keys.length > DOCUMENTS_AT_ONCE) batch = null;
    batch ??= startBatch();
    for (const key of keys) batch.keys.add(key);
    return batch.found;
  }

  return async (keys) => {
    if (keys.length <= DOCUMENTS_AT_ONCE) return keys.length === 0 ? new Map() : readChunk(keys);
    const all = new Map<string, Stored<Document> | null>();
    for (let at = 0; at < keys.length; at += DOCUMENTS_AT_ONCE) {
      for (const [key, stored] of await readChunk(keys.slice(at, at + DOCUMENTS_AT_ONCE))) all.set(key, stored);
    }
    return all;
  };
}

/** A character has at most three bytes, or is a pair of characters with four. */
const MAX_BYTES_PER_CHAR = 3;
/** Digits of a version, with the space behind it. */
const MAX_VERSION_CHARS = 17;

/** Returns the JSON text of a document, or its start. Null if there is none. The key must be valid. */
export async function readText(read: Read, key: string, maxChars: number | undefined): Promise<string | null> {
  const last = maxChars === undefined ? -1 : MAX_VERSION_CHARS + (maxChars + 1) * MAX_BYTES_PER_CHAR;
  const [text] = await read("reading documents", DOCUMENT_START, [key, last]);
  if (typeof text !== "string" || text === "") return null;
  const start = text.indexOf(" ") + 1;
  return text.slice(start, maxChars === undefined ? undefined : start + maxChars);
}

/** @param text `VERSION JSON`, or null. */
function storedOf(text: unknown): Stored<Document> | null {
  if (typeof text !== "string") return null;
  const at = text.indexOf(" ");
  return { version: Number(text.slice(0, at)), document: deepFreeze(JSON.parse(text.slice(at + 1))) };
}
