/** The documents in the segments of a storage: to see, lose and damage them one by one. */
import { nodeHash } from "../../../adapters/crypto/node-hash.ts";
import type { Driver } from "../../../src/ports/driver.ts";
import { createChecksumCodec } from "../../../src/storage/driver/checksum.ts";
import type { Manifest } from "../../../src/storage/log/checkpoint.ts";
import { isDeletion, parseEntry, SEPARATOR } from "../../../src/storage/segments/entry.ts";
import { documentSegmentKey } from "../../../src/storage/segments/segment.ts";

type Data = Map<string, string>;

const codec = createChecksumCodec(nodeHash);

export const isSegment = (key: string) => key.startsWith("documents:");

/** The manifest that counts. */
export function manifestIn(data: ReadonlyMap<string, string>): Manifest | undefined {
  const copies = ["a", "b"].map((copy) => codec.decode(data.get(`manifest:${copy}`) ?? ""));
  const found = copies.filter((copy): copy is { sequence: number; value: Manifest } => copy !== undefined);
  return found.sort((one, other) => other.sequence - one.sequence)[0]?.value;
}

/** The stored line of each document, by its key. */
export function storedDocuments(data: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name } of manifestIn(data)?.documents.flat() ?? []) {
    for (const line of (data.get(documentSegmentKey(name)) ?? "").split(SEPARATOR).slice(1)) {
      const key = parseEntry(codec, line)?.key;
      if (key !== undefined && !found.has(key)) found.set(key, line);
    }
  }
  for (const [key, line] of found) if (isDeletion({ key, line })) found.delete(key);
  return found;
}

/** Changes the line of a document. Returns whether it is stored. */
export function changeDocument(data: Data, key: string, change: (line: string) => string): boolean {
  let isFound = false;
  for (const [item, text] of data) {
    if (!isSegment(item)) continue;
    const lines = text.split(SEPARATOR);
    const changed = lines.map((line) => (parseEntry(codec, line)?.key === key ? change(line) : line));
    if (changed.every((line, at) => line === lines[at])) continue;
    data.set(item, changed.join(SEPARATOR));
    isFound = true;
  }
  return isFound;
}

/** Makes a document missing: a deletion of the same length takes its place. Returns whether it was stored. */
export function loseDocument(data: Data, key: string): boolean {
  return changeDocument(data, key, (line) => {
    const deletion = `["${key}",null,null,[0,0]]`;
    return codec.encode(deletion.padEnd(line.length - codec.encode("").length));
  });
}

/** The items of a storage with the documents in place of segments. What compaction has not removed yet is included. */
export function withDocuments(data: ReadonlyMap<string, string>): Map<string, string> {
  const items = new Map([...data].filter(([key]) => !isSegment(key)));
  for (const [item, text] of data) {
    if (!isSegment(item)) continue;
    for (const line of text.split(SEPARATOR).slice(1)) {
      const key = parseEntry(codec, line)?.key;
      if (key !== undefined) items.set(key, line);
    }
  }
  return items;
}

/** The items of a driver, with the stored documents in place of segments. */
export async function storedItems(driver: Driver): Promise<Map<string, string>> {
  const data = new Map<string, string>();
  for (const key of await driver.getKeys("", {})) data.set(key, String(await driver.getItem(key)));
  return new Map([...[...data].filter(([key]) => !isSegment(key)), ...storedDocuments(data)]);
}
