/** A program that follows a run goes on until the run has ended, and not for longer than it follows. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Runtime, startChild } from "./child.ts";

it.each<Runtime>(["node", "bun", "deno"])("a program stays while it follows a run (%s)", async (runtime) => {
  const child = await startChild(join(import.meta.dirname, "follower.ts"), [], runtime);
  const { code, errors } = await child.gone;
  expect([code, errors]).toEqual([0, ""]);
  expect(child.lines).toEqual(["step.waiting", "step.succeeded", "run.succeeded", "left"]);
});
