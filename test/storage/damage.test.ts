/** Storage that is truncated, damaged or written by another process: the store reports it and never guesses. */
import { beforeEach, describe, expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import memoryDriver from "../../adapters/storage/memory.ts";
import { createIds } from "../../src/ids.ts";
import type { ExtendedDriver } from "../../src/ports/driver.ts";
import type { Store } from "../../src/ports/store.ts";
import { createDriverStore } from "../../src/storage/store.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { createGate } from "../support/gate.ts";
import { faultyDriver, GENERATION } from "../support/storage/faulty.ts";
import { openStore, silent } from "../support/storage/open.ts";
import { changeDocument, isSegment, loseDocument, storedDocuments } from "../support/storage/stored-documents.ts";
import { until } from "../support/until.ts";

let data: Map<string, string>;
const open = (options = {}) => openStore(faultyDriver(data, "rejects", 0).driver, options);

const create = (store: Store, id: string) =>
  store.commit([{ key: `thing:${id}`, document: { id }, expected: null, rows: [{ list: "things", put: { id } }] }]);
const ids = async (store: Store) => (await store.list("things", { limit: 10 })).ids;

const firstHalf = (text: string) => text.slice(0, text.length >> 1);
const segmentKeys = () => [...data.keys()].filter((key) => key.startsWith("log:")).sort();
const change = (key: string, transform: (text: string) => string) => data.set(key, transform(data.get(key) ?? ""));

/** The kinds of damage to a text, and what is left of it. */
const LEFT: readonly [name: string, left: (text: string) => string][] = [
  ["half of it", firstHalf],
  ["nothing", () => ""],
  ["zeros", (text) => "\0".repeat(text.length)],
  ["a changed character", (text) => text.replace("thing", "thinG")],
  ["JSON that we did not write", () => '{"version":1,"document":{}}'],
];

beforeEach(() => {
  data = new Map();
});

describe("a store whose last log record was cut off by a crash", () => {
  it.each(LEFT)("opens without that record, which was never acknowledged, and appends: %s is left", async (_, left) => {
    const before = open();
    for (const id of ["a", "b", "c"]) await create(before, id);
    change(segmentKeys().at(-1) ?? "", left);
    const after = open();
    expect(await ids(after)).toEqual(["b", "a"]);
    await create(after, "c");
    await create(after, "d");
    const last = open();
    expect(await ids(last)).toEqual(["d", "c", "b", "a"]);
  });

  it("removes the torn record when it is closed", async () => {
    const before = open();
    await create(before, "a");
    await create(before, "b");
    const torn = segmentKeys().at(-1) ?? "";
    change(torn, firstHalf);
    const after = open();
    expect(await ids(after)).toEqual(["a"]);
    await after.close();
    expect(data.has(torn)).toBe(false);
  });
});

describe("a store", () => {
  it.each(LEFT)(
    "does not open and changes nothing when an earlier log record is damaged: %s is left",
    async (_, left) => {
      const before = open();
      for (const id of ["a", "b", "c"]) await create(before, id);
      change(segmentKeys()[1] ?? "", left);
      const found = new Map(data);
      const after = open();
      await expect(ids(after)).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("log:") });
      await expect(create(after, "d")).rejects.toMatchObject({ code: "unavailable" });
      await after.close();
      expect(data).toEqual(new Map([...found, [GENERATION, data.get(GENERATION)]]));
    },
  );

  it("does not open when any log record except the last is missing or torn", async () => {
    const before = open();
    // More than the store reads at once.
    const count = 40;
    for (let n = 0; n < count; n++) await create(before, `id${n}`);
    const whole = new Map(data);
    for (const key of segmentKeys().slice(0, -1)) {
      for (const left of [null, firstHalf(whole.get(key) ?? "")]) {
        data = new Map(whole);
        if (left === null) data.delete(key);
        else data.set(key, left);
        const outcome = await ids(open()).then(
          (found) => `${key} opens with ${found.length}`,
          (error) => error.code,
        );
        expect(outcome).toBe("unavailable");
      }
    }
  });

  it.each(LEFT)("names a damaged document and still reads the others: %s is left", async (_, left) => {
    const before = open();
    for (const id of ["a", "b"]) await create(before, id);
    await before.close();
    expect(changeDocument(data, "thing:a", left)).toBe(true);
    const after = open();
    for (const reading of [after.get("thing:a"), after.getText("thing:a"), after.getText("thing:a", 1)]) {
      await expect(reading).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining('"thing:a"'),
      });
    }
    expect(await after.getText("thing:b")).toBe('{"id":"b"}');
    expect(await after.get("thing:b")).toEqual({ version: 1, document: { id: "b" } });
    expect(await ids(after)).toEqual(["b", "a"]);
  });

  it("names a missing document when a page contains its row, and still reads other pages", async () => {
    const before = open();
    for (const id of ["a", "b"]) await create(before, id);
    await before.close();
    loseDocument(data, "thing:a");
    const after = open();
    const page = (query = {}) => after.listDocuments("things", { limit: 1, ...query }, (id) => `thing:${id}`);
    expect(await page()).toMatchObject({ ids: ["b"], total: 2, documents: [{ document: { id: "b" } }] });
    await expect(page({ offset: 1 })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining('"thing:a"'),
    });
  });

  it("leaves a document out of a page if it is removed while the page is read", async () => {
    const before = open();
    await create(before, "a");
    await before.close();
    const { driver } = faultyDriver(data, "rejects", 0);
    const { released: removed, release: remove } = createGate();
    let reads = 0;
    const getItem = async (key: string) => {
      // The page reads it first, then the commit.
      if (isSegment(key) && reads++ === 0) await removed;
      return driver.getItem(key);
    };
    const store = openStore({ ...driver, getItem }, { checkpointRecords: 1 });
    const page = store.listDocuments("things", { limit: 10 }, (id) => `thing:${id}`);
    await expect(store.list("things", { limit: 10 })).resolves.toMatchObject({ total: 1 });
    await store.commit([{ key: "thing:a", document: null, expected: 1, rows: [{ list: "things", delete: "a" }] }]);
    await until(() => !storedDocuments(data).has("thing:a"));
    remove();
    expect(await page).toMatchObject({ documents: [] });
  });

  it("names a damaged list, and still reads documents and other lists", async () => {
    const before = open();
    await create(before, "a");
    await before.commit([{ key: "thing:b", document: {}, rows: [{ list: "others", put: { id: "b" } }] }]);
    await before.close();
    for (const key of data.keys()) if (/^list:things:\d+\.\d+$/.test(key)) change(key, firstHalf);
    const after = open();
    await expect(ids(after)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining('"things"'),
    });
    expect(await after.get("thing:a")).not.toBeNull();
    expect((await after.list("others", { limit: 1 })).ids).toEqual(["b"]);
  });

  it.each(["manifest", "list:things"])(
    "uses the other copy when the copy of %s that was being written is torn",
    async (name) => {
      const before = open({ checkpointRecords: 1 });
      for (const id of ["a", "b", "c", "d"]) await create(before, id);
      await before.close();
      const copy = new Map(data);
      const sequence = (name: string) => Number(/"sequence":(\d+)/.exec(copy.get(`${name}:${name}`) ?? "")?.[1]);
      const older = sequence("a") < sequence("b") ? "a" : "b";
      change(`${name}:${older}`, firstHalf);
      expect(await ids(open())).toEqual(["d", "c", "b", "a"]);
    },
  );
});

describe("a second store on one storage", () => {
  it("takes it over: the first store rejects everything from then on, and overwrites nothing", async () => {
    const first = open();
    await create(first, "a");
    const second = open();
    expect(await ids(second)).toEqual(["a"]);
    await create(second, "b");
    for (const id of ["c", "d"]) {
      await expect(create(first, id)).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("Another process took it over"),
      });
    }
    await expect(first.get("thing:a")).rejects.toMatchObject({ code: "unavailable" });
    await expect(ids(first)).rejects.toMatchObject({ code: "unavailable" });
    const found = new Map(data);
    await first.close();
    expect([...data].filter(([key]) => found.get(key) !== data.get(key)).map(([key]) => key)).toEqual([]);
    await create(second, "e");
    await second.close();
    expect(await ids(open())).toEqual(["e", "b", "a"]);
  });

  it("takes it over: a write that the first store begins after that is rejected and never read", async () => {
    const first = open();
    await create(first, "a");
    const second = open();
    await ids(second);
    await expect(create(first, "b")).rejects.toMatchObject({ code: "unavailable" });
    await create(second, "c");
    await first.close();
    await second.close();
    expect(await ids(open())).toEqual(["c", "a"]);
  });

  it("is fenced by a takeover that began before its own and takes effect later; no commit is lost", async () => {
    const shared: ExtendedDriver = memoryDriver();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const late: ExtendedDriver = {
      ...shared,
      takeOwnership: (onReplaced, after) => held.then(() => shared.takeOwnership?.(onReplaced, after) ?? null),
    };
    const first = openStore(late);
    const opening = create(first, "a");
    const second = openStore(shared);
    await create(second, "b");
    release();
    await opening;
    await expect(create(second, "c")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("Another process took it over"),
    });
    expect(await ids(first)).toEqual(["b", "a"]);
    await first.close();
  });

  it.each(["notifies at once", "is polled"])(
    "is noticed by the first store without any write, on a driver that %s",
    async (way) => {
      const messages: string[] = [];
      const logger = { ...silent, error: (message: string) => void messages.push(message) };
      const shared = memoryDriver();
      const driver: ExtendedDriver = {
        ...shared,
        async takeOwnership(onReplaced, after) {
          const notifies = way === "notifies at once";
          const owner = await shared.takeOwnership?.(notifies ? onReplaced : () => undefined, after);
          return owner == null || notifies ? (owner ?? null) : { ...owner, verifyIntervalMs: 5 };
        },
      };
      const first = createDriverStore({
        driver,
        clock: systemClock,
        ids: createIds(systemClock),
        logger,
        hash: nodeHash,
      });
      await create(first, "a");
      expect(await ids(openStore(driver))).toEqual(["a"]);
      await until(() => messages.length === 1);
      await expect(ids(first)).rejects.toMatchObject({ code: "unavailable" });
      await expect(create(first, "b")).rejects.toMatchObject({ code: "unavailable" });
      expect(messages).toHaveLength(1);
    },
  );
});
