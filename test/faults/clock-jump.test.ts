/** The wall clock of a whole process is set forward: moments that have passed come, and time that is measured does not. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Runtime, startChild } from "./child.ts";

it.each<Runtime>(["node", "bun", "deno"])(
  "what waits for a moment notices a jump of the clock, and what works does not (%s)",
  async (runtime) => {
    const child = await startChild(join(import.meta.dirname, "clock-jump.ts"), [], runtime);
    const { code, errors } = await child.gone;
    expect([code, errors]).toEqual([0, ""]);
    expect(child.lines).toEqual([
      "working",
      "key 401",
      "delay succeeded",
      "file file_missing",
      "address upload_expired",
      "schedule 1",
      "work succeeded 1",
    ]);
  },
);
