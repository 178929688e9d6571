/**
 * Repairs a storage of which items are damaged or missing. Documents know their rows, so every list can be built again
 * from them; a document of which nothing is left is lost, and its rows go.
 *
 * Whatever is damaged is kept under `damaged:GENERATION:KEY`. Documents and pages of lists are written first, then the
 * roots of lists, then the manifest; a repair that is cut off can be started again.
 */
import type { References } from "../../documents/documents.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Driver } from "../../ports/driver.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Row } from "../../ports/store.ts";
import { createDocumentCache } from "../documents/document-cache.ts";
import { NO_ROWS } from "../documents/document-rows.ts";
import { createChecksumCodec } from "../driver/checksum.ts";
import { type ChecksummedItems, createChecksummedItems } from "../driver/checksummed-items.ts";
import { DEFAULT_TIMEOUT_MS } from "../driver/driver-timeout.ts";
import { createOwnership, type Ownership } from "../driver/ownership.ts";
import { isKey } from "../keys.ts";
import { createLists, type Lists } from "../lists/lists.ts";
import { createManifest } from "../log/checkpoint.ts";
import { type Survey, surveyStorage } from "./survey.ts";

export interface RepairReport {
  /** How many items were read. */
  readonly checked: number;
  /** Keys of items that are not what was stored, and of items that are missing though others name them. */
  readonly damaged: readonly string[];
  /** Names of lists that could not be read, or had other rows than the documents have. */
  readonly rebuilt: readonly string[];
  /** Keys of documents of which nothing is left, and of segments of the log that held commits which are lost. */
  readonly lost: readonly string[];
  /** Rows of lists, as `LIST/ID`, and keys of documents that stood for a document of which nothing is left: removed. */
  readonly orphaned: readonly string[];
  /**
   * Rows of lists, as `LIST/ID`, that more than one document has. No damage of the storage but a mistake of what wrote to
   * it: a repair leaves them as they are.
   */
  readonly shared: readonly string[];
}

/**
 * Checks all items of a storage but the bytes of files, and repairs what can be repaired. Takes the storage over first,
 * so that a process which still uses it is fenced. Nothing else is written where nothing is damaged. The torn end that a
 * crash leaves in the log is not damage. Needs memory for all rows.
 *
 * @param parts.references Documents that are of no use without another one: they go with one that is lost.
 * @param parts.isDryRun Only reports; neither takes the storage over nor writes.
 * @throws StepwellError `unavailable` when the driver failed, or another process took over; it can be run again then
 */
export async function repairStorage(parts: {
  driver: Driver;
  clock: Clock;
  logger: Logger;
  hash: Hash;
  references?: References;
  isDryRun?: boolean;
}): Promise<RepairReport> {
  const { driver, clock, logger, hash, references = {}, isDryRun = false } = parts;
  const ownership = createOwnership({ driver, clock, logger });
  try {
    if (!isDryRun) await ownership.take();
    const items = createChecksummedItems({
      driver: ownership.driver,
      clock,
      codec: createChecksumCodec(hash),
      timeout: DEFAULT_TIMEOUT_MS,
    });
    const lists = createLists(items, ownership);
    const keys = (await ownership.driver.getKeys("", {})).sort();
    const survey = await surveyStorage({ items, lists, keys, references });
    const { checked, lost, orphaned, shared } = survey;
    const damaged = [...survey.damaged].sort();
    const rebuilt = survey.lists.filter((list) => list.isDamaged).map(({ name }) => name);
    if (!isDryRun && damaged.length + rebuilt.length > 0) await rewrite({ survey, items, lists, ownership, keys });
    return { checked, damaged, rebuilt, lost, orphaned, shared };
  } finally {
    ownership.release();
  }
}

/** Stores all that the survey found as a checkpoint does, and lets the log start anew. */
async function rewrite(parts: {
  survey: Survey;
  items: ChecksummedItems;
  lists: Lists;
  ownership: Ownership;
  keys: readonly string[];
}): Promise<void> {
  const { survey, items, lists, ownership, keys } = parts;
  const there = new Set(keys);
  for (const key of survey.damaged) if (there.has(key)) await setAside(key, items, ownership);
  await storeDocuments(survey, items, ownership.generation);
  for (const key of survey.orphanedDocuments) await setAside(key, items, ownership);
  for (const { name, rows, isDamaged, isChanged } of survey.lists) {
    if (!isDamaged && !isChanged) continue;
    const leaves = keys.filter((key) => key.startsWith(`list:${name}:`)).map((key) => key.split(":")[2] ?? "");
    await lists.replace(name, sortRows(rows), leaves.filter(isLeaf));
  }
  await lists.save();
  const manifest = createManifest(items);
  await manifest.read();
  const segments = keys.filter((key) => key.startsWith("log:"));
  await manifest.write({
    start: survey.next,
    log: { generation: ownership.generation, first: survey.next, earlier: [] },
    obsolete: segments.map((key) => key.slice("log:".length)),
    replaced: [...survey.replaced],
  });
  for (const key of segments) await items.remove(key);
}

async function setAside(key: string, items: ChecksummedItems, ownership: Ownership): Promise<void> {
  const { driver, generation } = ownership;
  const text = await driver.getItem(key);
  await driver.setItem?.(`damaged:${generation}:${key}`, String(text), {});
  await items.remove(key);
}

async function storeDocuments(
  { commits, replaced, next }: Survey,
  items: ChecksummedItems,
  generation: number,
): Promise<void> {
  const documents = createDocumentCache(items, 1);
  documents.ignoreFenced(replaced);
  for (const commit of commits) {
    for (const [key, version, document, rows = NO_ROWS] of commit.documents) {
      if (isKey(key)) documents.apply({ key, version, json: JSON.stringify(document), rows, isNew: false });
    }
  }
  await documents.startSave({ generation, cut: next }).finish(async () => undefined);
}

/** Roots are called `a` and `b`. */
function isLeaf(name: string): boolean {
  return name !== "a" && name !== "b";
}

/** Rows are appended to a list in the time that one of them takes, in order only. */
function sortRows(rows: ReadonlyMap<string, Row>): Row[] {
  const orderOf = ({ id, order = id }: Row) => order;
  return [...rows.values()].sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
}
