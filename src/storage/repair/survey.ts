/** Examines a storage for a repair: which items are damaged, and what documents and log say should exist. */
import type { References } from "../../documents/documents.ts";
import { isRecord } from "../../json.ts";
import type { Document, Key, RowChange } from "../../ports/store.ts";
import { type ListedRow, listedRows, mergeRowChanges, NO_ROWS } from "../commits/document-rows.ts";
import type { ChecksummedItems, StoredItem } from "../driver/checksummed-items.ts";
import type { Lists } from "../lists/lists.ts";
import { createManifest, type Manifest } from "../log/checkpoint.ts";
import type { LoggedCommit } from "../log/write-ahead-log.ts";
import { documentSegmentKey } from "../segments/segment.ts";
import { chooseSegments } from "./choose-segments.ts";
import { readRemainingLog } from "./repair-log.ts";
import { type SurveyedDocuments, surveyDocuments } from "./survey-documents.ts";
import { isPartOfList, type SurveyedList, surveyLists } from "./survey-lists.ts";

export interface Survey {
  readonly checked: number;
  readonly damaged: ReadonlySet<string>;
  readonly lost: readonly string[];
  /** Rows, as `LIST/ID`, and keys of documents that belong to a lost document. */
  readonly orphaned: readonly string[];
  /** The documents among them. */
  readonly orphanedDocuments: readonly string[];
  /** Rows, as `LIST/ID`, that more than one document claims. */
  readonly shared: readonly string[];
  /** The readable commits of the log. */
  readonly commits: readonly LoggedCommit[];
  /** Number of the next record. */
  readonly next: number;
  readonly documents: SurveyedDocuments;
  readonly lists: readonly SurveyedList[];
  /** The search texts of the orphaned rows that have one, by `LIST/ID`. */
  readonly orphanedTexts: ReadonlyMap<string, string>;
  /** Whether a document with this key is stored and readable. */
  exists(key: Key): boolean;
}

/** Called with each document that a survey reads: with the stored one first, then with changes in the log. Null for a deletion. */
export type OnDocument = (key: string, document: Document | null) => void;

/** Number of items read with a single call, if the driver supports it. */
const ITEMS_PER_READ = 100;
/** Items that a repair reads. */
const CHECKED = /^(documents|list|log|manifest):/;
const MANIFEST = ["manifest:a", "manifest:b"];

/** @param keys All keys of the driver. */
export async function surveyStorage(parts: {
  items: ChecksummedItems;
  lists: Lists;
  keys: readonly string[];
  references: References;
  onDocument?: OnDocument | undefined;
}): Promise<Survey> {
  const { items, lists, onDocument = () => undefined } = parts;
  const damaged = new Set<string>();
  /** Keys that the driver lists although the items were deleted. S3 does this if a tombstone replaces an item. */
  const removed = new Set<string>();
  for await (const [key, found] of readEach(items, parts.keys.filter(isPartOfList))) {
    if (found === "missing") removed.add(key);
    else if (found === "damaged") damaged.add(key);
  }
  for (const key of damaged) if (await isUnreferencedLeaf(key, lists)) damaged.delete(key);
  const keys = parts.keys.filter((key) => !removed.has(key));
  for (const key of await findMissingLeaves(items, lists, keys)) damaged.add(key);
  const { manifest, damaged: damagedCopies } = await findManifest(items, keys);
  for (const key of damagedCopies) damaged.add(key);
  const logOfManifest = await readRemainingLog(items, keys, manifest?.log ?? null);
  const segments = await chooseSegments(items, keys, manifest, logOfManifest);
  if (manifest !== null && segments.levels === null) for (const key of MANIFEST) damaged.add(key);
  const log = segments.isLogOutdated ? await readRemainingLog(items, keys, null) : logOfManifest;
  for (const key of log.damaged) damaged.add(key);

  const rowsOf = new Map<string, readonly RowChange[]>();
  const referenceIndex = createReferenceIndex(parts.references);
  const documents = await surveyDocuments(items, segments, ({ key, document: stored }) => {
    if (stored === null) return;
    rowsOf.set(key, stored.rows);
    referenceIndex.read(key, stored.document);
    onDocument(key, stored.document);
  });
  for (const name of documents.damaged) damaged.add(documentSegmentKey(name));
  const unreadable = new Set(documents.lost);
  for (const [key, version, document, rows = NO_ROWS] of log.commits.flatMap(({ documents }) => documents)) {
    unreadable.delete(key);
    if (version === null) rowsOf.delete(key);
    else rowsOf.set(key, mergeRowChanges(rowsOf.get(key) ?? NO_ROWS, rows));
    referenceIndex.read(key, document);
    onDocument(key, document);
  }

  const missing = referenceIndex.missing((key) => rowsOf.has(key));
  for (const [key, name] of missing) {
    rowsOf.delete(key);
    damaged.add(name);
    unreadable.add(name);
  }
  const rows = [...rowsOf.values()].flatMap(listedRows);
  const isLogComplete = log.damaged.length === 0;
  const hasCheckpoint = manifest === null ? keys.some(isPartOfList) : manifest.start > 1;
  const found = await surveyLists({ lists, keys, damaged, rows, commits: log.commits, isLogComplete, hasCheckpoint });
  const orphanedDocuments = [...missing.keys()];
  return {
    checked: keys.filter((key) => CHECKED.test(key)).length,
    damaged,
    lost: [...unreadable, ...log.damaged].sort(),
    orphaned: [...orphanedDocuments, ...found.orphaned].sort(),
    orphanedDocuments,
    shared: findSharedRows(rows),
    commits: log.commits,
    next: Math.max(log.next, manifest?.start ?? 1, documents.next),
    documents,
    lists: found.lists,
    orphanedTexts: found.orphanedTexts,
    exists: (key) => rowsOf.has(key),
  };
}

/**
 * Whether the item is a leaf that its list doesn't name. A process that was killed during a checkpoint leaves such
 * leaves.
 */
async function isUnreferencedLeaf(key: string, lists: Lists): Promise<boolean> {
  const [, name = "", part = ""] = key.split(":");
  if (part === "a" || part === "b") return false;
  return lists.read(name).then(
    () => true,
    () => false,
  );
}

/** Returns the keys of leaves that the roots of lists name, and that don't exist. */
async function findMissingLeaves(items: ChecksummedItems, lists: Lists, keys: readonly string[]): Promise<string[]> {
  const existing = new Set(keys);
  const absent: string[] = [];
  for (const name of new Set(keys.filter(isPartOfList).map((key) => key.split(":")[1] ?? ""))) {
    for (const key of await lists.leavesOf(name)) if (!existing.has(key)) absent.push(key);
  }
  // A service in use may have stored some since the keys were listed.
  const missing: string[] = [];
  for await (const [key, found] of readEach(items, absent)) if (found === "missing") missing.push(key);
  return missing;
}

/** Returns the manifest, or null if it is lost, and the keys of its damaged copies. */
async function findManifest(
  items: ChecksummedItems,
  keys: readonly string[],
): Promise<{ readonly manifest: Manifest | null; readonly damaged: readonly string[] }> {
  const isStored = keys.some((key) => /^(documents|list|log):/.test(key));
  const damaged: string[] = [];
  let isFound = false;
  for await (const [key, found] of readEach(items, MANIFEST)) {
    if (typeof found === "object" && isRecord(found.value)) isFound = true;
    else if (found !== "missing") damaged.push(key);
  }
  if (isFound) return { manifest: await createManifest(items).read(), damaged };
  return { manifest: null, damaged: isStored ? MANIFEST : damaged };
}

/** Tracks which documents refer to which others. */
function createReferenceIndex(references: References) {
  const names = new Map<string, readonly Key[]>();
  return {
    /** @param document Null if it was deleted. */
    read(key: string, document: Document | null): void {
      const keys = document === null ? [] : (references[key.slice(0, key.indexOf(":"))]?.(document, key) ?? []);
      if (keys.length === 0) names.delete(key);
      else names.set(key, keys);
    },
    /** Documents that depend on a lost one, with the first of the keys that could have been it. */
    missing: (exists: (key: string) => boolean) =>
      new Map(
        [...names].flatMap(([key, keys]) => (keys[0] === undefined || keys.some(exists) ? [] : [[key, keys[0]]])),
      ),
  };
}

/** Finds rows that more than one document claims. */
function findSharedRows(rows: readonly ListedRow[]): string[] {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { list, put } of rows) {
    const row = `${list}/${put.id}`;
    if (seen.has(row)) shared.add(row);
    seen.add(row);
  }
  return [...shared].sort();
}

async function* readEach(
  items: ChecksummedItems,
  keys: readonly string[],
): AsyncGenerator<readonly [string, StoredItem], void> {
  for (let at = 0; at < keys.length; at += ITEMS_PER_READ) {
    const batch = keys.slice(at, at + ITEMS_PER_READ);
    const found = await items.findMany(batch);
    for (const [index, key] of batch.entries()) yield [key, found[index] ?? "missing"];
  }
}
