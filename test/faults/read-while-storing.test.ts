/** Reading a run whose commit is pending returns what is stored. */
import { expect, it } from "vitest";
import { createTestClock } from "../../src/testing/index.ts";
import { memory } from "../support/engine/memory.ts";
import { openService } from "../support/engine/service.ts";

it("reading a run returns the stored state while the commit of its next outcome is pending", async () => {
  const clock = createTestClock();
  const disk = memory(new Map());
  const { stepwell, app, deploy } = await openService({ clock, storage: { entities: disk.driver } });
  const workflow = await deploy([
    { type: "input", key: "ask", input: {}, destinations: ["more"] },
    { type: "input", key: "more", input: {} },
  ]);
  const { id } = await stepwell.runs.create(app, workflow);
  const before = await stepwell.runs.get(app, id);
  disk.hold();
  const provided = stepwell.runs.provide(app, id, "more", {});
  await disk.held();
  const read = stepwell.runs.get(app, id);
  await clock.advance(1_000);
  expect(await read).toEqual(before);
  disk.release();
  expect((await provided).status).toBe("succeeded");
  await stepwell.close();
});
