/** A program that follows a run stays alive until the run ends or it stops following. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Runtime, startChild } from "./child.ts";

it.each<Runtime>(["node", "bun", "deno"])(
  "following a run keeps the process alive until the run ends or the loop breaks (%s)",
  async (runtime) => {
    const child = await startChild(join(import.meta.dirname, "follower.ts"), [], runtime);
    const { code, errors } = await child.gone;
    expect([code, errors]).toEqual([0, ""]);
    expect(child.lines).toEqual(["step.waiting", "step.succeeded", "run.succeeded", "left"]);
  },
);
