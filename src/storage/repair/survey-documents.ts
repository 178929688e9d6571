/** Reads all documents in segments, and finds which of several entries of a key counts. */
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import { isKey } from "../keys.ts";
import type { CheckpointMark, EntryContent } from "../segments/entry.ts";
import { documentSegmentKey } from "../segments/segment.ts";
import type { ChosenSegments } from "./choose-segments.ts";
import { type SalvagedSegment, salvageSegment } from "./salvage-segment.ts";

export interface SurveyedDocuments {
  readonly segments: ChosenSegments;
  /** Names of the segments that are damaged or missing. */
  readonly damaged: ReadonlySet<string>;
  /** Keys of lost documents, and of segments that have lost documents whose keys are unknown. */
  readonly lost: ReadonlySet<string>;
  /** The segment whose entry counts, for each key. Empty if the manifest says which segments count. */
  readonly winners: ReadonlyMap<string, string>;
  /** Number of the first log record that no segment has. */
  readonly next: number;
}

/** @param onEntry Called with each entry that counts. */
export async function surveyDocuments(
  items: ChecksummedItems,
  segments: ChosenSegments,
  onEntry: (entry: EntryContent) => void,
): Promise<SurveyedDocuments> {
  const { levels, names, missing } = segments;
  const damaged = new Set(missing);
  const lost = new Set(missing.map(documentSegmentKey));
  const seen = new Set<string>();
  const winners = levels === null ? await findWinners(items, names) : new Map<string, string>();
  let next = 1;

  function read({ name, isIntact, entries, lostKeys, hasUnknownLosses }: SalvagedSegment): void {
    if (!isIntact) damaged.add(name);
    if (hasUnknownLosses) lost.add(documentSegmentKey(name));
    for (const entry of entries) {
      next = Math.max(next, entry.mark[1]);
      if (seen.has(entry.key) || (levels === null && winners.get(entry.key) !== name)) continue;
      seen.add(entry.key);
      if (isKey(entry.key)) onEntry(entry);
    }
    for (const key of lostKeys) {
      if (seen.has(key) || winners.has(key)) continue;
      seen.add(key);
      lost.add(key);
    }
  }

  if (levels === null) for (const name of names) read(await salvageSegment(items, name, null));
  for (const { name, count } of (levels ?? []).flat()) read(await salvageSegment(items, name, count));
  return { segments, damaged, lost, winners, next };
}

/** Finds the segment with the latest entry of each key. */
async function findWinners(items: ChecksummedItems, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const latest = new Map<string, { readonly name: string; readonly mark: CheckpointMark }>();
  for (const name of names) {
    const { entries } = await salvageSegment(items, name, null);
    for (const { key, mark } of entries) {
      const other = latest.get(key);
      if (other === undefined || isLater(mark, other.mark)) latest.set(key, { name, mark });
    }
  }
  return new Map([...latest].map(([key, { name }]) => [key, name]));
}

/** Checkpoints of a later owner contain everything that those of an earlier one do. */
function isLater([generation, cut]: CheckpointMark, [otherGeneration, otherCut]: CheckpointMark): boolean {
  return generation === otherGeneration ? cut > otherCut : generation > otherGeneration;
}
