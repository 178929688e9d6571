/** Documents in segments: few items, little that is stored twice, and little in memory, whatever is stored. */
import { expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { createIds } from "../../src/ids.ts";
import type { Key } from "../../src/ports/store.ts";
import { createChecksumCodec } from "../../src/storage/driver/checksum.ts";
import { createChecksummedItems } from "../../src/storage/driver/checksummed-items.ts";
import { createOwnership } from "../../src/storage/driver/ownership.ts";
import { NO_TURNS } from "../../src/storage/log/checkpoint-pacing.ts";
import { createDocumentSegments, type DocumentSegments } from "../../src/storage/segments/document-segments.ts";
import { type Entry, formatEntry } from "../../src/storage/segments/entry.ts";
import { sizeOf } from "../../src/storage/segments/levels.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { type Data, driverOf } from "../support/storage/damaged-storage.ts";
import { openStore, silent } from "../support/storage/open.ts";
import { isSegment, manifestIn, storedDocuments } from "../support/storage/stored-documents.ts";

const codec = createChecksumCodec(nodeHash);
const TEXT = "x".repeat(300);

/** Random numbers, the same in each run. */
function randomNumbers(): (below: number) => number {
  let state = 12_345;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Tested {
  readonly data: Data;
  readonly segments: DocumentSegments;
  /** Stores changes as a checkpoint does. Null deletes. Returns the characters that it wrote. */
  checkpoint(changes: ReadonlyMap<string, string | null>): Promise<number>;
}

async function open(): Promise<Tested> {
  const data: Data = new Map();
  const driver = driverOf(data);
  const ids = createIds(systemClock);
  const ownership = createOwnership({ driver, clock: systemClock, ids, logger: silent });
  await ownership.take();
  const items = createChecksummedItems({ driver: ownership.driver, clock: systemClock, codec, timeoutMs: 1_000 });
  const segments = createDocumentSegments(items, ownership);
  let cut = 0;

  async function checkpoint(changes: ReadonlyMap<string, string | null>): Promise<number> {
    cut++;
    const keys = [...changes.keys()].sort();
    const found = await segments.find(keys);
    const entries = keys.map((key): Entry => {
      const json = changes.get(key) ?? null;
      const document = json === null ? null : { version: cut, json, rows: [] };
      const before = found.get(key);
      return {
        key,
        line: formatEntry(codec, key, document, [1, cut]),
        replaced: before !== undefined && "size" in before ? before.size : 0,
      };
    });
    const batches = async function* () {
      yield entries;
    };
    const before = new Set(data.keys());
    const { levels, obsolete } = await segments.store(batches(), NO_TURNS);
    const written = [...data].filter(([key]) => !before.has(key)).reduce((sum, [, text]) => sum + text.length, 0);
    segments.use(levels);
    for (const key of obsolete) data.delete(key);
    return written;
  }
  return { data, segments, checkpoint };
}

it("Random changes are read back, take at most 1.5 times their size and few items, and are rewritten a few times", async () => {
  const { data, segments, checkpoint } = await open();
  const random = randomNumbers();
  const expected = new Map<string, string>();
  let added = 0;
  let written = 0;
  for (let round = 0; round < 30; round++) {
    const changes = new Map<string, string | null>();
    for (let n = 0; n < 500; n++) {
      const key = `thing:${String(random(8_000)).padStart(6, "0")}`;
      const isDeleted = round > 15 && random(3) > 0;
      const json = isDeleted ? null : JSON.stringify({ n: random(1_000), text: TEXT });
      if (json === null && !expected.has(key)) continue;
      changes.set(key, json);
      if (json === null) expected.delete(key);
      else expected.set(key, json);
    }
    added += 500 * TEXT.length;
    written += await checkpoint(changes);
  }
  expect(written / added).toBeLessThan(15);
  const content = [...expected.values()].reduce((sum, json) => sum + json.length + 60, 0);
  const stored = sizeOf(segments.levels.flat());
  expect([...data].filter(([key]) => isSegment(key)).reduce((sum, [, text]) => sum + text.length, 0)).toBe(stored);
  expect(stored / content).toBeLessThan(1.6);
  expect([...data.keys()].filter(isSegment).length).toBeLessThan(expected.size / 500 + 2);

  const keys = Array.from({ length: 8_000 }, (_, n) => `thing:${String(n).padStart(6, "0")}`);
  const found = await segments.find(keys);
  const wrong = keys.filter((key) => {
    const entry = found.get(key);
    const document = entry !== undefined && "document" in entry ? entry.document : null;
    return (document === null ? undefined : JSON.stringify(document.document)) !== expected.get(key);
  });
  expect(wrong).toEqual([]);
});

it("Documents that are only added are rewritten a few times, and fill their segments", async () => {
  const { checkpoint, segments } = await open();
  let written = 0;
  let next = 0;
  for (let round = 0; round < 15; round++) {
    const changes = new Map<string, string>();
    for (let n = 0; n < 2_000; n++, next++) {
      const kind = ["file", "run", "thing"][next % 3] ?? "";
      changes.set(`${kind}:${String(next).padStart(8, "0")}`, JSON.stringify({ next, text: TEXT }));
    }
    written += await checkpoint(changes);
  }
  const stored = sizeOf(segments.levels.flat());
  expect(written / stored).toBeLessThan(6);
  expect(segments.levels.flat().length).toBeLessThan(next / 500);
  expect(segments.levels.length).toBeLessThan(8);
});

it.each([
  [2_000, 3],
  [9_000, 1.5],
])(
  "Runs of which %i are added at a time are written at most %f times, whatever else is stored",
  async (added, most) => {
    const { checkpoint, segments } = await open();
    await checkpoint(
      new Map([
        ["app:1", "{}"],
        ["workflow:1", "{}"],
      ]),
    );
    let written = 0;
    for (let next = 0; next < 36_000; ) {
      const changes = new Map<string, string>();
      for (const end = next + added; next < end; next++) {
        changes.set(`run:${String(next).padStart(8, "0")}`, JSON.stringify({ next, text: TEXT }));
      }
      written += await checkpoint(changes);
    }
    expect(written / sizeOf(segments.levels.flat())).toBeLessThan(most);
    expect(segments.levels.flat().length).toBeLessThan(36_000 / 500);
  },
);

it("A checkpoint writes a limited part of what is stored", async () => {
  const { checkpoint, segments } = await open();
  const all = new Map<string, string>();
  for (let n = 0; n < 12_000; n++) all.set(`thing:${String(n).padStart(6, "0")}`, JSON.stringify({ n, text: TEXT }));
  await checkpoint(all);
  const random = randomNumbers();
  const longest: number[] = [];
  for (let round = 0; round < 20; round++) {
    const changes = new Map<string, string>();
    for (let n = 0; n < 50; n++) {
      changes.set(`thing:${String(random(12_000)).padStart(6, "0")}`, JSON.stringify({ n, text: TEXT }));
    }
    longest.push(await checkpoint(changes));
  }
  expect(Math.max(...longest)).toBeLessThan(sizeOf(segments.levels.flat()) / 2);
});

it("Memory of indexes and blocks does not grow with what is read", async () => {
  const { checkpoint, segments } = await open();
  const text = "x".repeat(2_000);
  const all = new Map<string, string>();
  for (let n = 0; n < 4_000; n++) all.set(`thing:${String(n).padStart(6, "0")}`, JSON.stringify({ n, text }));
  await checkpoint(all);
  for (const key of all.keys()) await segments.find([key]);
  expect(segments.memory).toBeLessThan(5 * 2 ** 20);
});

it("A document that is created and deleted between two checkpoints is not written, also after a crash", async () => {
  const data: Data = new Map();
  const store = openStore(driverOf(data));
  const commit = (key: Key, document: object | null, expected: number | null) =>
    store.commit([{ key, document, expected }]);
  await commit("thing:kept", {}, null);
  await commit("thing:short", { text: "short-lived" }, null);
  await commit("thing:short", null, 1);
  // The process ends without a checkpoint. The next one reads the log.
  const next = openStore(driverOf(data));
  await next.get("thing:kept");
  await next.close();
  expect([...storedDocuments(data).keys()]).toEqual(["thing:kept"]);
  expect([...data].filter(([key, text]) => isSegment(key) && text.includes("thing:short"))).toEqual([]);
  expect(manifestIn(data)?.documents.flat()).toMatchObject([{ count: 1, first: "thing:kept", replaced: 0 }]);
});

it("Texts beyond ASCII are stored as they are", async () => {
  const data: Data = new Map();
  const document = { text: "ü 漢字 😀 \u007f \u2028" };
  const store = openStore(driverOf(data));
  await store.commit([{ key: "thing:a", document, rows: [{ list: "things", put: { id: "a", text: "ü漢😀" } }] }]);
  await store.close();
  const next = openStore(driverOf(data));
  expect(await next.get("thing:a")).toEqual({ version: 1, document });
  await next.close();
  expect(storedDocuments(data).get("thing:a")).toMatch(/^[ -~]*$/);
});
