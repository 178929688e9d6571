/** kill -9 while people submit forms: what was acknowledged is stored once, and nothing else is left. */
import { expect, it } from "vitest";
import { submitDuringKills } from "./forms/rounds.ts";

it("each form that was acknowledged before a kill answers its run or starts one, once, with its file", async () => {
  const figures = await submitDuringKills({ seed: 1, kills: 3, links: 16, starts: 16, dies: "after submissions" });
  expect(figures.received).toBeGreaterThanOrEqual(16);
});
