/** Damaged segments of documents: a repair loses only the damaged documents, and names them. */
import { beforeAll, describe, expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { createIds } from "../../src/ids.ts";
import type { Key } from "../../src/ports/store.ts";
import { repairStorage } from "../../src/storage/repair/repair.ts";
import { MAX_SEGMENT_SIZE } from "../../src/storage/segments/merge-entries.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { DAMAGES, type Data, driverOf, openData, withDamage } from "../support/storage/damaged-storage.ts";
import { expectIntact } from "../support/storage/expect-intact.ts";
import { silent } from "../support/storage/open.ts";
import { changeDocument, isSegment, manifestIn } from "../support/storage/stored-documents.ts";

const ids = createIds(systemClock);
const repair = (data: Data) =>
  repairStorage({ driver: driverOf(data), clock: systemClock, ids, logger: silent, hash: nodeHash });

const COUNT = 60;
const TEXT = "x".repeat(MAX_SEGMENT_SIZE / 50);
const idOf = (n: number) => `id${String(n).padStart(3, "0")}`;
const keyOf = (n: number): Key => `thing:${idOf(n)}`;

/** Documents in an older level of two segments, of which every tenth is replaced and every twelfth deleted in a newer one. */
let whole: Data;
let right: Map<string, number>;
beforeAll(async () => {
  whole = new Map();
  const first = openData(whole);
  for (let n = 0; n < COUNT; n++) {
    const rows = [{ list: "things", put: { id: idOf(n) } }];
    await first.commit([{ key: keyOf(n), document: { version: 1, text: TEXT }, expected: null, rows }]);
  }
  await first.close();
  const second = openData(whole);
  for (let n = 0; n < COUNT; n += 10) {
    await second.commit([{ key: keyOf(n), document: { version: 2, text: TEXT }, expected: 1 }]);
  }
  for (let n = 7; n < COUNT; n += 12) {
    await second.commit([{ key: keyOf(n), document: null, expected: 1, rows: [{ list: "things", delete: idOf(n) }] }]);
  }
  await second.close();
  expect(manifestIn(whole)?.documents.map((level) => level.length)).toEqual([1, 2]);
  right = await versionsIn(whole);
});

async function versionsIn(data: Data): Promise<Map<string, number>> {
  const store = openData(data);
  const versions = new Map<string, number>();
  for (let n = 0; n < COUNT; n++) {
    const stored = await store.get<{ version: number }>(keyOf(n)).catch(() => null);
    if (stored !== null) versions.set(keyOf(n), stored.document.version);
  }
  await store.close();
  return versions;
}

const without = (lost: readonly string[]) => new Map([...right].filter(([key]) => !lost.includes(key)));

describe.each(DAMAGES)("a segment that is %s", (_, left) => {
  it("is repaired without what is lost, and nothing older or deleted comes back", async () => {
    for (const key of [...whole.keys()].filter(isSegment)) {
      const data = withDamage(whole, key, left);
      const report = await repair(data);
      expect(report.damaged).toContain(key);
      const found = await versionsIn(data);
      const lost = report.orphaned.map((row) => row.replace("things/", "thing:"));
      const expected = without(lost);
      // Of documents whose keys are unknown, an older version may be left.
      if (!report.lost.includes(key)) expect(found).toEqual(expected);
      for (const [one, version] of expected) expect(found.get(one) ?? 0).toBeLessThanOrEqual(version);
      await expectIntact(driverOf(data));
    }
  });
});

it("A damaged line loses one document, and its older version does not come back", async () => {
  for (const n of [0, 20, 21, 59]) {
    const data = new Map(whole);
    changeDocument(data, keyOf(n), (line) => line.replace('"version"', '"Version"'));
    const store = openData(data);
    await expect(store.get(keyOf(n))).rejects.toMatchObject({ message: expect.stringContaining(`"${keyOf(n)}"`) });
    await store.close();
    expect(await versionsIn(data)).toEqual(without([keyOf(n)]));
    expect(await repair(data)).toMatchObject({ lost: [keyOf(n)], orphaned: [`things/${idOf(n)}`] });
    expect(await versionsIn(data)).toEqual(without([keyOf(n)]));
  }
});

it("A damaged index loses nothing", async () => {
  const data = new Map(whole);
  for (const [key, text] of whole) if (isSegment(key)) data.set(key, text.replace('"keys"', '"Keys"'));
  expect(await versionsIn(data)).toEqual(new Map());
  expect(await repair(data)).toMatchObject({ lost: [], orphaned: [] });
  expect(await versionsIn(data)).toEqual(right);
});

it("Without a manifest, the latest version of each document is found", async () => {
  const data = new Map(whole);
  for (const copy of ["a", "b"]) data.delete(`manifest:${copy}`);
  expect(await repair(data)).toMatchObject({ damaged: ["manifest:a", "manifest:b"], lost: [], orphaned: [] });
  expect(await versionsIn(data)).toEqual(right);
  await expectIntact(driverOf(data));
});

it("A damaged segment does not keep checkpoints from storing other documents", async () => {
  const [segment = ""] = (manifestIn(whole)?.documents.at(-1) ?? []).map(({ name }) => `documents:${name}`);
  const data = new Map(whole).set(segment, "damaged");
  for (let n = 0; n < 5; n++) {
    const store = openData(data);
    await store.commit([{ key: `new:${n}`, document: { text: TEXT } }]);
    await store.close();
  }
  expect([...data.keys()].filter((key) => key.startsWith("log:"))).toEqual([]);
  const store = openData(data);
  expect(await store.getMany(["new:0", "new:4"])).toMatchObject([{ version: 1 }, { version: 1 }]);
  await store.close();
});
