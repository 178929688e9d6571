/** Deletion of ended runs by `limits.runRetentionMs`. */
import { expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { createTestClock, createTestService } from "../../src/testing/index.ts";

const HOUR = 3_600_000;

it("ended runs are deleted with their outputs after limits.runRetentionMs", async () => {
  const clock = createTestClock();
  const large = "x".repeat(40_000);
  const http = { "GET https://example.com/large": { text: large } };
  const t = await createTestService({ clock, http, limits: { runRetentionMs: 24 * HOUR } });
  const call: Step = { type: "http_request", key: "call", url: "https://example.com/large" };
  const old = await t.run([call]);
  const waiting = await t.run([
    { type: "input", key: "start", input: {}, destinations: ["ask"] },
    { type: "input", key: "ask", input: {} },
  ]);
  await clock.advance("20h");
  const younger = await t.run([call]);
  const ids = async () => (await t.stepwell.runs.list(t.app)).items.map(({ id }) => id).sort();
  expect(await ids()).toEqual([old.id, waiting.id, younger.id].sort());

  await clock.advance("6h");
  expect(await ids()).toEqual([waiting.id, younger.id].sort());
  await expect(t.stepwell.runs.get(t.app, old.id)).rejects.toMatchObject({ code: "not_found" });
  expect((await t.stepwell.runs.listOfWorkflow(t.app, old.workflow_id)).items).toEqual([]);
  expect((await t.stepwell.runs.get(t.app, younger.id)).output).toMatchObject({ body: large });

  // The time counts from the end of the run, however long it waited.
  await clock.advance("4d");
  await t.stepwell.runs.provide(t.app, waiting.id, "ask", {});
  await clock.advance("23h");
  expect(await ids()).toEqual([waiting.id]);
  await clock.advance("3h");
  expect(await ids()).toEqual([]);
  await t.close();
});

it("runs are kept without limits.runRetentionMs", async () => {
  const clock = createTestClock();
  const t = await createTestService({ clock });
  await t.run([{ type: "note", key: "n", note: "" }]);
  await clock.advance("3d");
  expect((await t.stepwell.runs.list(t.app)).items).toHaveLength(1);
  await t.close();
});
