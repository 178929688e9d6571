/**
 * Levels of segments: a log-structured merge tree. A checkpoint adds a level with the documents that it stores. An entry
 * hides those of the same key in older levels. Each level is a multiple of the next newer one, so there are few of them.
 */
import type { Segment } from "./segment.ts";

/** The segments of a level in the order of their keys, which don't overlap. */
export type Level = readonly Segment[];

/** Newest first. */
export type Levels = readonly Level[];

/** What a level is allowed to grow to, as a part of the next older one. It limits what is stored twice or deleted. */
const MAX_PART = 1 / 4;
/** Levels that together are not longer than this are merged regardless of their sizes. */
const SMALL_SIZE = 128 * 1024;

export const sizeOf = (level: Level) => level.reduce((sum, { size }) => sum + size, 0);
/** The length of a level, or of what it makes obsolete in older levels if that is longer. */
export const weightOf = (level: Level) =>
  Math.max(
    sizeOf(level),
    level.reduce((sum, { replaced }) => sum + replaced, 0),
  );

/** The segment of a level that has the key if any does. */
export function segmentOf(level: Level, key: string): Segment | undefined {
  const found = level[positionOf(level, key)];
  return found !== undefined && found.first <= key && key <= found.last ? found : undefined;
}

/** Position of the last segment that begins at or before the key, or of the first segment. */
export function positionOf(level: Level, key: string): number {
  let low = 0;
  let high = level.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((level[middle]?.first ?? "") <= key) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Position of the newest level that is too large beside the next older one, or -1. @param isStuck Skips a level. */
export function findOversized(levels: Levels, isStuck: (level: Level) => boolean): number {
  return levels.findIndex((level, at) => {
    const older = levels[at + 1];
    if (older === undefined || isStuck(level)) return false;
    const size = sizeOf(older);
    return weightOf(level) > size * MAX_PART || sizeOf(level) + size <= SMALL_SIZE;
  });
}

/** Position of the segment that costs least to merge: its range overlaps with the shortest part of the older level. */
export function cheapestSegment(level: Level, older: Level): number {
  let cheapest = 0;
  let lowest = Number.POSITIVE_INFINITY;
  for (const [at, segment] of level.entries()) {
    const cost = overlapOf(segment, older) / (segment.size + segment.replaced);
    if (cost >= lowest) continue;
    cheapest = at;
    lowest = cost;
  }
  return cheapest;
}

/** Total size of the segments of a level in whose range a segment has or may have entries. */
export function overlapOf({ first, last }: Segment, level: Level): number {
  let size = 0;
  for (let at = positionOf(level, first); at < level.length; at++) {
    const other = level[at];
    if (other === undefined || other.first > last) break;
    if (other.last >= first) size += other.size;
  }
  return size;
}

/** The kind of a document with a key: what stands before the colon. */
export const kindOf = (key: string): string => key.slice(0, key.indexOf(":"));
