/** Large results of code never become one text, or are parsed at once: that would hold the event loop. */
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { opened, PART_CHARS, packed } from "../../adapters/sandbox/parcel.ts";
import { createQuickjsSandbox } from "../../adapters/sandbox/quickjs.ts";
import { inBytes } from "../../adapters/sandbox/worker/parcel-bytes.ts";
import type { JsonValue, Step } from "../../src/index.ts";
import { openService } from "../support/engine/service.ts";
import { longestJson } from "../support/longest-json.ts";

const service = await openService({ sandbox: createQuickjsSandbox({ threads: 1 }) });
afterAll(() => service.stepwell.close());
afterEach(() => vi.restoreAllMocks());

const reading = (code: string): Step[] => [
  { type: "code", key: "make", code, destinations: ["read"] },
  { type: "code", key: "read", code: "return JSON.stringify(steps.make.output).length" },
];

describe("a large result that another step reads", () => {
  it.each([
    ["text", "return 'é\\n'.repeat(500000)", 1_500_002],
    ["list", "return Array.from({ length: 50000 }, (_, n) => 'item ' + (n + 100000))", 700_001],
    ["object", "return { a: { b: 'x'.repeat(300000), c: [1, 2] }, d: Array(200000).fill(0), e: 1 }", 700_036],
  ])("is never one JSON: %s", async (_, code, length) => {
    const longest = longestJson();
    const run = await service.run(reading(code));
    expect(run).toMatchObject({ status: "succeeded", output: length });
    expect(longest()).toBeLessThan(4 * PART_CHARS);
  });
});

describe("a long input", () => {
  it("is never one JSON, however often the run is stored", async () => {
    const fields = { text: { type: "string" } } as const;
    const steps: Step[] = [
      { type: "input", key: "start", input: fields, destinations: ["read"] },
      { type: "code", key: "read", code: "return input.text.length + steps.start.output.text.length" },
    ];
    const longest = longestJson();
    const run = await service.run(steps, { text: "é\n".repeat(750_000) });
    expect(run).toMatchObject({ status: "succeeded", output: 3_000_000 });
    expect(longest()).toBeLessThan(4 * PART_CHARS);
    expect(await service.stepwell.runs.get(service.app, run.id)).toEqual(run);
  });
});

describe("long globals", () => {
  /** Returns how many characters of JSON were written in long parts since. */
  function writtenChars(): () => number {
    let chars = 0;
    const { stringify } = JSON;
    vi.spyOn(JSON, "stringify").mockImplementation((value, replacer) => {
      const text = Reflect.apply(stringify, JSON, [value, replacer]);
      if (text?.length > PART_CHARS / 2) chars += text.length;
      return text;
    });
    return () => chars;
  }

  it("are written once for a thread, even if they are more than what is kept", async () => {
    const sandbox = createQuickjsSandbox({ threads: 1 });
    const globals = Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [`part${at}`, { text: "x".repeat(4_500_000 + at) }]),
    );
    const limits = { memoryBytes: 2 ** 26, timeoutMs: 60_000, stackBytes: 2 ** 20, outputCharacters: 1_000 };
    const call = { code: "return 1;", globals, limits };
    await sandbox.run(call); // the objects recur from the second call on
    await sandbox.run(call);
    const chars = writtenChars();
    for (let calls = 0; calls < 3; calls++) expect((await sandbox.run(call)).value).toBe(1);
    await sandbox.close();
    expect(chars()).toBe(0);
  });
});

describe("a parcel", () => {
  const pause = () => null;

  /** Long texts, lists and objects of both kinds of items. */
  const large = fc
    .tuple(fc.jsonValue(), fc.string({ unit: "binary" }), fc.nat({ max: PART_CHARS / 2 }))
    .map(([value, text, count]): JsonValue => {
      const short = JSON.parse(JSON.stringify(value)); // without -0
      const long = `${text}😀`.repeat(count);
      return {
        long,
        short,
        "": [short, ...Array(count % 1_000).fill(short), [long], short],
        [text]: { long, last: short },
      };
    });

  it("has the value and its JSON", async () => {
    await fc.assert(
      fc.asyncProperty(large, async (value) => {
        const parcel = packed(value);
        for (const sent of [parcel, inBytes(parcel, [])]) {
          const found = await opened(sent, pause);
          expect(found.value).toEqual(value);
          expect(JSON.parse(found.json.join(""))).toEqual(value);
        }
      }),
      { numRuns: 8 },
    );
  });

  it.each([
    ["text", "x".repeat(1_000_000)],
    ["list", Array(300_000).fill(1)],
    ["object", Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`key ${n}`, n]))],
  ])("has parts of some 256 Ki characters: %s", async (_, value) => {
    const { json } = await opened(packed(value), pause);
    expect(json.join("")).toBe(JSON.stringify(value));
    expect(Math.max(...json.map(({ length }) => length))).toBeLessThan(1.5 * PART_CHARS);
  });

  it("goes from a thread without a copy of what is long", () => {
    const buffers: ArrayBuffer[] = [];
    const parcel = inBytes(packed({ text: "x".repeat(1_000_000), list: Array(300_000).fill(1), short: 1 }), buffers);
    const copied = JSON.stringify(structuredClone(parcel, { transfer: buffers }), (_, part) =>
      part instanceof Uint8Array ? "" : part,
    );
    expect(copied.length).toBeLessThan(1_000);
  });

  it("has long texts that are parsed only if they have escape characters", async () => {
    const plain = packed("é".repeat(1_000_000));
    const escaped = packed("\n".repeat(2 * PART_CHARS));
    const parse = vi.spyOn(JSON, "parse");
    await opened(plain, pause);
    expect(parse).not.toHaveBeenCalled();
    expect((await opened(escaped, pause)).value).toBe("\n".repeat(2 * PART_CHARS));
  });

  it("keeps a short value as one JSON", () => {
    expect(packed({ a: 1 })).toBe('{"a":1}');
  });
});
