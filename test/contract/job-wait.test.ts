/** Waiting for a job: `stepwell.jobs.wait`, and `Prefer: wait` over HTTP. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Job } from "../../src/index.ts";
import { createTestClock, createTestService, type TestClock, type TestService } from "../../src/testing/index.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { BASE } from "../support/http/transports.ts";

let clock: TestClock;
let t: TestService;
beforeEach(async () => {
  clock = createTestClock();
  t = await createTestService({ clock, baseUrl: BASE });
});
afterEach(() => t.close());

/** A job that waits for the input of a rule. */
async function start(): Promise<{ job: Job; provide(): Promise<unknown> }> {
  const { stepwell, app } = t;
  const { id } = await stepwell.collections.create(app, { name: "Loans" });
  await stepwell.records.create(app, id, {});
  const { id: workflow_id } = await stepwell.workflows.create(app, {
    name: "Rule",
    steps: [
      { type: "input", key: "in", input: {}, destinations: ["ask"] },
      { type: "input", key: "ask", input: { ok: { type: "boolean" } } },
    ],
  });
  await stepwell.workflows.deploy(app, workflow_id);
  await stepwell.rules.create(app, id, { key: "r", name: "R", workflow_id });
  const job = await stepwell.records.evaluateMany(app, id);
  const waiting = async () => (await stepwell.runs.list(app, { status: "waiting" })).items[0]?.id;
  await expect.poll(waiting).toBeDefined();
  const run = (await waiting()) ?? "";
  return { job, provide: () => stepwell.runs.provide(app, run, "ask", { ok: true }) };
}

async function get(job: Job, seconds: number): Promise<{ status: number; job: Job }> {
  const { key } = await t.stepwell.keys.create(t.app, { name: "Reads" });
  const headers = { authorization: `Bearer ${key}`, prefer: `wait=${seconds}` };
  const response = await t.stepwell.fetch(new Request(`${BASE}/apps/me/jobs/${job.id}`, { headers }));
  return { status: response.status, job: (await response.json()) as Job };
}

it("returns the job when it has ended, also to several callers and afterwards", async () => {
  const { job, provide } = await start();
  const waits = [t.stepwell.jobs.wait(t.app, job.id), t.stepwell.jobs.wait(t.app, job.id, { timeoutMs: 1e9 })];
  const response = get(job, 3_600);
  await turnEventLoop(5);
  await provide();
  for (const ended of await Promise.all(waits))
    expect(ended).toMatchObject({ id: job.id, status: "succeeded", done: 1 });
  expect(await response).toMatchObject({ status: 200, job: { id: job.id, status: "succeeded" } });
  expect((await t.stepwell.jobs.wait(t.app, job.id)).status).toBe("succeeded");
});

it("returns the job as it is when the time is up, and when it is canceled", async () => {
  const { job } = await start();
  expect((await get(job, 0)).job.status).toBe("running");
  const waits = [t.stepwell.jobs.wait(t.app, job.id, { timeoutMs: 10_000 }), get(job, 10).then((found) => found.job)];
  await turnEventLoop(5);
  await clock.advance("10s");
  for (const { status } of await Promise.all(waits)) expect(status).toBe("running");
  const canceled = t.stepwell.jobs.wait(t.app, job.id);
  await turnEventLoop(5);
  await t.stepwell.jobs.cancel(t.app, job.id);
  expect((await canceled).status).toBe("canceled");
});

it("rejects when the signal aborts, and for a job of another app", async () => {
  const { job } = await start();
  const stopped = AbortSignal.abort(new Error("no longer needed"));
  await expect(t.stepwell.jobs.wait(t.app, job.id, { signal: stopped })).rejects.toThrow("no longer needed");
  const other = await t.stepwell.apps.create({ name: "Other" });
  await expect(t.stepwell.jobs.wait(other.id, job.id)).rejects.toMatchObject({ code: "not_found" });
});

it("rejects with the reason of a signal that aborts meanwhile, and the job continues", async () => {
  const { job } = await start();
  const control = new AbortController();
  const wait = t.stepwell.jobs.wait(t.app, job.id, { signal: control.signal, timeoutMs: 1e9 });
  await turnEventLoop(5);
  control.abort("enough");
  await expect(wait).rejects.toBe("enough");
  expect((await t.stepwell.jobs.get(t.app, job.id)).status).toBe("running");
});

it("rejects with not_found when the app is deleted", async () => {
  const { job } = await start();
  const error = t.stepwell.jobs.wait(t.app, job.id).catch((reason: unknown) => reason);
  await turnEventLoop(5);
  await t.stepwell.apps.remove(t.app);
  expect(await error).toMatchObject({ code: "not_found" });
});

it("rejects when the service closes, and returns the job in the next process", async () => {
  const { job } = await start();
  const error = t.stepwell.jobs.wait(t.app, job.id).catch((reason: unknown) => reason);
  const response = get(job, 3_600);
  await turnEventLoop(5);
  const next = await t.crash();
  await t.close();
  expect(await error).toMatchObject({ code: "unavailable" });
  expect((await response).status).toBe(503);
  await expect(t.stepwell.jobs.wait(t.app, job.id)).rejects.toMatchObject({ code: "unavailable" });
  t = next;
  await t.stepwell.ready();
  const wait = t.stepwell.jobs.wait(t.app, job.id);
  await turnEventLoop(50);
  await clock.advance("10m");
  expect((await wait).status).toBe("succeeded");
});
