/**
 * The format of a segment: an index in the first line, and the entries in the order of their keys, one a line. A
 * segment is written once under a unique name, and counts once the manifest names it.
 */
import { KIBIBYTE } from "../../encoding/bytes.ts";
import { isRecord } from "../../json.ts";
import type { ChecksumCodec } from "../driver/checksum.ts";
import { isSharedStarts, type SharedStarts, withoutSharedStarts, withSharedStarts } from "../driver/shared-starts.ts";
import { type Entry, SEPARATOR } from "./entry.ts";
import { createKeyFilter, type KeyFilter } from "./key-filter.ts";

/** What the manifest says of a segment. */
export interface Segment {
  /** The owner's generation and a number: `3.17`. The item's key is `documents:NAME`. */
  readonly name: string;
  /** Keys of the first and the last entry. */
  readonly first: string;
  readonly last: string;
  /** Number of entries. */
  readonly count: number;
  /** Length in bytes. */
  readonly size: number;
  /** Length of the first line with its separator. */
  readonly indexSize: number;
  /** Total length of the older entries that no longer count because of these. */
  readonly replaced: number;
}

/** The keys of all entries, in order, and the length of each line. */
interface StoredIndex {
  readonly segment: string;
  readonly keys: SharedStarts;
  readonly sizes: readonly number[];
  /** Absent if no entry replaces another one. */
  readonly replaced?: readonly number[] | undefined;
}

interface ParsedIndex extends StoredIndex {
  readonly keys: readonly string[];
  readonly replaced: readonly number[];
}

/** Finds the entries of a segment that is not in memory. Takes about a hundredth of the segment. */
export interface SegmentIndex {
  readonly filter: KeyFilter;
  /** The first key of each block, in order. */
  readonly blockKeys: readonly string[];
  /** Where each block begins, and the end of the last one. */
  readonly blockStarts: Float64Array;
  /** Memory that the index takes, in bytes, roughly. */
  readonly memory: number;
}

/** Length from which a block is complete. A block is what is read for one document. */
const BLOCK_SIZE = 8 * KIBIBYTE;

export const documentSegmentKey = (name: string) => `documents:${name}`;

/** @param entries In ascending order of their keys; at least one. */
export function formatSegment(
  codec: ChecksumCodec,
  name: string,
  entries: readonly Entry[],
): { readonly segment: Segment; readonly text: string } {
  const index: StoredIndex = {
    segment: name,
    keys: withoutSharedStarts(entries.map(({ key }) => key)),
    sizes: entries.map(({ line }) => line.length),
    replaced: entries.some(({ replaced }) => replaced > 0) ? entries.map(({ replaced }) => replaced) : undefined,
  };
  const head = codec.encode(JSON.stringify(index));
  const text = [head, ...entries.map(({ line }) => line), ""].join(SEPARATOR);
  const segment = {
    name,
    first: entries[0]?.key ?? "",
    last: entries.at(-1)?.key ?? "",
    count: entries.length,
    size: text.length,
    indexSize: head.length + SEPARATOR.length,
    replaced: entries.reduce((sum, { replaced }) => sum + replaced, 0),
  };
  return { segment, text };
}

/** Parses the first line of a segment. Undefined if it is damaged or of another segment. */
export function parseIndex(codec: ChecksumCodec, { name, count }: Segment, line: string): SegmentIndex | undefined {
  const found = parseStoredIndex(codec, line);
  if (found?.segment !== name || found.keys.length !== count) return undefined;
  const { keys, sizes } = found;
  const blockKeys: string[] = [];
  const starts: number[] = [];
  let end = line.length + SEPARATOR.length;
  for (const [at, key] of keys.entries()) {
    if (end - (starts.at(-1) ?? Number.NEGATIVE_INFINITY) >= BLOCK_SIZE) {
      starts.push(end);
      blockKeys.push(key);
    }
    end += (sizes[at] ?? 0) + SEPARATOR.length;
  }
  const filter = createKeyFilter(keys);
  const memory = filter.length + blockKeys.reduce((sum, { length }) => sum + length + 40, 200);
  return { filter, blockKeys, blockStarts: Float64Array.from([...starts, end]), memory };
}

/** Returns all entries of a segment, unchecked. Undefined if the text is not that of a whole segment. */
export function parseEntries(codec: ChecksumCodec, { name }: Segment, text: string): readonly Entry[] | undefined {
  const [head = "", ...lines] = text.split(SEPARATOR);
  const index = parseStoredIndex(codec, head);
  if (index?.segment !== name || lines.length !== index.keys.length + 1) return undefined;
  if (!index.sizes.every((size, at) => lines[at]?.length === size)) return undefined;
  return index.keys.map((key, at) => ({ key, line: lines[at] ?? "", replaced: index.replaced[at] ?? 0 }));
}

export function parseStoredIndex(codec: ChecksumCodec, line: string): ParsedIndex | undefined {
  const value = codec.decode(line);
  if (!isStoredIndex(value)) return undefined;
  return { ...value, keys: withSharedStarts(value.keys), replaced: value.replaced ?? [] };
}

/** The checksum proves that the value is intact. This checks that it is an index. */
function isStoredIndex(value: unknown): value is StoredIndex {
  return isRecord(value) && typeof value["segment"] === "string" && isSharedStarts(value["keys"]);
}

/** Which block of a segment contains a key, if any does. */
export function blockOf({ blockKeys }: SegmentIndex, key: string): number {
  let low = 0;
  let high = blockKeys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((blockKeys[middle] ?? "") <= key) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
