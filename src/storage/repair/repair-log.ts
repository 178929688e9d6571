/** Reads the remaining records of a log that may be damaged or incomplete. */

import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import { type LoggedCommit, type LogPosition, recordOf, segmentKey } from "../log/write-ahead-log.ts";

export interface RemainingLog {
  readonly commits: readonly LoggedCommit[];
  /** Number after the last record. */
  readonly next: number;
  /** Number of the first record that is missing before others, or null. */
  readonly firstMissing: number | null;
  /** Keys of segments that lost some or all records. */
  readonly damaged: readonly string[];
}

interface OwnerSegments {
  readonly generation: number;
  /** Number of the first record, or null if unknown. */
  readonly first: number | null;
  readonly segments: readonly number[];
  readonly end: number;
}

const SEGMENT = /^log:(\d+)\.(\d+)$/;

/** @param position From the manifest. Null if that is lost: the log then starts after the last gap. */
export async function readRemainingLog(
  items: ChecksummedItems,
  keys: readonly string[],
  position: LogPosition | null,
): Promise<RemainingLog> {
  const ownerSegments =
    position === null ? segmentsByOwner(segmentsIn(keys)) : segmentsByManifest(position, segmentsIn(keys));
  let commits: (readonly LoggedCommit[])[] = [];
  const damaged: string[] = [];
  let next = ownerSegments[0]?.first ?? ownerSegments[0]?.segments[0] ?? 1;
  let firstMissing: number | null = null;
  /** The segment whose last line is not a record. Harmless unless records are missing after it. */
  let torn: string | null = null;

  function skipTo(number: number, generation: number): void {
    if (number > next && (torn !== null || position !== null)) {
      damaged.push(torn ?? segmentKey(generation, next));
      firstMissing ??= next;
    }
    // Without a manifest, records before a gap are those that a checkpoint had not deleted yet.
    else if (number > next) commits = [];
    next = number;
    torn = null;
  }

  for (const { generation, segments, end } of ownerSegments) {
    for (const number of segments) {
      const key = segmentKey(generation, number);
      const [lines = []] = await items.findLines([key]);
      const [head] = lines;
      if (head === undefined || number >= end || number < next - 1) continue;
      if (number > next) skipTo(number, generation);
      if (number === next - 1 && (lines.length > 1 || recordOf(head) !== null)) {
        // The record was written again. The previous segment ends with what a failed append left behind.
        commits.pop();
        next = number;
      }
      for (const [index, line] of lines.entries()) {
        if (next === end) break;
        const record = recordOf(line);
        if (record === null && index === lines.length - 1) {
          torn = key;
          break;
        }
        if (record === null) damaged.push(key);
        commits.push(record?.commits ?? []);
        next++;
        torn = null;
      }
    }
    if (Number.isFinite(end) && next < end) skipTo(end, generation);
  }
  return { commits: commits.flat(), next, firstMissing, damaged };
}

interface Segment {
  readonly generation: number;
  readonly number: number;
}

function segmentsIn(keys: readonly string[]): Segment[] {
  return keys
    .flatMap((key) => {
      const [, generation, number] = SEGMENT.exec(key) ?? [];
      return generation === undefined ? [] : [{ generation: Number(generation), number: Number(number) }];
    })
    .sort((one, other) => one.generation - other.generation || one.number - other.number);
}

function segmentsByManifest(
  { earlier, generation, first }: LogPosition,
  segments: readonly Segment[],
): OwnerSegments[] {
  const found = segments.filter((segment) => segment.generation === generation && segment.number >= first);
  const last = { generation, first, segments: found.map(({ number }) => number), end: Number.POSITIVE_INFINITY };
  return [...earlier.map((log) => ({ ...log, first: log.segments[0] ?? null })), last];
}

/** Each owner starts where it found the end of its predecessor's log. Later records of the predecessor don't count. */
function segmentsByOwner(segments: readonly Segment[]): OwnerSegments[] {
  const ownerSegments: OwnerSegments[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const generation of [...new Set(segments.map((segment) => segment.generation))].reverse()) {
    const numbers = segments.filter((segment) => segment.generation === generation).map(({ number }) => number);
    const validNumbers = numbers.filter((number) => number < end);
    ownerSegments.unshift({ generation, first: null, segments: validNumbers, end });
    end = Math.min(end, numbers[0] ?? end);
  }
  return ownerSegments;
}
