/** A manifest that was restored from a backup, without the segments of documents that belong to it. */
import { beforeAll, describe, expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { createIds } from "../../src/ids.ts";
import type { Key, Store } from "../../src/ports/store.ts";
import { repairStorage } from "../../src/storage/repair/repair.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { type Data, driverOf, openData } from "../support/storage/damaged-storage.ts";
import { expectIntact } from "../support/storage/expect-intact.ts";
import { silent } from "../support/storage/open.ts";
import { isSegment, manifestIn, storedDocuments } from "../support/storage/stored-documents.ts";

const ids = createIds(systemClock);
const repair = (data: Data) =>
  repairStorage({ driver: driverOf(data), clock: systemClock, ids, logger: silent, hash: nodeHash });

const SESSIONS = 6;
const COUNT = 12;
const COPIES = ["manifest:a", "manifest:b"] as const;
const keys = Array.from({ length: COUNT }, (_, n): Key => `thing:${n}`);

let whole: Data;
/** Every manifest that the storage had, oldest first, without the last one. */
let manifests: Map<string, string>[];
let right: readonly (number | null)[];

const manifestOf = (data: Data) => new Map(COPIES.map((key) => [key, data.get(key) ?? ""]));

/** The number that each document has. */
async function valuesIn(store: Store): Promise<readonly (number | null)[]> {
  const found = await store.getMany<{ value: number }>(keys);
  return found.map((stored) => stored?.document.value ?? null);
}

/** Changes a document; every seventh change deletes one. */
async function change(store: Store, value: number): Promise<void> {
  const id = String(value % COUNT);
  const key: Key = `thing:${id}`;
  const isDeleted = value % 7 === 6;
  const row = isDeleted ? { list: "things", delete: id } : { list: "things", put: { id } };
  const expected = (await store.get(key))?.version ?? null;
  const document = isDeleted ? null : { value, text: "x".repeat(9_000) };
  await store.commit([{ key, document, expected, rows: [row] }]);
}

beforeAll(async () => {
  whole = new Map();
  const texts = new Map<string, Map<string, string>>();
  const first = openData(whole);
  // So much that what comes later is not merged with it.
  for (let n = 0; n < 40; n++) await first.commit([{ key: `other:${n}`, document: { text: "x".repeat(20_000) } }]);
  await first.close();
  texts.set("first", manifestOf(whole));
  for (let session = 0; session < SESSIONS; session++) {
    const store = openData(whole, { checkpointRecords: 3 });
    for (let n = 0; n < COUNT; n++) {
      await change(store, session * COUNT + n);
      const manifest = manifestOf(whole);
      if (manifest.get("manifest:a") === manifest.get("manifest:b")) texts.set([...manifest.values()].join(), manifest);
    }
    await store.close();
    const manifest = manifestOf(whole);
    texts.set([...manifest.values()].join(), manifest);
  }
  manifests = [...texts.values()].slice(0, -1);
  const store = openData(new Map(whole));
  right = await valuesIn(store);
  await store.close();
  expect(manifests.length).toBeGreaterThan(SESSIONS);
  expect(right.filter((value) => value === null).length).toBeGreaterThan(0);
});

const names = (data: Data) => (manifestIn(data)?.documents.flat() ?? []).map(({ name }) => `documents:${name}`);
/** The storage with an earlier manifest. Without those that name everything that counts. */
function outdated(): Data[] {
  const all = manifests.map((manifest) => new Map([...whole, ...manifest]));
  const counting = names(whole);
  return all.filter((data) => names(data).length > 0 && counting.some((name) => !names(data).includes(name)));
}

describe("repairStorage with a manifest of an earlier checkpoint", () => {
  it("keeps all documents of later checkpoints", async () => {
    const all = outdated();
    expect(all.some((data) => names(data).some((name) => !data.has(name)))).toBe(true);
    expect(all.some((data) => names(data).every((name) => data.has(name)))).toBe(true);
    for (const data of all) {
      expect(await repair(data)).toMatchObject({ lost: [], orphaned: [], damaged: [...COPIES] });
      await expectIntact(driverOf(data));
      const store = openData(data);
      expect(await valuesIn(store)).toEqual(right);
      await store.close();
    }
  });

  it("keeps them also if a service was started with it", async () => {
    for (const data of outdated()) {
      const before = openData(data);
      await before.get("thing:0").catch(() => null);
      await before.close();
      await repair(data);
      const store = openData(data);
      expect(await valuesIn(store)).toEqual(right);
      await store.close();
    }
  });
});

it("A storage is not opened if the owner of the manifest has stored segments after it and cut the log", async () => {
  const data: Data = new Map();
  const written = openData(data);
  await change(written, 0);
  const manifest = manifestOf(data);
  await written.close();
  for (const [key, text] of manifest) data.set(key, text);
  const before = new Map(data);

  const store = openData(data);
  await expect(store.get("thing:0")).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/manifest.*restore the whole storage/),
  });
  await store.close();
  expect([...data.keys()].filter(isSegment)).toEqual([...before.keys()].filter(isSegment));
  expect(await repair(data)).toMatchObject({ lost: [], orphaned: [], damaged: [...COPIES] });
  const repaired = openData(data);
  expect(await repaired.get("thing:0")).toMatchObject({ document: { value: 0 } });
  await repaired.close();
});

it("A repair keeps a copy of a segment that it takes nothing from", async () => {
  const [segment = ""] = [...whole.keys()].filter(isSegment);
  const data = new Map(whole).set("documents:1.999", whole.get(segment) ?? "").set("list:things:a", "damaged");
  await repair(data);
  expect([...data].filter(([key]) => key.endsWith(":documents:1.999"))).toEqual([
    [expect.stringMatching(/^damaged:/), whole.get(segment)],
  ]);
  expect(new Set(storedDocuments(data).keys())).toEqual(new Set(storedDocuments(whole).keys()));
});
