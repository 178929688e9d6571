/** Starts of outputs that are stored as documents of their own: what is read of them, and what is shown. */
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { cutStored } from "../../src/engine/inspection/cut-stored.ts";
import { cutJson } from "../../src/engine/inspection/json-preview.ts";
import { startOfResults, startOfValue } from "../../src/engine/inspection/stored-output.ts";
import { defineService, type JsonObject, type JsonValue, type Step } from "../../src/index.ts";
import type { Key, Store } from "../../src/ports/store.ts";
import type { StoreAdapter } from "../../src/ports/store-adapter.ts";
import { createMemoryData, createMemoryStore } from "../../src/storage/memory-store.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { isLinear } from "../support/cpu-time.ts";
import { memory } from "../support/engine/memory.ts";
import { openService } from "../support/engine/service.ts";
import { openStore } from "../support/storage/open.ts";

const KEY = "output:run_1.0.1";
const LARGE = { at: KEY, chars: 1_000 } as const;
const clock = systemClock;

/** The document in a store that keeps its text, and in one that has written it to its driver, in ASCII. */
async function storesWith(value: JsonValue): Promise<readonly Store[]> {
  const kept = createMemoryStore({ clock, data: createMemoryData() });
  const { driver } = memory(new Map());
  const before = openStore(driver);
  for (const store of [kept, before]) await store.commit([{ key: KEY, document: { value } }]);
  await before.close();
  return [kept, openStore(driver)];
}

const hostile = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: "binary", size: "medium" }),
  fc.constantFrom(
    "\ud800",
    "a\udc00\ud800",
    '\\"\\\\"',
    "\u0000\u007f",
    "🌊",
    JSON.parse('{"__proto__":{"a":[1,"]}"]}}'),
  ),
);
const json = fc.array(hostile, { maxLength: 4 }).map((list): JsonValue => JSON.parse(JSON.stringify(list)));

describe("the start of a stored value", () => {
  it("is the same as that of the value itself", async () => {
    await fc.assert(
      fc.asyncProperty(json, fc.nat(80), async (value, limit) => {
        const chars = JSON.stringify(value).length;
        fc.pre(chars > limit);
        for (const store of await storesWith(value)) {
          expect(await startOfValue({ store, clock }, { at: KEY, chars }, limit)).toEqual(cutJson(value, limit, chars));
          await store.close();
        }
      }),
      { numRuns: 60 },
    );
  });

  it("takes linear time for a text of backslashes", async () => {
    const cut = (size: number) => {
      const text = JSON.stringify("\\".repeat(size / 2));
      return () => [...cutStored(text, size, size)];
    };
    expect(await isLinear(4_000_000, cut)).toBe(true);
  });

  it("is null for a value that is gone", async () => {
    const store = createMemoryStore({ clock, data: createMemoryData() });
    expect(await startOfValue({ store, clock }, LARGE, 10)).toBeNull();
    expect(await startOfResults({ store, clock }, LARGE, 10, undefined)).toBeNull();
  });
});

describe("the start of stored results of items", () => {
  const errors = [{ index: 1, code: "failed", message: 'no "[{\\', attempts: 2 }];

  it("has the counts and errors, and the output or one of its items as far as the limit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { maxLength: 5 }), fc.nat(60), fc.nat(6), async (list, limit, item) => {
        const output: JsonValue[] = JSON.parse(JSON.stringify(list));
        const counts = { total: output.length, succeeded: output.length - 1, failed: 1 };
        const done = output.map((value, index): JsonValue => [index * 2, value]);
        for (const results of [
          { counts, errors, output, done: [] },
          { counts, errors, output: null, done },
        ]) {
          for (const store of await storesWith(results)) {
            const whole = await startOfResults({ store, clock }, LARGE, limit, undefined);
            const cutOutput = cutJson(results.output, limit)?.preview;
            expect(whole?.start?.preview).toBe(cutOutput);
            const shown = cutOutput === undefined ? results.output : null;
            expect(whole?.results).toEqual({ counts, errors, output: shown, done: [] });
            const wanted = results.output === null ? output[item / 2] : output[item];
            const one = await startOfResults({ store, clock }, LARGE, limit, item);
            const cutItem = wanted === undefined ? undefined : cutJson(wanted, limit)?.preview;
            expect(one?.start?.preview).toBe(cutItem);
            const known = cutItem === undefined ? wanted : null;
            if (results.output === null) expect(one?.results.done).toEqual(wanted === undefined ? [] : [[item, known]]);
            else if (wanted !== undefined) expect(Reflect.get(Object(one?.results.output), item)).toEqual(known);
            await store.close();
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it("leaves turns of the event loop to others while it goes through megabytes", async () => {
    const output = Array.from(
      { length: 60_000 },
      (_, id): JsonObject => ({ id, text: "x".repeat(30), deep: [[["}"]]] }),
    );
    const counts = { total: output.length, succeeded: output.length, failed: 0 };
    const [store] = await storesWith({ counts, errors: [], output, done: [] });
    if (store === undefined) throw new Error("There is no store.");
    let turns = 0;
    const counting = { ...clock, nextTurn: (callback: () => void) => void setImmediate(() => ++turns && callback()) };
    const found = await startOfResults({ store, clock: counting }, LARGE, 100, 59_999);
    expect(found?.results.output).toMatchObject({ 59999: output[59_999] });
    // The text is gone through once for its fields, and once for the item.
    expect(turns).toBeGreaterThan((2 * JSON.stringify(output).length) / 200_000);
  });
});

const MANY = 30_000;
const LIMIT = 4_096;

const big = defineService({
  name: "big",
  actions: {
    rows: {
      input: v.object({ count: v.number() }),
      output: v.any(),
      run: ({ count }) => Array.from({ length: count }, (_, id) => ({ id, name: `Row ${id} é`, tags: ["a", "b"] })),
    },
  },
});
const rows = (key: string, more: object): Step =>
  ({ type: "service", key, service: { service: "big", action: "rows", input: { count: MANY } }, ...more }) as Step; // of one type

describe("a run with outputs of megabytes", () => {
  it("is shown by previews that parse none of them, and read as text no more than they show", async () => {
    const { driver } = memory(new Map());
    const parsed: Key[] = [];
    let chars = 0;
    /** Counts what is read. */
    const entities: StoreAdapter = {
      ...{ name: "counting", canBeShared: false },
      createStore() {
        const store = openStore(driver);
        return {
          ...store,
          get(key) {
            parsed.push(key);
            return store.get(key);
          },
          getMany(keys) {
            for (const key of keys) parsed.push(key);
            return store.getMany(keys);
          },
          async getText(key, maxChars) {
            const text = await store.getText(key, maxChars);
            chars += text?.length ?? 0;
            return text;
          },
        };
      },
      blobs: driver,
    };
    const before = await openService({ storage: { entities: driver }, services: [big] });
    const items = { for_each: { items: "[1]", concurrency: 1 } };
    const { id } = await before.start([rows("plain", { destinations: ["each"] }), rows("each", items)]);
    const { steps } = await before.until(id, ({ status }) => status === "succeeded");
    await before.stepwell.close();
    const { stepwell, app } = await openService({ storage: { entities }, services: [big] }, before.app);
    await stepwell.ready();

    const text = JSON.stringify(steps[0]?.output);
    chars = 0;
    const plain = await stepwell.runs.getStep(app, id, "plain", { preview: LIMIT });
    expect(text.startsWith(plain.output_preview ?? "?")).toBe(true);
    expect(new TextEncoder().encode(plain.output_preview)).toHaveLength(LIMIT);
    expect([plain.output, plain.output_bytes]).toEqual([null, expect.closeTo(text.length, -2)]);
    expect(chars).toBeLessThan(8 * LIMIT);
    const each = await stepwell.runs.getStep(app, id, "each", { preview: LIMIT });
    expect(each).toMatchObject({
      output: null,
      items: { total: 1, succeeded: 1, failed: 0 },
      input_missing: "item_required",
    });
    expect(each.output_preview?.startsWith('[[{"id":0,')).toBe(true);
    const item = await stepwell.runs.getStep(app, id, "each", { preview: LIMIT, item: 0 });
    expect([item.output, item.output_preview]).toEqual([null, plain.output_preview]);
    const run = await stepwell.runs.get(app, id, { preview: LIMIT });
    expect(run.steps.map(({ output }) => output)).toEqual([null, null]);
    expect(run.steps.map(({ output_bytes: bytes = 0 }) => Math.abs(bytes - text.length) < 1_000_000)).toEqual([
      true,
      true,
    ]);
    expect(parsed.filter((key) => key.startsWith("output:"))).toEqual([]);
    await stepwell.close();
  });
});
