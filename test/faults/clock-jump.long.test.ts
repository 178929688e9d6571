/** The wall clock of a whole process jumps forward: due times fire, elapsed time is unaffected. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Runtime, startChild } from "./child.ts";

it.each<Runtime>(["node", "bun", "deno"])(
  "a forward jump of the wall clock fires due timers, and times out no running action (%s)",
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
