/** A few seeds of the simulation; `npm run simulate` runs as many as you like. */
import { describe, expect, it } from "vitest";
import { readArguments } from "./arguments.ts";
import { planOf } from "./plan.ts";
import { type Outcome, simulate } from "./simulate.ts";

/** Each seed draws other faults, crashes and clients. */
const SEEDS = 10;
const REPEATED = [1];

describe("a simulation", () => {
  const outcomes = new Map<number, Promise<Outcome>>();
  const outcomeOf = (seed: number): Promise<Outcome> => {
    const outcome = outcomes.get(seed) ?? simulate(planOf(seed));
    outcomes.set(seed, outcome);
    return outcome;
  };

  it("has the same trace whenever it runs with the same seed", async () => {
    for (const seed of REPEATED) expect(await simulate(planOf(seed))).toEqual(await outcomeOf(seed));
  });

  it("has a different trace for each seed", async () => {
    const digests = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed++) digests.add((await outcomeOf(seed)).digest);
    expect(digests.size).toBe(SEEDS);
  });

  it(`breaks no invariant with ${SEEDS} seeds`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { violation, trace } = await outcomeOf(seed);
      expect(violation, `npm run simulate -- seed=${seed}\n${trace.join("\n")}`).toBeNull();
    }
  });
});

describe("npm run simulate", () => {
  it("rejects unknown and malformed arguments", () => {
    expect(() => readArguments(["1000", "only=crash"])).toThrow(/only=crash must be one of crashes, /);
    expect(() => readArguments(["sead=1"])).toThrow('There is no argument "sead".');
    expect(() => readArguments(["many"])).toThrow("count=many must be a whole number.");
  });

  it("reads a seed and the parts to leave out", () => {
    expect(readArguments(["seed=7", "without=crashes,faults"])).toMatchObject({
      first: 7,
      count: 1,
      isTraced: true,
      plan: { without: ["crashes", "faults"] },
    });
  });
});
