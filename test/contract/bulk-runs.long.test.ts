/** Retrying, replaying, canceling and deleting many runs, as a job. */
import { expect, it } from "vitest";
import type { Job, Run, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { memory } from "../support/engine/memory.ts";
import { openService } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { BASE, createTestHost, describeEachTransport, refusal } from "../support/http/transports.ts";
import { createRunFixture, give, IN, options } from "../support/workflows/runs.ts";

const broken: Step = { type: "code", key: "code", code: "fail broke" };
const ask: Step = { type: "input", key: "ask", input: {} };

describeEachTransport("POST /runs/bulk", (open) => {
  async function fixture() {
    const { callApi, appId, deploy, wait } = await createRunFixture(open(options));
    const bulk = async (body: object): Promise<Job> => {
      const job: Job = await callApi("runs.bulk", appId, body);
      await expect.poll(async () => ((await callApi("jobs.get", appId, job.id)) as Job).status).not.toBe("running");
      return callApi("jobs.get", appId, job.id);
    };
    const list = async (query: object): Promise<Run[]> => (await callApi("runs.list", appId, query)).items;
    const create = async (workflow: string, count: number, more: object = {}): Promise<Run[]> => {
      const runs: Run[] = [];
      for (let n = 0; n < count; n++) runs.push(await callApi("runs.create", appId, workflow, more));
      return runs;
    };
    return { callApi, appId, deploy, wait, bulk, list, create };
  }

  it("retries failed runs that a filter selects, each once", async () => {
    const { deploy, wait, bulk, list, create } = await fixture();
    const workflow = await deploy([IN, broken]);
    const tagged = await create(workflow, 60, { tags: ["late"] });
    const [other] = await create(workflow, 1);
    for (const { id } of [...tagged, other ?? { id: "" }]) await wait(id);
    const job = await bulk({ action: "retry", filter: { tags: ["late"] } });
    expect(job).toMatchObject({ kind: "runs.bulk", status: "succeeded", done: 60, total: 60, report: { failed: 0 } });
    for (const { id } of tagged) expect((await wait(id)).steps[1]).toMatchObject({ status: "failed", attempts: 1 });
    expect(await list({ status: ["failed"] })).toHaveLength(61);
  });

  it("replays runs with their labels", async () => {
    const { deploy, bulk, list, create } = await fixture();
    const workflow = await deploy([IN, give("a")]);
    const runs = await create(workflow, 3, { metadata: { order: 7 } });
    const job = await bulk({ action: "replay", filter: { workflow_id: workflow } });
    expect(job).toMatchObject({ status: "succeeded", done: 3 });
    const replays = await list({ trigger: ["replay"] });
    expect(replays.map(({ trigger }) => trigger.id).sort()).toEqual(runs.map(({ id }) => id).sort());
    expect(replays.every(({ metadata }) => metadata["order"] === 7)).toBe(true);
  });

  it("selects the run whose id is searched for, if the other filters do", async () => {
    const { deploy, wait, bulk, list, create } = await fixture();
    const workflow = await deploy([IN, give("a")]);
    const [one, other] = await create(workflow, 2);
    const search = one?.id ?? "";
    await wait(search);
    await wait(other?.id ?? "");
    expect(await list({ search, status: ["failed"] })).toEqual([]);
    expect(await list({ search, trigger: ["api"], created_after: "2100-01-01T00:00:00Z" })).toEqual([]);
    expect((await list({ search, status: ["succeeded"] })).map(({ id }) => id)).toEqual([search]);
    expect(await bulk({ action: "retry", filter: { search } })).toMatchObject({
      status: "succeeded",
      done: 0,
      total: 0,
    });
    const filter = { search, workflow_id: workflow };
    expect(await bulk({ action: "delete", filter })).toMatchObject({ status: "succeeded", done: 1, total: 1 });
    expect((await list({})).map(({ id }) => id)).toEqual([other?.id]);
  });

  it("cancels open runs and deletes ended ones", async () => {
    const { deploy, bulk, list, create, wait } = await fixture();
    const workflow = await deploy([IN, ask]);
    await create(workflow, 3);
    const done = await deploy([IN, give("a")]);
    for (const { id } of await create(done, 2)) await wait(id);
    expect(await bulk({ action: "cancel", all: true })).toMatchObject({ status: "succeeded", done: 3 });
    expect(await list({ status: ["canceled"] })).toHaveLength(3);
    expect(await bulk({ action: "delete", filter: { status: ["canceled"] } })).toMatchObject({ done: 3 });
    expect((await list({})).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
    expect(await bulk({ action: "delete", filter: {}, all: true })).toMatchObject({ done: 2 });
    expect(await list({})).toEqual([]);
  });

  it("reports runs that cannot be changed, and goes on", async () => {
    const { deploy, bulk, create, wait, callApi, appId } = await fixture();
    const child = await deploy([IN, ask]);
    const parent = await deploy([IN, { type: "workflow", key: "child", workflow_id: child, input: {} }, ask]);
    const [run] = await create(parent, 1);
    const children = async (): Promise<Run[]> => (await callApi("runs.list", appId, { parent_run_id: run?.id })).items;
    await expect.poll(async () => (await children())[0]?.status).toBe("waiting");
    const [one] = await children();
    await callApi("runs.provide", appId, one?.id, "ask", {});
    await wait(one?.id ?? "");
    const job = await bulk({ action: "delete", filter: { workflow_id: child } });
    expect(job).toMatchObject({ status: "succeeded", done: 1, report: { failed: 1 } });
    expect(job.report.problems).toEqual([
      {
        line: null,
        record_id: null,
        run_id: one?.id,
        code: "conflict",
        message: expect.stringContaining("has not ended"),
      },
    ]);
  });

  it("acts on the runs whose ids it gets, each once, and reports the others", async () => {
    const { deploy, wait, bulk, create, list } = await fixture();
    const workflow = await deploy([IN, give("a")]);
    const chosen = (await create(workflow, 60)).map(({ id }) => id);
    const [other = { id: "" }] = await create(workflow, 1);
    for (const id of [...chosen, other.id]) await wait(id);
    const unknown = "run_00000000000000000000000000";
    const job = await bulk({ action: "replay", ids: [...chosen, chosen[0], unknown] });
    expect(job).toMatchObject({ kind: "runs.bulk", status: "succeeded", done: 61, total: 61, report: { failed: 1 } });
    expect(job.report.problems).toMatchObject([{ run_id: unknown, code: "not_found" }]);
    const replays = await list({ trigger: ["replay"], take: 1_000 });
    expect(replays.map(({ trigger }) => trigger.id).sort()).toEqual([...chosen].sort());
    const retried = await bulk({ action: "retry", ids: [other.id] });
    expect(retried.report.problems).toMatchObject([{ run_id: other.id, code: "conflict" }]);
    expect(await bulk({ action: "delete", ids: [other.id, unknown] })).toMatchObject({
      done: 2,
      report: { failed: 0 },
    });
    const left = (await list({ take: 1_000 })).map(({ id }) => id);
    expect(left).toHaveLength(120);
    expect(left).not.toContain(other.id);
  });

  it("reports the child runs among the ids, which only their parents start again", async () => {
    const { deploy, bulk, create, callApi, appId } = await fixture();
    const child = await deploy([IN, broken]);
    const parent = await deploy([IN, { type: "workflow", key: "child", workflow_id: child, input: {} }]);
    const [run] = await create(parent, 1);
    const children = async (): Promise<Run[]> => (await callApi("runs.list", appId, { parent_run_id: run?.id })).items;
    await expect.poll(async () => (await children())[0]?.status).toBe("failed");
    const [one] = await children();
    const { report } = await bulk({ action: "retry", ids: [one?.id] });
    expect(report.problems).toMatchObject([{ code: "conflict", message: expect.stringContaining(run?.id ?? "?") }]);
  });

  it.each<[string, object, string]>([
    ["ids with a filter", { action: "retry", ids: ["run_1"], filter: { tags: ["a"] } }, "/ids"],
    ["ids with all", { action: "retry", ids: ["run_1"], all: true }, "/ids"],
    ["no ids", { action: "retry", ids: [] }, "/ids"],
    ["more than 1000 ids", { action: "retry", ids: Array.from({ length: 1_001 }, (_, n) => `run_${n}`) }, "/ids"],
    ["an id of something else", { action: "retry", ids: ["work_1"] }, "/ids/0"],
    ["an empty filter without all", { action: "delete" }, "/filter"],
    ["a filter of empty lists", { action: "cancel", filter: { status: [], tags: [] } }, "/filter"],
    [
      "statuses that the action does not apply to",
      { action: "retry", filter: { status: ["running"] } },
      "/filter/status",
    ],
    ["an unknown action", { action: "burn", all: true }, "/action"],
    ["an unknown field", { action: "retry", filter: { statuses: [] } }, "/filter/statuses"],
  ])("rejects %s", async (_, body, pointer) => {
    const { callApi, appId } = await fixture();
    expect(await refusal(callApi("runs.bulk", appId, body))).toBe(`422 invalid ${pointer}`);
  });

  it("rejects a workflow of another app", async () => {
    const { callApi, appId } = await fixture();
    const filter = { workflow_id: "wf_unknown" };
    expect(await refusal(callApi("runs.bulk", appId, { action: "retry", filter }))).toBe("404 not_found");
  });
});

it("runs that a job replays name the key and the user that started it", async () => {
  const { appId, deploy, stepwell, wait } = await createRunFixture(createTestHost(true, options));
  const original = await stepwell.runs.create(appId, await deploy([IN, give("a")]));
  await wait(original.id);
  const { key, id: key_id } = await stepwell.keys.create(appId, { name: "Ann" });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "stepwell-user": "u7" };
  const body = JSON.stringify({ action: "replay", ids: [original.id] });
  const response = await stepwell.fetch(new Request(`${BASE}/apps/me/runs/bulk`, { method: "POST", headers, body }));
  const job: Job = await response.json();
  await stepwell.jobs.wait(appId, job.id);
  const [replay] = (await stepwell.runs.list(appId, { trigger: "replay" })).items;
  const { trigger } = await stepwell.runs.get(appId, replay?.id ?? "");
  expect(trigger).toEqual({ type: "replay", id: original.id, key_id, key_name: "Ann", user_id: "u7" });
});

it("a job replays no run that it has started itself in the millisecond of its creation", async () => {
  const { stepwell, app, deploy, runOf } = await timedService(createTestClock(), new Map());
  const workflow = await deploy([IN, give("a")]);
  for (let n = 0; n < 120; n++) await runOf(workflow);
  const job = await stepwell.runs.bulk(app, { action: "replay", filter: { workflow_id: workflow } });
  expect(await stepwell.jobs.wait(app, job.id)).toMatchObject({ status: "succeeded", done: 120, total: 120 });
  expect((await stepwell.runs.list(app)).total).toBe(240);
});

it("a job over runs continues after a restart, and does nothing twice", async () => {
  const clock = createTestClock();
  const data = new Map<string, string>();
  const first = await timedService(clock, data);
  const { app } = first;
  const workflow = await first.deploy([IN, give("a")]);
  for (let n = 0; n < 120; n++) await first.runOf(workflow);
  const job = await first.stepwell.runs.bulk(app, { action: "replay", filter: { workflow_id: workflow } });
  await first.close();
  const next = await timedService(clock, data, {}, app);
  await expect.poll(async () => (await next.stepwell.jobs.get(app, job.id)).status).toBe("succeeded");
  const replays = await next.stepwell.runs.list(app, { trigger: "replay", take: 1_000 });
  expect(replays.items).toHaveLength(120);
  expect(new Set(replays.items.map(({ trigger }) => trigger.id)).size).toBe(120);
});

it("a job whose process dies after any of its writes counts each run that it deletes", async () => {
  const data = new Map<string, string>();
  const copies: Map<string, string>[] = [];
  let isCopying = false;
  const written = () => isCopying && copies.push(new Map(data));
  const first = await openService({ storage: { entities: memory(data, written).driver } });
  const workflow = await first.deploy([IN, give("a")]);
  for (let n = 0; n < 60; n++) await first.wait((await first.stepwell.runs.create(first.app, workflow)).id);
  isCopying = true;
  const job = await first.stepwell.runs.bulk(first.app, { action: "delete", filter: { workflow_id: workflow } });
  await first.stepwell.jobs.wait(first.app, job.id);
  isCopying = false;
  await first.stepwell.close();
  expect(copies.length).toBeGreaterThan(2);
  for (const copy of copies) {
    const { stepwell } = await openService({ storage: { entities: memory(copy).driver } }, first.app);
    // Without its first write, there is no job.
    const ended = await stepwell.jobs.wait(first.app, job.id).catch(() => null);
    if (ended !== null) expect(ended).toMatchObject({ status: "succeeded", done: 60, total: 60 });
    expect((await stepwell.runs.list(first.app)).total).toBe(ended === null ? 60 : 0);
    await stepwell.close();
  }
});
