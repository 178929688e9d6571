/** What a run allocates decides how much of the time goes to collecting it. */
import { expect, it } from "vitest";
import { runMeasure } from "../support/run-measure.ts";

/** The young generation has room for all that is measured. */
const FLAGS = ["--expose-gc", "--min-semi-space-size=128", "--max-semi-space-size=128"];

it("a run of five steps in memory allocates at most 125 KB", async () => {
  const bytes = await runMeasure("engine/allocation-process.ts", FLAGS);
  expect(bytes).toBeLessThan(125_000);
  expect(bytes).toBeGreaterThan(10_000);
});
