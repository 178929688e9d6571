/** Runs that kill their process, in real processes: they are found and ended, and nobody else is. */
import { describe, expect, it } from "vitest";
import { boundOf, culprit, innocents, survive } from "./poison/survive.ts";

describe("a run that kills the process", () => {
  it.each([
    ["after a while", [300], 1],
    ["at once, beside another that does", [0, 0], 2],
  ])("%s is ended within a bounded number of starts, and no other run is", async (_, culprits, count) => {
    const runs = [...innocents(4), ...culprits.map(culprit), ...innocents(4)];
    const { starts, report } = await survive(runs);
    expect(report).toHaveLength(runs.length);
    for (const { isCulprit, status, code } of report) {
      expect({ status, code }).toEqual(
        isCulprit ? { status: "failed", code: "poison_run" } : { status: "succeeded", code: null },
      );
    }
    expect(starts).toBeLessThanOrEqual(count * boundOf(runs.length));
  });
});

it("a process that is killed from outside again and again ends no run as what kills it", async () => {
  // Too early for most steps to end, and as often as a search among 8 runs takes until one of them is alone.
  const { report } = await survive(innocents(8, 500), [150, 250, 100, 200, 50]);
  expect(report.filter(({ status }) => status !== "succeeded")).toEqual([]);
});
