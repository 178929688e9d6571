/** A few seeds of the simulation; `npm run simulate` carries out as many as you like. */
import { describe, expect, it } from "vitest";
import { readArguments } from "./arguments.ts";
import { planOf } from "./plan.ts";
import { type Outcome, simulate } from "./simulate.ts";

/** Each draws other faults, crashes and clients; enough for what nearly every plan would find. */
const SEEDS = 16;
const REPEATED = [1, 2];

describe("a simulation", () => {
  const outcomes = new Map<number, Promise<Outcome>>();
  const outcomeOf = (seed: number): Promise<Outcome> => {
    const outcome = outcomes.get(seed) ?? simulate(planOf(seed));
    outcomes.set(seed, outcome);
    return outcome;
  };

  it("repeats exactly what happened when its seed is given again", async () => {
    for (const seed of REPEATED) expect(await simulate(planOf(seed))).toEqual(await outcomeOf(seed));
  });

  it("differs from seed to seed", async () => {
    const digests = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed++) digests.add((await outcomeOf(seed)).digest);
    expect(digests.size).toBe(SEEDS);
  });

  it(`keeps every promise with ${SEEDS} seeds`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { violation, trace } = await outcomeOf(seed);
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
