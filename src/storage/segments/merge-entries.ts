/** Merges and splits entries in the order of their keys. Pure. */
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { type Entry, isDeletion } from "./entry.ts";
import { kindOf } from "./levels.ts";

/** Limits of a segment. A single longer entry has a segment of its own. */
export const MAX_SEGMENT_SIZE = 4 * MEBIBYTE;
const MAX_SEGMENT_ENTRIES = 8_000;
/** Size below which a segment is joined with its neighbor. */
export const MIN_SEGMENT_SIZE = MAX_SEGMENT_SIZE / 4;

/**
 * Merges the entries of two levels. The newer entry of a key counts. A deletion is dropped once nothing older is left that
 * it hides.
 */
export function mergeEntries(older: readonly Entry[], newer: readonly Entry[]): readonly Entry[] {
  const merged: Entry[] = [];
  let at = 0;
  for (const entry of newer) {
    for (let before = older[at]; before !== undefined && before.key < entry.key; before = older[++at]) {
      merged.push(before);
    }
    const before = older[at];
    const isSame = before?.key === entry.key;
    if (isSame) at++;
    const replaced = isSame ? before.replaced : entry.replaced;
    if (replaced === 0 && isDeletion(entry)) continue;
    merged.push(replaced === entry.replaced ? entry : { ...entry, replaced });
  }
  for (let before = older[at]; before !== undefined; before = older[++at]) merged.push(before);
  return merged;
}

export function lengthOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { line }) => sum + line.length + 1, 0);
}

/** Splits entries into parts that each fit into a segment. */
export function splitIntoSegments(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  return splitByKind(entries).flatMap(splitEvenly);
}

/**
 * Splits entries where the kind of documents changes, if there are many of a kind. New runs come behind all others, and so
 * need not be merged with any; a workflow in the same segment would lie behind them, too.
 */
function splitByKind(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups: Entry[][] = [];
  let groupSize = 0;
  for (let at = 0; at < entries.length; ) {
    const end = endOfKind(entries, at);
    const kind = entries.slice(at, end);
    const size = lengthOf(kind);
    const group = groups.at(-1);
    if (group === undefined || groupSize >= MIN_SEGMENT_SIZE || size >= MIN_SEGMENT_SIZE) {
      groups.push(kind);
      groupSize = size;
    } else {
      for (const entry of kind) group.push(entry);
      groupSize += size;
    }
    at = end;
  }
  return groups;
}

/** Position of the first entry of another kind. */
function endOfKind(entries: readonly Entry[], start: number): number {
  const kind = `${kindOf(entries[start]?.key ?? "")}:`;
  let end = start + 1;
  while (entries[end]?.key.startsWith(kind)) end++;
  return end;
}

/** Splits entries into parts of about the same length. */
function splitEvenly(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const length = lengthOf(entries);
  const count = Math.ceil(Math.max(length / MAX_SEGMENT_SIZE, entries.length / MAX_SEGMENT_ENTRIES));
  const parts: Entry[][] = [];
  let part: Entry[] = [];
  let size = 0;
  for (const entry of entries) {
    const isFull = size >= length / count || part.length >= MAX_SEGMENT_ENTRIES;
    if (part.length > 0 && (isFull || size + entry.line.length >= MAX_SEGMENT_SIZE)) {
      parts.push(part);
      part = [];
      size = 0;
    }
    part.push(entry);
    size += entry.line.length + 1;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** Whether entries fill a segment. */
export function isFull(entries: readonly Entry[], length: number): boolean {
  return length >= MAX_SEGMENT_SIZE || entries.length >= MAX_SEGMENT_ENTRIES;
}
