/** Runs that kill their process, in real processes: they fail as `poison_run`, all other runs succeed. */
import { describe, expect, it } from "vitest";
import { sample, times } from "../support/sample.ts";
import { boundOf, culprit, innocents, survive } from "./poison/survive.ts";

const CULPRITS = [
  ["one after 300 ms", [300], 1],
  ["two at once", [0, 0], 2],
] as const;

describe("a run that kills the process", () => {
  it.each(sample(CULPRITS, ["two at once"]))(
    "fails as poison_run within a bounded number of starts, and no other run does: %s",
    async (_, culprits, count) => {
      const beside = times(2, 4);
      const runs = [...innocents(beside), ...culprits.map(culprit), ...innocents(beside)];
      const { starts, report } = await survive(runs);
      expect(report).toHaveLength(runs.length);
      for (const { isCulprit, status, code } of report) {
        expect({ status, code }).toEqual(
          isCulprit ? { status: "failed", code: "poison_run" } : { status: "succeeded", code: null },
        );
      }
      expect(starts).toBeLessThanOrEqual(count * boundOf(runs.length));
    },
  );
});

it("no run fails as poison_run when the process is killed from outside again and again", async () => {
  // Too early for most steps to end, and as often as a search among 8 runs needs to isolate one of them.
  const { report } = await survive(innocents(8, 500), [150, 250, 100, 200, 50]);
  expect(report.filter(({ status }) => status !== "succeeded")).toEqual([]);
});
