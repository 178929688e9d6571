/**
 * Decides which segments count: those that the manifest names, unless it is of an earlier checkpoint than the segments
 * beside it. That happens if somebody restores only the manifest from a backup.
 */
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import type { Manifest } from "../log/checkpoint.ts";
import type { Levels } from "../segments/levels.ts";
import { documentSegmentKey } from "../segments/segment.ts";
import type { RemainingLog } from "./repair-log.ts";
import { salvageSegment } from "./salvage-segment.ts";

export interface ChosenSegments {
  /** The levels that the manifest names. Null if it is lost or outdated: the latest entry of each key counts then. */
  readonly levels: Levels | null;
  /** Names of the segments to read. */
  readonly names: readonly string[];
  /** Names of segments that an outdated manifest names, that don't exist, and that no later checkpoint is known to have replaced. */
  readonly missing: readonly string[];
  /** Names of segments that exist, are not read, and are not known to be obsolete. */
  readonly unread: readonly string[];
  /** Whether a later checkpoint than that of the manifest has cut the log. */
  readonly isLogOutdated: boolean;
}

const SEGMENT_KEY = /^documents:(\d{1,15}\.\d{1,15})$/;

export const segmentNamesIn = (keys: readonly string[]) => keys.flatMap((key) => SEGMENT_KEY.exec(key)?.[1] ?? []);

/**
 * @param keys All keys of the driver.
 * @param manifest Null if it is lost.
 * @param log As the manifest says where it starts.
 */
export async function chooseSegments(
  items: ChecksummedItems,
  keys: readonly string[],
  manifest: Manifest | null,
  log: RemainingLog,
): Promise<ChosenSegments> {
  const stored = segmentNamesIn(keys);
  if (manifest === null) return { levels: null, names: stored, missing: [], unread: [], isLogOutdated: false };
  const named = manifest.documents.flat().map(({ name }) => name);
  const existing = new Set(stored);
  const missing = named.filter((name) => !existing.has(name));
  const known = new Set([...named.map(documentSegmentKey), ...manifest.obsolete]);
  const unread = stored.filter((name) => !known.has(documentSegmentKey(name)));
  // A checkpoint that was cut off has left records in the log up to where its entries end.
  const isLogOutdated = await hasEntriesAfter(items, unread, Math.max(manifest.start, log.firstMissing ?? log.next));
  if (unread.length === 0 || (missing.length === 0 && !isLogOutdated)) {
    return { levels: manifest.documents, names: named, missing: [], unread, isLogOutdated: false };
  }
  const names = [...named.filter((name) => existing.has(name)), ...unread];
  return { levels: null, names, missing: isLogOutdated ? [] : missing, unread: [], isLogOutdated };
}

/** Whether a checkpoint that stored any of these segments began after a log record. */
async function hasEntriesAfter(items: ChecksummedItems, names: readonly string[], record: number): Promise<boolean> {
  for (const name of names) {
    const { entries } = await salvageSegment(items, name, null);
    if (entries.some(({ mark: [, cut] }) => cut > record)) return true;
  }
  return false;
}
