/** A few seeds of the simulation; `npm run simulate` carries out as many as you like. */
import { describe, expect, it } from "vitest";
import { readArguments } from "./arguments.ts";
import { planOf } from "./plan.ts";
import { simulate } from "./simulate.ts";

const SEEDS = 25;

describe("a simulation", () => {
  it("repeats exactly what happened when its seed is given again", async () => {
    for (const seed of [1, 2, 3, 4]) {
      const [once, again] = [await simulate(planOf(seed)), await simulate(planOf(seed))];
      expect(again).toEqual(once);
    }
  });

  it("differs from seed to seed", async () => {
    const digests = new Set<string>();
    for (const seed of [1, 2, 3, 4]) digests.add((await simulate(planOf(seed))).digest);
    expect(digests.size).toBe(4);
  });

  it(`keeps every promise with ${SEEDS} seeds`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { violation, trace } = await simulate(planOf(seed));
      expect(violation, `npm run simulate -- seed=${seed}\n${trace.join("\n")}`).toBeNull();
    }
  });
});

describe("npm run simulate", () => {
  it("refuses arguments that it does not know", () => {
    expect(() => readArguments(["1000", "only=crash"])).toThrow(/only=crash must be one of crashes, /);
    expect(() => readArguments(["sead=1"])).toThrow('There is no argument "sead".');
    expect(() => readArguments(["many"])).toThrow("count=many must be a whole number.");
  });

  it("reads a seed, and what to leave out", () => {
    expect(readArguments(["seed=7", "without=crashes,faults"])).toMatchObject({
      first: 7,
      count: 1,
      isTraced: true,
      plan: { without: ["crashes", "faults"] },
    });
  });
});
