/** Stores the documents that a survey found: without damaged segments, and with the changes in the log. */

import { NO_ROWS } from "../commits/document-rows.ts";
import { createDocumentCache } from "../documents/document-cache.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import type { Ownership } from "../driver/ownership.ts";
import { isKey } from "../keys.ts";
import { NO_TURNS } from "../log/checkpoint-pacing.ts";
import { createDocumentSegments, type DocumentSegments } from "../segments/document-segments.ts";
import { isDeletion } from "../segments/entry.ts";
import type { Levels } from "../segments/levels.ts";
import { documentSegmentKey, type Segment } from "../segments/segment.ts";
import { segmentNamesIn } from "./choose-segments.ts";
import { repairedEntries, salvageSegment } from "./salvage-segment.ts";
import type { Survey } from "./survey.ts";
import type { SurveyedDocuments } from "./survey-documents.ts";

/**
 * @param keys All keys of the driver.
 * @returns The segments with all documents, and the keys of those that don't count anymore.
 */
export async function repairDocuments(parts: {
  survey: Survey;
  items: ChecksummedItems;
  ownership: Ownership;
  keys: readonly string[];
}): Promise<{ readonly levels: Levels; readonly nextSegment: number; readonly obsolete: readonly string[] }> {
  const { survey, items, ownership, keys } = parts;
  const segments = createDocumentSegments(items, ownership);
  const { levels } = survey.documents.segments;
  segments.use(
    levels === null
      ? await rewriteLatest(survey.documents, items, segments)
      : await replaceDamaged(levels, survey.documents, items, segments),
  );
  const documents = createDocumentCache(segments, items.codec, 1);
  for (const commit of survey.commits) {
    for (const [key, version, document, rows = NO_ROWS] of commit.documents) {
      if (isKey(key)) documents.apply({ key, version, json: JSON.stringify(document), rows, isNew: false });
    }
  }
  for (const key of survey.orphanedDocuments) {
    const [found] = await documents.read([key]);
    if (found != null) await items.write(`damaged:${ownership.generation}:${key}`, JSON.stringify(found));
    documents.apply({ key, version: null, json: "null", rows: NO_ROWS, isNew: false });
  }
  const save = documents.startSave([ownership.generation, survey.next]);
  const stored = await segments.store(save.entries(NO_TURNS), NO_TURNS);
  const used = new Set(stored.levels.flat().map(({ name }) => documentSegmentKey(name)));
  const unused = segmentNamesIn(keys).map(documentSegmentKey);
  const obsolete = [...unused, ...stored.obsolete].filter((key) => !used.has(key));
  return { levels: stored.levels, nextSegment: segments.nextNumber, obsolete };
}

/** Replaces each damaged segment in its level. */
async function replaceDamaged(
  levels: Levels,
  { damaged }: SurveyedDocuments,
  items: ChecksummedItems,
  segments: DocumentSegments,
): Promise<Levels> {
  const all: Segment[][] = [];
  for (const level of levels) {
    const repaired: Segment[] = [];
    for (const segment of level) {
      if (!damaged.has(segment.name)) repaired.push(segment);
      else {
        const entries = repairedEntries(items, await salvageSegment(items, segment.name, segment.count));
        repaired.push(...(await segments.write(entries, NO_TURNS)));
      }
    }
    if (repaired.length > 0) all.push(repaired);
  }
  return all;
}

/** Writes the latest entries of all segments that were read, in levels whose order doesn't matter. */
async function rewriteLatest(
  { winners, segments: { names } }: SurveyedDocuments,
  items: ChecksummedItems,
  segments: DocumentSegments,
): Promise<Levels> {
  const written: Segment[] = [];
  for (const name of names) {
    const { entries } = await salvageSegment(items, name, null);
    const latest = entries.filter((entry) => winners.get(entry.key) === name && !isDeletion(entry));
    const sorted = latest.sort((one, other) => (one.key < other.key ? -1 : 1));
    written.push(
      ...(await segments.write(
        sorted.map((entry) => ({ ...entry, replaced: 0 })),
        NO_TURNS,
      )),
    );
  }
  const levels: Segment[][] = [];
  for (const segment of written.sort((one, other) => (one.first < other.first ? -1 : 1))) {
    const level = levels.find((others) => (others.at(-1)?.last ?? "") < segment.first);
    if (level === undefined) levels.push([segment]);
    else level.push(segment);
  }
  return levels;
}
