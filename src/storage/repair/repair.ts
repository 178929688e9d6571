/**
 * Repairs a storage with damaged or missing items. Documents contain their rows, so every list can be rebuilt from
 * them. A document whose item and log records are all unreadable is lost, and its rows are removed.
 *
 * Damaged items are kept under `damaged:GENERATION:KEY`. A repair writes documents and list leaves first, then list
 * roots, then the manifest. If it is interrupted, it can be started again.
 */
import type { References } from "../../documents/documents.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Driver } from "../../ports/driver.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Row } from "../../ports/store.ts";
import { createChecksumCodec } from "../driver/checksum.ts";
import { type ChecksummedItems, createChecksummedItems } from "../driver/checksummed-items.ts";
import { DEFAULT_TIMEOUT_MS } from "../driver/driver-timeout.ts";
import { createOwnership, type Ownership } from "../driver/ownership.ts";
import { createLists, type Lists } from "../lists/lists.ts";
import { createManifest } from "../log/checkpoint.ts";
import { documentSegmentKey } from "../segments/segment.ts";
import { repairDocuments } from "./repair-documents.ts";
import { type OnDocument, type Survey, surveyStorage } from "./survey.ts";

/** What a repair found and changed in documents, lists and the log. */
export interface StoreRepair {
  /** Number of items that were read. */
  readonly checked: number;
  /** Keys of damaged items, of missing items that others refer to, and of a manifest that is of an earlier checkpoint. */
  readonly damaged: readonly string[];
  /** Names of lists that were unreadable, or had different rows than the documents. */
  readonly rebuilt: readonly string[];
  /** Keys of lost documents, and of log segments whose commits are lost. */
  readonly lost: readonly string[];
  /** Removed entries that belonged to a lost document: rows as `LIST/ID`, and keys of dependent documents. */
  readonly orphaned: readonly string[];
  /**
   * Rows, as `LIST/ID`, that belong to more than one document. This isn't storage damage but a bug in the code that wrote
   * them. A repair leaves them unchanged.
   */
  readonly shared: readonly string[];
}

/**
 * Checks all items of a storage except blobs, and repairs what it can. Takes over the storage first, which
 * fences a process that still uses it. Writes nothing else if nothing is damaged. A torn record at the end of the log,
 * which a crash leaves, is not damage. Keeps all rows in memory.
 *
 * @param parts.references Documents that depend on another one and are removed if that is lost.
 * @param parts.onDocument Sees every document.
 * @param parts.onSurvey Sees what was found, before anything is changed.
 * @param parts.isDryRun Only reports. Doesn't take over the storage and writes nothing.
 * @throws StepwellError `unavailable` if the driver fails or another process takes over. The repair can be run again
 * then.
 */
export async function repairStorage(parts: {
  driver: Driver;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  hash: Hash;
  references?: References;
  onDocument?: OnDocument;
  onSurvey?: (survey: Survey) => Promise<void>;
  isDryRun?: boolean;
}): Promise<StoreRepair> {
  const { driver, clock, ids, logger, hash, references = {}, isDryRun = false, onDocument } = parts;
  const ownership = createOwnership({ driver, clock, ids, logger });
  try {
    const items = createChecksummedItems({
      driver: ownership.driver,
      clock,
      codec: createChecksumCodec(hash),
      timeoutMs: DEFAULT_TIMEOUT_MS,
    });
    const lists = createLists(items, ownership);
    if (!isDryRun) await takeOwnershipAsLatest(ownership);
    const keys = (await ownership.driver.getKeys("", {})).sort();
    const survey = await surveyStorage({ items, lists, keys, references, onDocument });
    await parts.onSurvey?.(survey);
    const { checked, lost, orphaned, shared } = survey;
    const damaged = [...survey.damaged].sort();
    const rebuilt = survey.lists.filter((list) => list.isDamaged).map(({ name }) => name);
    if (!isDryRun && damaged.length + rebuilt.length > 0) await rewrite({ survey, items, lists, ownership, keys });
    return { checked, damaged, rebuilt, lost, orphaned, shared };
  } finally {
    ownership.release();
  }
}

/** Takes over with a greater generation than all log segments and leaves, even if no manifest is intact. */
async function takeOwnershipAsLatest(ownership: Ownership): Promise<void> {
  await ownership.take();
  for (;;) {
    const keys = await ownership.driver.getKeys("", {});
    const latest = keys.reduce((max, key) => Math.max(max, Number(GENERATION_IN_KEY.exec(key)?.[1] ?? 0)), 0);
    if (latest < ownership.generation) return;
    await ownership.verify();
    await ownership.take(latest);
  }
}

/** Stores everything that the survey found, as a checkpoint does, and cuts the log. */
async function rewrite(parts: {
  survey: Survey;
  items: ChecksummedItems;
  lists: Lists;
  ownership: Ownership;
  keys: readonly string[];
}): Promise<void> {
  const { survey, items, lists, ownership, keys } = parts;
  const existing = new Set(keys);
  for (const key of survey.damaged) if (existing.has(key)) await keepCopy(key, ownership);
  // Whatever nothing was taken from is only moved out of the way.
  for (const name of survey.documents.segments.unread) await keepCopy(documentSegmentKey(name), ownership);
  const documents = await repairDocuments({ survey, items, ownership, keys });
  // What is left of segments counts until the manifest names others.
  for (const key of survey.damaged) if (/^(list|manifest):/.test(key)) await items.remove(key);
  for (const { name, rows, isDamaged, isChanged } of survey.lists) {
    if (!isDamaged && !isChanged) continue;
    const leaves = keys.filter((key) => key.startsWith(`list:${name}:`)).map((key) => key.split(":")[2] ?? "");
    await lists.replace(name, sortRows(rows), leaves.filter(isLeaf));
  }
  await lists.save();
  const manifest = createManifest(items);
  await manifest.read();
  const obsolete = [...keys.filter((key) => key.startsWith("log:")), ...documents.obsolete];
  await manifest.write({
    start: survey.next,
    log: { generation: ownership.generation, first: survey.next, earlier: [] },
    documents: documents.levels,
    nextSegment: documents.nextSegment,
    obsolete,
  });
  for (const key of obsolete) await items.remove(key);
}

async function keepCopy(key: string, { generation, driver }: Ownership): Promise<void> {
  const item = await driver.getItem(key);
  if (item !== null) await driver.setItem?.(`damaged:${generation}:${key}`, String(item), {});
}

/** Keys of log segments, segments of documents and list leaves contain the generation of the owner that wrote them. */
const GENERATION_IN_KEY = /^(?:documents|log|list:[^:]*):(\d{1,15})\./;

/** Roots are named `a` and `b`. */
function isLeaf(name: string): boolean {
  return name !== "a" && name !== "b";
}

/** Sorts rows, because appending in order is fast. */
function sortRows(rows: ReadonlyMap<string, Row>): Row[] {
  const orderOf = ({ id, order = id }: Row) => order;
  return [...rows.values()].sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
}
