/** What a call of sandboxed code costs depends on the data that it reads, not on all the data that it could read. */
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { createQuickjsSandbox } from "../../adapters/sandbox/quickjs.ts";
import type { Step } from "../../src/index.ts";
import { jsonProblem } from "../../src/json.ts";
import type { SandboxLimits } from "../../src/ports/sandbox.ts";
import { openService } from "../support/engine/service.ts";

const MEBI = 1024 * 1024;
const LIMITS: SandboxLimits = {
  memoryBytes: 64 * MEBI,
  timeoutMs: 600_000,
  stackBytes: MEBI,
  outputCharacters: 10 * MEBI,
};
const sandbox = createQuickjsSandbox({ threads: 1 });
afterAll(() => sandbox.close());
afterEach(() => vi.restoreAllMocks());

async function value(code: string, globals: Record<string, unknown>, limits: Partial<SandboxLimits> = {}) {
  return (await sandbox.run({ code, globals, limits: { ...LIMITS, ...limits } })).value;
}

/** Counts the characters that are sent to threads from now on. */
function sentCharacters(): () => number {
  const post = vi.spyOn(Worker.prototype, "postMessage");
  return () => post.mock.calls.reduce((sum, [message]) => sum + JSON.stringify(message).length, 0);
}

/** A step that is larger than what is sent in each call. */
const large = (seed: number) => ({
  status: "succeeded",
  output: Array.from({ length: 500 }, (_, n) => `item ${n * seed}`),
});

describe("a code step with for_each", () => {
  const steps = (code: string): Step[] => [
    {
      type: "input",
      key: "in",
      input: { count: { type: "number" }, text: { type: "string" } },
      destinations: ["list"],
    },
    {
      type: "code",
      key: "list",
      code: "return Array.from({ length: input.count }, (_, n) => ({ n, text: 'x'.repeat(500) }))",
      destinations: ["each"],
    },
    { type: "code", key: "each", code, for_each: { items: "{{ steps.list.output }}" } },
  ];

  it("sends what its items share a fixed number of times", async () => {
    const own = createQuickjsSandbox({ threads: 1 });
    const service = await openService({ sandbox: own });
    const characters = async (count: number): Promise<number> => {
      const sent = sentCharacters();
      const run = await service.run(steps("return item.n * 2"), { count, text: "y".repeat(100_000) });
      expect(run).toMatchObject({ status: "succeeded" });
      expect(run.output).toEqual(Array.from({ length: count }, (_, n) => n * 2));
      const found = sent();
      vi.restoreAllMocks();
      return found;
    };
    const [few, many] = [await characters(20), await characters(200)];
    // Each item brings itself and what is small; the list is sent twice: by the first item, and to be kept.
    const perItem = (many - few) / 180;
    expect(perItem).toBeLessThan(5_000);
    await service.stepwell.close();
  });

  it("sees the same input and steps in each item", async () => {
    const own = createQuickjsSandbox({ threads: 2 });
    const service = await openService({ sandbox: own });
    const code = "return [input.text.length, steps.list.output[index].n === item.n, steps.list.output.length, index]";
    const run = await service.run(steps(code), { count: 50, text: "y".repeat(10_000) });
    expect(run.output).toEqual(Array.from({ length: 50 }, (_, index) => [10_000, true, 50, index]));
    await service.stepwell.close();
  });
});

describe("globals of sandboxed code", () => {
  it("that recur are sent once, also in a container that is new in each call", async () => {
    const one = large(1);
    const other = large(2);
    const code = "return [steps.one.output.length, steps.other.output[2], n]";
    await value(code, { steps: { one, other }, n: 0 });
    await value(code, { steps: { one, other }, n: 1 });
    const sent = sentCharacters();
    for (let n = 2; n < 10; n++) expect(await value(code, { steps: { one, other }, n })).toEqual([500, "item 4", n]);
    expect(sent()).toBeLessThan(8 * 600);
  });

  it("are kept up to a limit, and sent again after that", async () => {
    const own = createQuickjsSandbox({ threads: 1 });
    const each = Array.from({ length: 6 }, (_, seed) => ({ list: [`${seed}`, "x".repeat(8 * MEBI)] }));
    const read = async (seed: number) => {
      const call = { code: "return input.list[0]", globals: { input: each[seed] }, limits: LIMITS };
      return (await own.run(call)).value;
    };
    for (let round = 0; round < 3; round++) {
      for (const seed of each.keys()) expect(await read(seed)).toBe(`${seed}`);
    }
    const sent = sentCharacters();
    expect(await read(5)).toBe("5");
    expect(sent()).toBeLessThan(1_000);
    expect(await read(0)).toBe("0");
    expect(sent()).toBeGreaterThan(8 * MEBI);
    await own.close();
  });

  it("take memory only if the code reads them", async () => {
    const input = { list: Array(500_000).fill({}), rate: 7, nested: { deep: { list: Array(500_000).fill({}) }, n: 1 } };
    const limits = { memoryBytes: 8 * MEBI };
    expect(await value("return [input.rate, input.nested.n, Object.keys(input)]", { input }, limits)).toEqual([
      ...[7, 1],
      ["list", "rate", "nested"],
    ]);
    await expect(value("return input.list.length", { input }, limits)).rejects.toMatchObject({ limit: "memoryBytes" });
    await expect(value("return input.nested.deep.list.length", { input }, limits)).rejects.toMatchObject({
      limit: "memoryBytes",
    });
  });

  it("are like any other value, however large they are", async () => {
    const long = (text: string) => `${text}${"x".repeat(5_000)}`;
    const json = fc.jsonValue({ maxDepth: 4 }).filter((given) => jsonProblem(given) === null);
    const withLong = fc.dictionary(
      fc.constantFrom("a", "b", "1", "toString"),
      fc.oneof(
        json,
        json.map((given) => [given, long("")]),
      ),
    );
    const anyGlobals = fc.record({
      input: fc.oneof(withLong, json),
      steps: fc.dictionary(
        fc.string({ maxLength: 3 }).filter((key) => key !== "__proto__"),
        withLong,
      ),
    });
    await fc.assert(
      fc.asyncProperty(anyGlobals, async (given) => {
        const globals = structuredClone(given);
        for (let time = 0; time < 3; time++) {
          expect(await value("return { input, steps }", globals)).toEqual(JSON.parse(JSON.stringify(given)));
          expect(await value("return [Object.keys(steps), structuredClone(steps), { ...steps }]", globals)).toEqual(
            JSON.parse(JSON.stringify([Object.keys(given.steps), given.steps, given.steps])),
          );
        }
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ["replaced", "input.list = 1; steps = 2; return [input.list, steps]", [1, 2]],
    ["replaced in a copy", "const copy = { ...input }; copy.list = 1; return [copy.list, input.list.length]", [1, 500]],
    ["deleted", "delete input.list; return [input.list ?? null, Object.keys(input)]", [null, ["n"]]],
    ["changed", "input.list.push('new'); return [input.list.length, input.list[500]]", [501, "new"]],
    [
      "read when they are frozen",
      "Object.freeze(input); return [input.list.length, input.list === input.list]",
      [500, true],
    ],
    ["hidden", "const input = 5; return input", 5],
    ["passed on", "return Object.create(input).list.length", 500],
    ["sealed from changes", "'use strict'; Object.freeze(input); try { input.list = 1 } catch { return 'no' }", "no"],
  ])("can be %s, and the next call sees them unchanged", async (_, code, expected) => {
    const globals = { input: { n: 1, list: large(1).output }, steps: { one: large(3) } };
    for (let time = 0; time < 3; time++) {
      expect(await value(code, globals)).toEqual(expected);
      expect(await value("return [input.list.length, steps.one.output.length]", globals)).toEqual([500, 500]);
    }
  });

  it("that are not JSON reject the call, and the thread takes the next one", async () => {
    const input: Record<string, unknown> = { text: "x".repeat(5_000), list: [{ text: "x".repeat(5_000), big: 1n }] };
    for (let time = 0; time < 3; time++) await expect(value("return 1", { input })).rejects.toThrow(TypeError);
    expect(await value("return 1", {})).toBe(1);
  });

  it("of one call are not visible in another", async () => {
    await value("return input.list.length", { input: { list: large(1).output } });
    expect(await value("return typeof input", {})).toBe("undefined");
  });
});

it("a call reports its start when it has a thread", async () => {
  const controller = new AbortController();
  const started: string[] = [];
  const call = (name: string, code: string, signal?: AbortSignal) =>
    sandbox.run({ code, globals: {}, limits: LIMITS, onStart: () => started.push(name), ...(signal && { signal }) });
  const endless = call("first", "for (;;);", controller.signal);
  await expect.poll(() => started).toEqual(["first"]);
  const second = call("second", "return 2");
  expect(started).toEqual(["first"]);
  controller.abort(new Error("stopped"));
  await expect(endless).rejects.toThrow("stopped");
  expect((await second).value).toBe(2);
  expect(started).toEqual(["first", "second"]);
});
