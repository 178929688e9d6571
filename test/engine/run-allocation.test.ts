/** What a run allocates, and how much of it lasts, decides how much of the time goes to collecting it. */
import { expect, it } from "vitest";
import { runMeasure } from "../support/run-measure.ts";

it("a run of five steps in memory allocates at most 110 KB", async () => {
  // The young generation has room for all that is measured.
  const flags = ["--expose-gc", "--min-semi-space-size=128", "--max-semi-space-size=128"];
  const bytes = await runMeasure("engine/allocation-process.ts", flags);
  expect(bytes).toBeLessThan(110_000);
  expect(bytes).toBeGreaterThan(10_000);
});

/**
 * What is stored of a run has 2 KB. Node.js 20 makes a hidden class for each field that follows a spread, every time, and each
 * that gets into the old generation keeps alive what came after it: with fields after spreads, 12 KB of a run lasted.
 */
it("at most 5 KB of it get into the old generation", async () => {
  const bytes = await runMeasure("engine/promotion-process.ts", ["--expose-gc", "--max-semi-space-size=16"]);
  expect(bytes).toBeLessThan(5_000);
  expect(bytes).toBeGreaterThan(1_000);
});
