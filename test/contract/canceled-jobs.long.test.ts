/** What a canceled job has done: nothing more happens for it once it is shown as canceled, and it counts all that it did. */
import { describe, expect, it } from "vitest";
import { createTestClock } from "../../src/testing/index.ts";
import { memory } from "../support/engine/memory.ts";
import { openService } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { give, HANG, IN } from "../support/workflows/runs.ts";

/** A service whose storage can hold writes, with a workflow and ended runs of it. */
async function withRuns(count: number) {
  const storage = memory(new Map());
  const service = await openService({ storage: { entities: storage.driver } });
  const { stepwell, app, runOf } = service;
  const workflow = await service.deploy([IN, give("a")]);
  for (let n = 0; n < count; n++) await runOf(workflow);
  const replay = () =>
    stepwell.runs.bulk(app, { action: "replay", filter: { workflow_id: workflow, trigger: ["api"] } });
  const total = async () => (await stepwell.runs.list(app, { take: 1 })).total ?? 0;
  return { stepwell, app, workflow, storage, replay, total };
}

describe("a canceled job over runs", () => {
  it("counts the runs of the batch in progress, which ends first", async () => {
    const { stepwell, app, storage, replay, total } = await withRuns(120);
    const { id } = await replay();
    storage.hold();
    await storage.held();
    const canceling = Promise.all([0, 1].map(() => stepwell.jobs.cancel(app, id)));
    await turnEventLoop();
    expect((await stepwell.jobs.get(app, id)).status).toBe("running");
    storage.release();
    const [canceled, again] = await canceling;
    expect(canceled).toMatchObject({ status: "canceled", finished_at: expect.any(String), report: { failed: 0 } });
    expect(again).toEqual(canceled);
    expect(await total()).toBe(120 + (canceled?.done ?? 0));
    await turnEventLoop();
    expect(await total()).toBe(120 + (canceled?.done ?? 0));
    expect(canceled?.done).toBeLessThan(120);
    await stepwell.close();
  });

  it("counts each run that it has replayed, whenever it is canceled", async () => {
    const { stepwell, app, replay, total } = await withRuns(120);
    let before = await total();
    for (let moment = 0; moment < 25; moment++) {
      const { id } = await replay();
      await turnEventLoop(moment);
      const { done } = await stepwell.jobs.cancel(app, id);
      expect(await total(), `canceled after ${moment} turns`).toBe(before + done);
      await turnEventLoop(50);
      before += done;
      expect(await total(), `later, canceled after ${moment} turns`).toBe(before);
    }
    await stepwell.close();
  });

  it("counts what a batch has done that waits for room in the queue", async () => {
    const { stepwell, app, deploy, runOf } = await timedService(createTestClock(), new Map(), {
      limits: { concurrentRuns: 1, queuedRuns: 10 },
    });
    const workflow = await deploy([IN, give("a")]);
    for (let n = 0; n < 30; n++) await runOf(workflow);
    const blocking = await stepwell.runs.create(app, await deploy([IN, HANG]));
    const { id } = await stepwell.runs.bulk(app, { action: "replay", filter: { workflow_id: workflow } });
    const replays = async () => (await stepwell.runs.list(app, { trigger: "replay", take: 1 })).total;
    await expect.poll(replays).toBe(10);
    await turnEventLoop();
    expect(await stepwell.jobs.get(app, id)).toMatchObject({ status: "running", done: 0 });
    expect(await stepwell.jobs.cancel(app, id)).toMatchObject({ status: "canceled", done: 10, total: 30 });
    await stepwell.runs.cancel(app, blocking.id);
    await turnEventLoop();
    expect(await replays()).toBe(10);
  });
});

it("a canceled evaluation begins with no other record", async () => {
  const { stepwell, app, deploy } = await openService();
  const collection = (await stepwell.collections.create(app, { name: "Loans" })).id;
  for (let n = 0; n < 45; n++) await stepwell.records.create(app, collection, { data: { e: { n } } });
  const workflow_id = await deploy([IN, give("a")]);
  await stepwell.rules.create(app, collection, { key: "r", name: "R", workflow_id });
  const records = async () => (await stepwell.records.list(app, collection, { take: 100 })).items;
  const results = async () => new Map((await records()).map(({ id, rule_results: [first] }) => [id, first?.run_id]));
  const isSettled = async () => (await records()).every(({ rule_results: [first] }) => first?.result !== "PENDING");
  for (let moment = 0; moment < 25; moment++) {
    const before = await results();
    const job = await stepwell.records.evaluateMany(app, collection);
    await turnEventLoop(moment);
    await stepwell.jobs.cancel(app, job.id);
    const canceled = await results();
    const untouched = [...canceled].filter(([id, run]) => run === before.get(id)).map(([id]) => id);
    await expect.poll(isSettled).toBe(true);
    await turnEventLoop(50);
    const after = await results();
    for (const id of untouched) expect(after.get(id), `canceled after ${moment} turns`).toBe(before.get(id));
  }
  await stepwell.close();
});
