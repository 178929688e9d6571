/** The sample of a matrix that `npm test` runs. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { everyNth, sample, times } from "./support/sample.ts";

const ROWS = [
  ["node", 1],
  ["bun", 2],
  ["deno", 3],
] as const;

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a sample", () => {
  it("has the named cases, in the order of all", () => {
    vi.stubEnv("TEST_FULL", undefined);
    expect(sample(ROWS, ["deno", "node"])).toEqual([ROWS[0], ROWS[2]]);
    expect(sample(["a", "b"], ["b"])).toEqual(["b"]);
    expect(sample([{ name: "a" }, { name: "b" }], ["a"])).toEqual([{ name: "a" }]);
    expect(everyNth(2, ["a", "b", "c"])).toEqual(["a", "c"]);
    expect(times(2, 6)).toBe(2);
  });

  it("has every case in the full run", () => {
    vi.stubEnv("TEST_FULL", "every case");
    expect(sample(ROWS, ["deno"])).toEqual(ROWS);
    expect(everyNth(2, ["a", "b", "c"])).toEqual(["a", "b", "c"]);
    expect(times(2, 6)).toBe(6);
  });

  it.each([undefined, "every case"])("fails for a name that no case has, with TEST_FULL %s", (full) => {
    vi.stubEnv("TEST_FULL", full);
    expect(() => sample(ROWS, ["node", "dino"])).toThrow("No case is named dino: there are node, bun, deno.");
  });
});
