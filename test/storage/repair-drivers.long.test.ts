/** Repairing real storages: each kind of damage on each of Stepwell's drivers. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import s3 from "../../adapters/storage/s3.ts";
import { createIds } from "../../src/ids.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { Store } from "../../src/ports/store.ts";
import { repairStorage } from "../../src/storage/repair/repair.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { sample } from "../support/sample.ts";
import { startConditionalS3 } from "../support/servers/conditional-s3.ts";
import { KINDS, type TestStorage } from "../support/storage/drivers.ts";
import { openStore, silent } from "../support/storage/open.ts";
import { isSegment } from "../support/storage/stored-documents.ts";

async function conditionalS3(removesOnCondition: boolean): Promise<TestStorage> {
  const server = await startConditionalS3({ removesOnCondition });
  const options = { bucket: "b", region: "auto", accessKeyId: "id", secretAccessKey: "secret" };
  return { open: () => s3({ endpoint: server.url, ...options }), clean: server.close };
}

/** One of the three S3 services gets every kind of damage, the others one in a document and one in the log. */
const REDUCED_DAMAGES = ["a damaged document", "a damaged record of the log"];
/** A folder has nothing in the log, because its store was closed. */
const NEEDS_LOG = /^a missing segment|log$/;
const REDUCED_STORAGES = ["s3", "s3 that removes without conditions"];
const STORAGES: readonly (readonly [name: string, open: () => Promise<TestStorage>])[] = [
  ...KINDS.filter(({ name }) => ["fs", "redis", "s3"].includes(name)).map(
    ({ name, createStorage }) => [name, createStorage] as const,
  ),
  ["s3 with conditions", () => conditionalS3(true)],
  ["s3 that removes without conditions", () => conditionalS3(false)],
];

/** Writes documents a and b, c, which is removed, d, and after the last checkpoint e and f. */
async function write(open: () => Driver): Promise<Store> {
  const put = (id: string) => ({
    key: `thing:${id}` as const,
    document: { id },
    expected: null,
    rows: [{ list: "things", put: { id } }],
  });
  const first = openStore(open());
  for (const id of ["a", "b", "c"]) await first.commit([put(id)]);
  await first.close();
  const second = openStore(open());
  await second.commit([
    { key: "thing:c", document: null, expected: 1, rows: [{ list: "things", delete: "c" }] },
    put("d"),
  ]);
  await second.close();
  const last = openStore(open());
  for (const id of ["e", "f"]) await last.commit([put(id)]);
  return last;
}

interface Damage {
  /** Whether an item is damaged; `keys` are all keys in order. */
  readonly hits: (key: string, index: number, keys: readonly string[]) => boolean;
  /** Returns the new content of the item. Null to remove it. */
  readonly left: ((text: string) => string) | null;
  /** The expected report. */
  readonly report: object;
  readonly ids: readonly string[];
}

const ALL = ["a", "b", "d", "e", "f"];
const isLog = (key: string) => key.startsWith("log:");
const DAMAGES: readonly (readonly [name: string, damage: Damage])[] = [
  [
    "a damaged document",
    {
      hits: isSegment,
      left: (text) => text.replace('{"id":"a"}', '{"id":"A"}'),
      report: { damaged: [expect.stringMatching(/^documents:/)], lost: ["thing:a"], orphaned: ["things/a"] },
      ids: ["b", "d", "e", "f"],
    },
  ],
  [
    "a missing segment of documents",
    {
      hits: isSegment,
      left: null,
      report: {
        damaged: [expect.stringMatching(/^documents:/)],
        rebuilt: ["things"],
        lost: [expect.stringMatching(/^documents:/)],
        orphaned: ["things/a", "things/b", "things/d"],
      },
      ids: ["e", "f"],
    },
  ],
  [
    "a damaged page of a list",
    {
      hits: (key) => /^list:things:\d/.test(key),
      left: () => "damaged",
      report: { damaged: [expect.stringMatching(/^list:things:/)], rebuilt: ["things"], lost: [] },
      ids: ALL,
    },
  ],
  [
    "a missing root of a list",
    { hits: (key) => /^list:things:[ab]$/.test(key), left: null, report: { rebuilt: ["things"], lost: [] }, ids: ALL },
  ],
  [
    "a damaged manifest",
    {
      hits: (key) => key.startsWith("manifest:"),
      left: () => "damaged",
      report: { damaged: ["manifest:a", "manifest:b"], lost: [] },
      ids: ALL,
    },
  ],
  [
    "a damaged record of the log",
    {
      hits: (key, index, keys) => index === keys.findIndex(isLog) && isLog(key),
      left: () => "damaged",
      report: { damaged: [expect.stringMatching(/^log:/)], lost: [expect.stringMatching(/^log:/)] },
      ids: ["a", "b", "d", "f"],
    },
  ],
];

describe.each(sample(STORAGES, ["fs", "redis", "s3 with conditions"]))("repairStorage on %s", (name, createStorage) => {
  let storage: TestStorage;
  /** The store of a process that ended without a close, as far as the storage knows. */
  let replaced: Store;
  let driver: Driver;
  beforeEach(async () => {
    storage = await createStorage();
    replaced = await write(storage.open);
    // The owner of a folder must release its lock.
    if (name === "fs") await replaced.close();
    driver = storage.open();
  });
  afterEach(async () => {
    await driver.dispose?.();
    await replaced.close();
    await storage.clean();
  });

  const repair = (isDryRun: boolean) =>
    repairStorage({
      driver,
      clock: systemClock,
      ids: createIds(systemClock),
      logger: silent,
      hash: nodeHash,
      isDryRun,
    });

  async function items(): Promise<Map<string, unknown>> {
    const found = new Map<string, unknown>();
    for (const key of (await driver.getKeys("", {})).sort()) found.set(key, await driver.getItem(key, {}));
    return found;
  }

  it("reports nothing for an undamaged storage, even with a removed document", async () => {
    expect(await repair(true)).toMatchObject({ damaged: [], rebuilt: [], lost: [], orphaned: [], shared: [] });
  });

  const isTested = (what: string) =>
    REDUCED_STORAGES.includes(name) ? REDUCED_DAMAGES.includes(what) : name !== "fs" || !NEEDS_LOG.test(what);
  it.each(DAMAGES.filter(([what]) => isTested(what)))("finds and repairs %s", async (_, damage) => {
    const { hits, left, report, ids } = damage;
    const keys = [...(await items())].flatMap(([key, text]) => (text === null ? [] : [key]));
    const hit = keys.filter(hits);
    expect(hit).not.toEqual([]);
    for (const key of hit) {
      if (left === null) await driver.removeItem?.(key, {});
      else await driver.setItem?.(key, left(String(await driver.getItem(key))), {});
    }
    const before = await items();
    const tried = await repair(true);
    expect(tried).toMatchObject(report);
    expect(await items()).toEqual(before);
    expect(await repair(false)).toEqual(tried);
    expect(await repair(true)).toMatchObject({ damaged: [], rebuilt: [], lost: [], orphaned: [] });
    // The replaced process writes nothing more.
    await replaced.close();
    await driver.dispose?.();
    const store = openStore(storage.open());
    const page = await store.listDocuments<{ id: string }>(
      "things",
      { limit: 10, descending: false },
      (id) => `thing:${id}`,
    );
    expect(page.documents.map(({ document }) => document.id)).toEqual(ids);
    await store.close();
  });
});
