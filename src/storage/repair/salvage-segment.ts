/** Reads what is left of a segment of documents that may be damaged. */

import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import { isKey } from "../keys.ts";
import { type Entry, type EntryContent, formatEntry, guessKey, parseEntry, SEPARATOR } from "../segments/entry.ts";
import { documentSegmentKey, parseStoredIndex } from "../segments/segment.ts";

export interface SalvagedSegment {
  readonly name: string;
  readonly isIntact: boolean;
  /** The readable entries. */
  readonly entries: readonly (Entry & EntryContent)[];
  /** Keys of the entries that are not readable. */
  readonly lostKeys: readonly string[];
  /** Whether there may be others, whose keys are unknown. */
  readonly hasUnknownLosses: boolean;
}

const LOST_DOCUMENT_MARK = [0, 0] as const;

export async function salvageSegment(
  { segments, codec }: ChecksummedItems,
  name: string,
  count: number | null,
): Promise<SalvagedSegment> {
  const text = await segments.readAll(documentSegmentKey(name));
  if (text === null) return { name, isIntact: false, entries: [], lostKeys: [], hasUnknownLosses: true };
  const [head = "", ...lines] = text.split(SEPARATOR);
  const isComplete = lines.pop() === "";
  const index = parseStoredIndex(codec, head);
  const replacedBy = new Map(index?.keys.map((key, at) => [key, index.replaced[at] ?? 0]));
  const entries: (Entry & EntryContent)[] = [];
  const lostKeys = new Set<string>();
  let isKnown = isComplete;
  for (const line of lines) {
    const content = parseEntry(codec, line);
    // Without the index, an older entry may exist.
    if (content !== undefined) entries.push({ ...content, line, replaced: replacedBy.get(content.key) ?? 1 });
    else {
      const key = guessKey(line);
      if (key !== null && isKey(key)) lostKeys.add(key);
      else isKnown = false;
    }
  }
  if (index === undefined || index.segment !== name) {
    const isAll = isKnown && (count === null || count === entries.length + lostKeys.size);
    return { name, isIntact: false, entries, lostKeys: [...lostKeys], hasUnknownLosses: !isAll };
  }
  const found = new Set(entries.map(({ key }) => key));
  const lost = index.keys.filter((key) => !found.has(key));
  return { name, isIntact: isComplete && lost.length === 0, entries, lostKeys: lost, hasUnknownLosses: false };
}

/** What the segment contains after the repair. Lost documents count as deleted, so that no older ones come back. */
export function repairedEntries({ codec }: ChecksummedItems, { entries, lostKeys }: SalvagedSegment): readonly Entry[] {
  const deletions = lostKeys.map((key) => {
    return { key, line: formatEntry(codec, key, null, LOST_DOCUMENT_MARK), replaced: 1 };
  });
  return [...entries, ...deletions].sort((one, other) => (one.key < other.key ? -1 : 1));
}
