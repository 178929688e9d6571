/** Processes that die, and drivers that fail, at any call of checkpoints that write several segments and merge them. */
import { beforeAll, expect, it } from "vitest";
import type { Change, Key, Store } from "../../src/ports/store.ts";
import { MAX_SEGMENT_SIZE } from "../../src/storage/segments/merge-entries.ts";
import { callsToFail } from "../support/storage/calls-to-fail.ts";
import { type Data, driverOf, openData } from "../support/storage/damaged-storage.ts";
import { expectIntact } from "../support/storage/expect-intact.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { openStore } from "../support/storage/open.ts";
import { TINY_LEAVES } from "../support/storage/row-lists.ts";
import { isSegment, manifestIn } from "../support/storage/stored-documents.ts";

/** Two of them fill a segment. */
const TEXT = "x".repeat(0.4 * MAX_SEGMENT_SIZE);
const IDS = Array.from({ length: 7 }, (_, n) => `id${n}`);
const LIST = "things";

const keyOf = (id: string): Key => `thing:${id}`;
const put = (id: string, version: number): Change => ({
  key: keyOf(id),
  document: { version, text: TEXT },
  expected: version === 1 ? null : version - 1,
  rows: [{ list: LIST, put: { id, marks: [`version:${version}`] } }],
});
const remove = (id: string, version: number): Change => ({
  ...{ key: keyOf(id), document: null, expected: version, rows: [{ list: LIST, delete: id }] },
});

/** What a session changes, from documents in their first version. Each commit starts a checkpoint. */
const COMMITS: readonly (readonly Change[])[] = [
  [put("id1", 2), put("id4", 2), put("new1", 1)],
  [remove("id2", 1), remove("id3", 1), put("id4", 3)],
  [put("id6", 2), remove("new1", 1), put("new2", 1)],
];

/** The version of each document. */
async function versionsIn(store: Store): Promise<Record<string, number>> {
  const ids = [...IDS, "new1", "new2"];
  const found = await store.getMany<{ version: number }>(ids.map(keyOf));
  const versions = ids.flatMap((id, at): [string, number][] => {
    const stored = found[at];
    return stored == null ? [] : [[id, stored.document.version]];
  });
  const page = await store.list(LIST, { limit: 20, descending: false });
  expect([...page.ids]).toEqual(versions.map(([id]) => id));
  expect(page.total).toBe(versions.length);
  for (const version of [1, 2, 3]) {
    const marked = await store.list(LIST, { limit: 20, descending: false, marks: [[`version:${version}`]] });
    const wanted = versions.filter(([, own]) => own === version).map(([id]) => id);
    expect([marked.ids, marked.total]).toEqual([wanted, wanted.length]);
  }
  return Object.fromEntries(versions);
}

/** The versions after so many commits. */
function versionsAfter(commits: number): Record<string, number> {
  const versions = new Map(IDS.map((id) => [id, 1]));
  for (const { key, document, expected } of COMMITS.slice(0, commits).flat()) {
    const id = key.slice("thing:".length);
    if (document === null) versions.delete(id);
    else versions.set(id, (expected ?? 0) + 1);
  }
  return Object.fromEntries([...versions].sort());
}

let stored: Data;
beforeAll(async () => {
  stored = new Map();
  const store = openData(stored);
  for (const id of IDS) await store.commit([put(id, 1)]);
  await store.close();
  expect(manifestIn(stored)?.documents.flat().length).toBeGreaterThan(2);
});

/** Commits until the process dies. Returns the number of acknowledged commits. */
async function session(driver: ReturnType<typeof faultyDriver>): Promise<number> {
  let acknowledged = 0;
  const work = async () => {
    const store = openStore(driver.driver, { checkpointRecords: 1, timeoutMs: 5_000, leafSizes: TINY_LEAVES });
    for (const commit of COMMITS) {
      await store.commit(commit);
      acknowledged++;
    }
    await store.close();
  };
  await Promise.race([work().catch(() => undefined), driver.death]);
  return acknowledged;
}

/** Expects no segments but those that count. */
function expectNoOthers(data: Data): void {
  const names = manifestIn(data)?.documents.flatMap((level) => level.map(({ name }) => `documents:${name}`));
  expect([...data.keys()].filter(isSegment).sort()).toEqual(names?.sort());
}

async function survive(fault: Fault, at: number): Promise<boolean> {
  const driver = faultyDriver(new Map(stored), fault, at);
  const acknowledged = await session(driver);
  const data = new Map(driver.data);
  // A torn copy of the manifest is damage until the next one is written.
  if (fault !== "tears the write and dies") await expectIntact(driverOf(data), `${fault} at ${at}`);
  const next = openData(data);
  const found = await versionsIn(next);
  const possible = [acknowledged, acknowledged + 1].map(versionsAfter);
  expect(possible).toContainEqual(found);
  await next.commit([{ key: "other:a", document: {} }]);
  await next.close();
  const last = openData(data);
  expect(await versionsIn(last)).toEqual(found);
  await last.close();
  expectNoOthers(data);
  await expectIntact(driverOf(data));
  return driver.calls >= at;
}

it.each(["dies", "dies after the call", "tears the write and dies", "rejects", "loses the response"] as const)(
  "keeps each acknowledged commit and no part of another: the driver %s, at any call",
  async (fault) => {
    const whole = faultyDriver(new Map(stored), "rejects", 0);
    await session(whole);
    for (const at of callsToFail(whole.calls, fault)) expect(await survive(fault, at)).toBe(true);
  },
);

it("leaves only the segments that count", async () => {
  const driver = faultyDriver(new Map(stored), "rejects", 0);
  expect(await session(driver)).toBe(COMMITS.length);
  expectNoOthers(driver.data);
});
