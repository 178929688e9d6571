/**
 * Compaction: merges levels that have grown too large into older ones, a few segments at a time. Segments are never
 * changed: a merge writes new ones, and the manifest says which count. What it costs is limited by what the checkpoint adds,
 * so no checkpoint has to rewrite what is stored.
 */
import type { CheckpointTurns } from "../log/checkpoint-pacing.ts";
import type { Entry } from "./entry.ts";
import { cheapestSegment, findOversized, type Level, type Levels, overlapOf, positionOf, weightOf } from "./levels.ts";
import { lengthOf, MAX_SEGMENT_SIZE, MIN_SEGMENT_SIZE, mergeEntries } from "./merge-entries.ts";
import type { Segment } from "./segment.ts";
import type { SegmentReader } from "./segment-reader.ts";

/** How much is merged for each level and each character that a checkpoint adds. */
const MERGED_PER_ADDED = 5;

export async function compact(parts: {
  /** The first one was just added. */
  readonly levels: Levels;
  readonly reader: SegmentReader;
  readonly write: (entries: readonly Entry[]) => Promise<readonly Segment[]>;
  readonly turns: CheckpointTurns;
}): Promise<Levels> {
  const { reader, write, turns } = parts;
  const levels = parts.levels.map((level) => [...level]);
  /** Levels next to a damaged segment. They are merged once the storage is repaired. */
  const stuck = new Set<Level>();
  let work = 2 * MAX_SEGMENT_SIZE + MERGED_PER_ADDED * levels.length * weightOf(levels[0] ?? []);

  async function read(segment: Segment): Promise<readonly Entry[] | undefined> {
    await turns.call();
    const entries = await reader.readAll(segment);
    work -= segment.size;
    await turns.work(segment.size);
    return entries;
  }

  /** Merges entries into one segment of a level. @returns Whether the segment was readable. */
  async function mergeInto(level: Segment[], at: number, entries: readonly Entry[]): Promise<boolean> {
    const target = level[at];
    const isBehind = target !== undefined && (entries[0]?.key ?? "") > target.last;
    // If these entries are few, what comes behind them will be joined with them.
    if (isBehind && target.size >= MIN_SEGMENT_SIZE) {
      level.splice(at + 1, 0, ...(await write(mergeEntries([], entries))));
      return true;
    }
    const older = target === undefined ? [] : await read(target);
    if (older === undefined) return false;
    let merged = mergeEntries(older, entries);
    let count = 1;
    const next = level[at + 1];
    if (next !== undefined && lengthOf(merged) < MIN_SEGMENT_SIZE) {
      const following = await read(next);
      if (following !== undefined) {
        merged = [...merged, ...following];
        count = 2;
      }
    }
    const written = await write(merged);
    work -= written.reduce((sum, { size }) => sum + size, 0);
    level.splice(at, count, ...written);
    return true;
  }

  /** Merges a segment into the next older level. @returns Whether all segments were readable. */
  async function mergeSegment(level: Segment[], at: number, older: Segment[]): Promise<boolean> {
    const segment = level[at];
    if (segment === undefined) return false;
    if (canMove(segment, older)) {
      level.splice(at, 1);
      older.splice(insertionPoint(older, segment), 0, segment);
      return true;
    }
    const entries = await read(segment);
    if (entries === undefined) return false;
    let done = 0;
    let isReadable = true;
    while (done < entries.length && work > 0 && isReadable) {
      const target = positionOf(older, entries[done]?.key ?? "");
      const end = older[target + 1]?.first;
      const following = entries.findIndex(({ key }, index) => index >= done && end !== undefined && key >= end);
      const until = following === -1 ? entries.length : following;
      isReadable = await mergeInto(older, target, entries.slice(done, until));
      if (isReadable) done = until;
    }
    if (done > 0) level.splice(at, 1, ...(await write(entries.slice(done))));
    return isReadable;
  }

  while (work > 0) {
    const at = findOversized(levels, (level) => stuck.has(level));
    const [level, older] = [levels[at], levels[at + 1]];
    if (level === undefined || older === undefined) break;
    if (!(await mergeSegment(level, cheapestSegment(level, older), older))) stuck.add(level);
    for (const [index, one] of [...levels.entries()].reverse()) if (one.length === 0) levels.splice(index, 1);
  }
  return levels;
}

/** Whether a segment can become one of an older level as it is. One with deletions must be read to drop them. */
function canMove(segment: Segment, older: Level): boolean {
  return segment.size >= MIN_SEGMENT_SIZE && segment.replaced === 0 && overlapOf(segment, older) === 0;
}

function insertionPoint(level: Level, { first }: Segment): number {
  const at = level.findIndex((other) => other.first > first);
  return at === -1 ? level.length : at;
}
