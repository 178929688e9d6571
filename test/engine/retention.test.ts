/** Deletion of ended runs by `limits.runRetentionMs`. */
import { expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { createTestClock, createTestService } from "../../src/testing/index.ts";

const HOUR = 3_600_000;

it("ended runs are deleted with their outputs after limits.runRetentionMs", async () => {
  const clock = createTestClock();
  const large = "x".repeat(40_000);
  const http = { "GET https://example.com/large": { text: large } };
  const service = await createTestService({ clock, http, limits: { runRetentionMs: 24 * HOUR } });
  const call: Step = { type: "http_request", key: "call", url: "https://example.com/large" };
  const old = await service.run([call]);
  const waiting = await service.run([
    { type: "input", key: "start", input: {}, destinations: ["ask"] },
    { type: "input", key: "ask", input: {} },
  ]);
  await clock.advance("20h");
  const younger = await service.run([{ ...call, key: "again" }]); // a workflow of its own
  const ids = async () => (await service.stepwell.runs.list(service.app)).items.map(({ id }) => id).sort();
  expect(await ids()).toEqual([old.id, waiting.id, younger.id].sort());

  await clock.advance("6h");
  expect(await ids()).toEqual([waiting.id, younger.id].sort());
  await expect(service.stepwell.runs.get(service.app, old.id)).rejects.toMatchObject({ code: "not_found" });
  expect((await service.stepwell.runs.listOfWorkflow(service.app, old.workflow_id)).items).toEqual([]);
  expect((await service.stepwell.runs.get(service.app, younger.id)).output).toMatchObject({ body: large });

  // The time counts from the end of the run, however long it waited.
  await clock.advance("4d");
  await service.stepwell.runs.provide(service.app, waiting.id, "ask", {});
  await clock.advance("23h");
  expect(await ids()).toEqual([waiting.id]);
  await clock.advance("3h");
  expect(await ids()).toEqual([]);
  await service.close();
});

it("runs are kept without limits.runRetentionMs", async () => {
  const clock = createTestClock();
  const service = await createTestService({ clock });
  await service.run([{ type: "note", key: "n", note: "" }]);
  await clock.advance("3d");
  expect((await service.stepwell.runs.list(service.app)).items).toHaveLength(1);
  await service.close();
});
