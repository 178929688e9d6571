/** What memory takes for a row of a list, measured in a process that does nothing else. */
import { expect, it } from "vitest";
import { runMeasure } from "../support/run-measure.ts";

it("the row of a run takes at most 150 bytes of heap", async () => {
  const perRow = await runMeasure("storage/row-memory-process.ts", ["--expose-gc"]);
  expect(perRow).toBeLessThan(150);
  expect(perRow).toBeGreaterThan(50);
});
