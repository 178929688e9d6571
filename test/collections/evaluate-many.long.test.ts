/** Evaluating many records as a job: with hanging rules, cancellation, restarts, and several jobs at once. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Job, Step } from "../../src/index.ts";
import { createTestClock, createTestService, type TestClock, type TestService } from "../../src/testing/index.ts";
import { turnEventLoop } from "../support/event-loop.ts";

let clock: TestClock;
let t: TestService;
beforeEach(async () => {
  clock = createTestClock();
  t = await createTestService({ clock });
});
afterEach(() => t.close());

const NOTE: Step[] = [{ type: "note", key: "n", note: "" }];
const HANGS: Step[] = [
  { type: "input", key: "in", input: {}, destinations: ["ask"] },
  { type: "input", key: "ask", input: { ok: { type: "boolean" } } },
];

async function workflow(steps: Step[]): Promise<string> {
  const { id } = await t.stepwell.workflows.create(t.app, { name: "Rule", steps });
  await t.stepwell.workflows.deploy(t.app, id);
  return id;
}

/** A collection with records, whose rule is only added afterwards. */
async function filled(count: number, steps: Step[]) {
  const { id } = await t.stepwell.collections.create(t.app, { name: "Loans" });
  for (let n = 0; n < count; n++) await t.stepwell.records.create(t.app, id, { data: { e: { n } } });
  const workflow_id = await workflow(steps);
  await t.stepwell.rules.create(t.app, id, { key: "r", name: "R", workflow_id });
  return { id, workflow_id };
}

const evaluate = (collection: string) => t.stepwell.records.evaluateMany(t.app, collection);
const get = ({ id }: Job) => t.stepwell.jobs.get(t.app, id);
const runsOf = async (workflow_id: string) =>
  (await t.stepwell.runs.listOfWorkflow(t.app, workflow_id, { take: 1_000 })).items;
const becomes = (job: Job) => expect.poll(async () => (await get(job)).status);

describe("a job", () => {
  it("evaluates 20 records at once, and counts none before its rules have ended", async () => {
    const { id, workflow_id } = await filled(30, HANGS);
    const job = await evaluate(id);
    await expect.poll(async () => (await runsOf(workflow_id)).length).toBe(20);
    const [first] = await runsOf(workflow_id);
    await t.stepwell.runs.cancel(t.app, first?.id ?? "");
    await turnEventLoop(50);
    expect(await get(job)).toMatchObject({ status: "running", done: 0, total: 30 });
    expect(await runsOf(workflow_id)).toHaveLength(20);
    await clock.advance("10m");
    await expect.poll(async () => (await get(job)).done).toBe(20);
    await expect.poll(async () => (await runsOf(workflow_id)).length).toBe(30);
    await clock.advance("10m");
    await becomes(job).toBe("succeeded");
    expect(await get(job)).toMatchObject({ done: 30, report: { failed: 30 } });
  });

  it("that is canceled starts nothing more, and is deleted after 30 days", async () => {
    const { id, workflow_id } = await filled(30, HANGS);
    const job = await evaluate(id);
    await expect.poll(async () => (await runsOf(workflow_id)).length).toBe(20);
    const canceled = await t.stepwell.jobs.cancel(t.app, job.id);
    expect(canceled).toMatchObject({ status: "canceled", done: 0 });
    await clock.advance("11m");
    await turnEventLoop(50);
    expect(await get(job)).toEqual(canceled);
    expect(await runsOf(workflow_id)).toHaveLength(20);
    await clock.advance("29d");
    expect((await t.stepwell.jobs.list(t.app)).items).toHaveLength(1);
    await clock.advance("25h");
    await expect(get(job)).rejects.toMatchObject({ code: "not_found" });
    expect((await t.stepwell.jobs.list(t.app)).items).toEqual([]);
  });

  it("continues in the next process, after its last completed batch", async () => {
    const { id, workflow_id } = await filled(30, HANGS);
    const job = await evaluate(id);
    await expect.poll(async () => (await runsOf(workflow_id)).length).toBe(20);
    await clock.advance("10m");
    await expect.poll(async () => (await runsOf(workflow_id)).length).toBe(30);
    const next = await t.crash();
    await t.close();
    t = next;
    await t.stepwell.ready();
    expect(await get(job)).toMatchObject({ status: "running", done: 20 });
    // The ten of the interrupted batch, once more.
    await expect.poll(async () => (await runsOf(workflow_id)).length).toBe(40);
    await clock.advance("10m");
    await becomes(job).toBe("succeeded");
    expect(await get(job)).toMatchObject({ done: 30, total: 30 });
    expect(await runsOf(workflow_id)).toHaveLength(40);
  });

  it("evaluates the records that it selected, also if they meet its conditions no longer after a crash", async () => {
    const { id, workflow_id } = await filled(50, HANGS);
    await t.stepwell.rules.update(t.app, id, "r", { when: ["e:other"] });
    const condition = { field: "e:n", op: "gte", value: 25 } as const;
    const job = await t.stepwell.records.evaluateMany(t.app, id, { filter: [condition] });
    await expect.poll(async () => (await runsOf(workflow_id)).length).toBe(20);
    const { items } = await t.stepwell.records.list(t.app, id, { filter: [condition] });
    const selected = items.filter(({ data }) => Number(data["e"]?.["n"]) < 45);
    const data = { e: { n: 0 } };
    // Does not wait for the rules, which hang. They are not due again.
    await t.stepwell.records.bulk(t.app, id, {
      operations: selected.map(({ id }) => ({ op: "update", record_id: id, data }) as const),
    });
    expect(await runsOf(workflow_id)).toHaveLength(20);
    const next = await t.crash();
    await t.close();
    t = next;
    await t.stepwell.ready();
    await expect.poll(async () => (await runsOf(workflow_id)).length).toBe(40);
    await clock.advance("10m");
    await expect.poll(async () => (await get(job)).done).toBe(20);
    await expect.poll(async () => (await runsOf(workflow_id)).length).toBe(45);
    await clock.advance("10m");
    await becomes(job).toBe("succeeded");
    expect(await get(job)).toMatchObject({ done: 25, total: null });
  });

  it("reads many records that do not meet its conditions in several batches", async () => {
    const { id } = await t.stepwell.collections.create(t.app, { name: "Loans" });
    for (let start = 0; start < 2_500; start += 500) {
      const operations = Array.from(
        { length: 500 },
        (_, n) => ({ op: "create", data: { e: { n: start + n } } }) as const,
      );
      await t.stepwell.records.bulk(t.app, id, { operations });
    }
    const filter = [{ field: "e:n", op: "gte", value: 2_490 }] as const;
    const job = await t.stepwell.records.evaluateMany(t.app, id, { filter: [...filter] });
    await becomes(job).toBe("succeeded");
    expect(await get(job)).toMatchObject({ done: 10 });
  });

  it("stops at close at once, whatever its rules do", async () => {
    const { id, workflow_id } = await filled(3, HANGS);
    const job = await evaluate(id);
    await expect.poll(async () => (await runsOf(workflow_id)).length).toBe(3);
    const next = await t.crash();
    await t.close();
    t = next;
    await becomes(job).toBe("running");
  });

  it("fails when its collection is deleted", async () => {
    const { id, workflow_id } = await filled(30, HANGS);
    const job = await evaluate(id);
    await expect.poll(async () => (await runsOf(workflow_id)).length).toBe(20);
    await t.stepwell.collections.remove(t.app, id);
    await clock.advance("10m");
    await becomes(job).toBe("failed");
    expect(await get(job)).toMatchObject({ done: 20, error: { code: "not_found" } });
  });

  it("ends when records are removed and written while it runs", async () => {
    const { id } = await filled(60, NOTE);
    const { items } = await t.stepwell.records.list(t.app, id);
    const job = await evaluate(id);
    await Promise.all(
      items.map((record, index) =>
        index % 2 === 0
          ? t.stepwell.records.remove(t.app, id, record.id)
          : t.stepwell.records.update(t.app, id, record.id, { data: { e: { changed: index } } }),
      ),
    );
    await becomes(job).toBe("succeeded");
    expect((await get(job)).report.failed).toBe(0);
    const left = async () => (await t.stepwell.records.list(t.app, id)).items;
    await expect.poll(async () => (await left()).every((one) => one.rule_results[0]?.result === "WARN")).toBe(true);
    expect(await left()).toHaveLength(30);
  });
});

describe("several jobs", () => {
  it("all end when they run at once, even if another one hangs", async () => {
    const hanging = await filled(3, HANGS);
    const quick = await filled(45, NOTE);
    const stuck = await evaluate(hanging.id);
    const jobs = [await evaluate(quick.id), await evaluate(quick.id), await evaluate(quick.id)];
    for (const job of jobs) await becomes(job).toBe("succeeded");
    for (const job of jobs) expect(await get(job)).toMatchObject({ done: 45, total: 45 });
    expect(await get(stuck)).toMatchObject({ status: "running", done: 0 });
  });

  it("are refused beyond 20 that are running, also if they start at the same time", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 30; count++) ids.push((await filled(1, HANGS)).id);
    const starts = await Promise.allSettled(ids.map(evaluate));
    const jobs = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
    expect(jobs).toHaveLength(20);
    const { id } = await filled(1, HANGS);
    await expect(evaluate(id)).rejects.toMatchObject({ code: "too_many_requests" });
    await t.stepwell.jobs.cancel(t.app, jobs[7]?.id ?? "");
    await evaluate(id);
    await expect(evaluate(id)).rejects.toMatchObject({ code: "too_many_requests" });
  });

  it("and their cancellations in any order leave each in one final status", async () => {
    const { id } = await filled(45, NOTE);
    for (let moment = 0; moment < 20; moment++) {
      const job = await evaluate(id);
      await turnEventLoop(moment * 3);
      const [canceled, again] = await Promise.all([0, 1].map(() => t.stepwell.jobs.cancel(t.app, job.id)));
      expect(again).toEqual(canceled);
      await turnEventLoop(5);
      expect(await get(job)).toEqual(canceled);
      expect(["canceled", "succeeded"]).toContain(canceled?.status);
      expect(canceled?.done).toBeLessThanOrEqual(45);
    }
  });
});
