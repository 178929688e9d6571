/** Runs: create, get, list, wait, cancel, provide input. */
import { expect, it } from "vitest";
import type { Run, Step } from "../../src/index.ts";
import { describeEachTransport, refusal } from "../support/http/transports.ts";
import { ASK, createRunFixture, give, HANG, IN, options } from "../support/workflows/runs.ts";

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
describeEachTransport("runs", (open) => {
  it("creates a run and returns it with its steps", async () => {
    const { callApi, appId, deploy, wait } = await createRunFixture(open(options));
    const workflow = await deploy([IN, give("a")], {
      input: { n: { type: "number" }, who: { type: "string", default: "me" } },
    });
    const version = await callApi("workflows.getVersion", appId, workflow, 1);
    const created: Run = await callApi("runs.create", appId, workflow, { input: { n: "4" } });
    expect(created).toEqual({
      id: expect.stringMatching(/^run_[0-9a-z]{26}$/),
      app_id: appId,
      workflow_id: workflow,
      workflow_version_id: version.id,
      version: 1,
      status: "running",
      input: { n: "4" },
      output: null,
      error: null,
      parent_run_id: null,
      trigger: expect.objectContaining({ type: "api" }),
      tags: [],
      metadata: {},
      created_at: instant,
      started_at: instant,
      finished_at: null,
      steps: [
        expect.objectContaining({ key: "in", type: "input", status: "succeeded", output: { n: 4, who: "me" } }),
        {
          key: "a",
          type: "code",
          status: "running",
          output: null,
          error: null,
          attempts: 0,
          started_at: instant,
          finished_at: null,
        },
      ],
    });
    await wait(created.id);
    const run: Run = await callApi("runs.get", appId, created.id);
    expect(run).toMatchObject({ ...created, status: "succeeded", output: "a", finished_at: instant, steps: [{}, {}] });
    expect(run.steps[1]).toMatchObject({
      status: "succeeded",
      output: "a",
      attempts: 1,
      started_at: instant,
      finished_at: instant,
    });
  });

  it("returns an ended run when no step needs executing", async () => {
    const { callApi, appId, deploy } = await createRunFixture(open(options));
    const run = await callApi("runs.create", appId, await deploy([IN]), { input: { a: [1] } });
    expect(run).toMatchObject({ status: "succeeded", output: { a: [1] }, finished_at: instant });
    expect(await callApi("runs.get", appId, run.id)).toEqual(run);
  });

  it("runs the latest version, or the one named", async () => {
    const { callApi, appId, deploy, stepwell } = await createRunFixture(open(options));
    const workflow = await deploy([{ ...IN, key: "one" }]);
    await stepwell.workflows.putDraft(appId, workflow, { steps: [{ ...IN, key: "two" }] });
    const second = await stepwell.workflows.deploy(appId, workflow);
    await stepwell.workflows.putDraft(appId, workflow, { steps: [{ ...IN, key: "draft" }] });
    const ran = async (version?: string | number) => {
      const run: Run = await callApi("runs.create", appId, workflow, version === undefined ? {} : { version });
      return [run.version, run.steps[0]?.key];
    };
    expect(await ran()).toEqual([2, "two"]);
    expect(await ran("latest")).toEqual([2, "two"]);
    expect(await ran(1)).toEqual([1, "one"]);
    expect(await ran("1")).toEqual([1, "one"]);
    expect(await ran(second.id)).toEqual([2, "two"]);
    expect(await ran("draft")).toEqual([0, "draft"]);
    for (const version of ["3", 0, "nobody", ""]) {
      expect(await refusal(ran(version)), `${version}`).toBe("404 not_found");
    }
    for (const version of [-1, 1.5]) expect(await refusal(ran(version)), `${version}`).toBe("422 invalid /version");
  });

  it("continues a run of a draft after the draft and the workflow are gone", async () => {
    const { callApi, appId, stepwell, wait } = await createRunFixture(open(options));
    const { id: workflow } = await stepwell.workflows.create(appId, { name: "Draft", steps: [IN, ASK, give("a")] });
    expect(await refusal(callApi("runs.create", appId, workflow, {}))).toBe("409 conflict");
    const { id } = await callApi("runs.create", appId, workflow, { version: "draft" });
    await stepwell.workflows.putDraft(appId, workflow, { steps: [] });
    await stepwell.workflows.remove(appId, workflow);
    await callApi("runs.provide", appId, id, "ask", { ok: true });
    expect(await wait(id)).toMatchObject({ status: "succeeded", version: 0, output: "a" });
  });

  it("rejects a run of a draft with validation problems", async () => {
    const { callApi, appId, stepwell } = await createRunFixture(open(options));
    const steps: Step[] = [
      { ...give("a"), destinations: ["nobody"] },
      { ...give("b"), conditional: "1 +" },
    ];
    const { id } = await stepwell.workflows.create(appId, { name: "Draft", steps });
    expect(await refusal(callApi("runs.create", appId, id, { version: "draft" }))).toMatch(
      /^422 invalid \/steps\/0\/destinations\/0/,
    );
  });

  it("rejects invalid input and creates no run", async () => {
    const { callApi, appId, deploy } = await createRunFixture(open(options));
    const workflow = await deploy([IN], { input: { n: { type: "number" }, t: { type: "time" } } });
    expect(await refusal(callApi("runs.create", appId, workflow, { input: { n: "x", t: 1, more: 1 } }))).toBe(
      "422 invalid /input/n /input/t /input/more",
    );
    expect(await refusal(callApi("runs.create", appId, workflow, { input: [] }))).toBe("422 invalid /input");
    expect(await refusal(callApi("runs.create", appId, workflow, { inputs: {} }))).toBe("422 invalid /inputs");
    expect(await refusal(callApi("runs.create", appId, workflow, { step_key: "nobody" }))).toBe(
      "422 invalid /step_key",
    );
    expect(await refusal(callApi("runs.create", appId, "work_none", {}))).toBe("404 not_found");
    expect(await callApi("runs.list", appId)).toMatchObject({ items: [], total: 0 });
  });

  it("lists newest first by app, workflow, status, page and page token", async () => {
    const { callApi, appId, deploy, wait } = await createRunFixture(open(options));
    const workflow = await deploy([IN, give("a")]);
    const waiting = await deploy([IN, ASK]);
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      const { id } = await callApi("runs.create", appId, count === 2 ? waiting : workflow, {});
      ids.unshift(id);
      if (count !== 2) await wait(id);
    }
    const listed = async (operation: string, ...given: unknown[]) =>
      (await callApi(operation, appId, ...given)).items.map(({ id }: Run) => id);
    expect(await listed("runs.list")).toEqual(ids);
    expect(await listed("runs.listOfWorkflow", workflow)).toEqual(ids.filter((_, index) => index !== 2));
    expect(await listed("runs.list", { status: "waiting" })).toEqual([ids[2]]);
    expect(await listed("runs.list", { status: "canceled" })).toEqual([]);
    expect(await listed("runs.listOfWorkflow", workflow, { status: "succeeded", take: 2, page: 2 })).toEqual([
      ids[3],
      ids[4],
    ]);
    const [summary] = (await callApi("runs.list", appId)).items;
    expect(summary).not.toHaveProperty("steps");
    expect(summary).toMatchObject({ id: ids[0], status: "succeeded", version: 1 });

    const first = await callApi("runs.list", appId, { take: 2 });
    expect(first).toMatchObject({ total: 5, more: true, next_page_token: expect.any(String) });
    await callApi("runs.create", appId, workflow, {});
    const rest = await listed("runs.list", { take: 10, page_token: first.next_page_token });
    expect(rest).toEqual(ids.slice(2));
    expect(await refusal(callApi("runs.list", appId, { status: "done" }))).toBe("422 invalid /status/0");
    expect(await refusal(callApi("runs.listOfWorkflow", appId, "work_none"))).toBe("404 not_found");
  });

  it("cancels a running or waiting run, and leaves ended runs unchanged", async () => {
    const { callApi, appId, deploy, wait } = await createRunFixture(open(options));
    for (const [steps, status] of [
      [[IN, HANG], "running"],
      [[IN, ASK], "waiting"],
    ] as const) {
      const run: Run = await callApi("runs.create", appId, await deploy([...steps]), {});
      expect(run.status).toBe(status);
      const canceled: Run = await callApi("runs.cancel", appId, run.id);
      expect(canceled).toMatchObject({ status: "canceled", output: null, error: null, finished_at: instant });
      expect(canceled.steps.map((step) => step.status)).toEqual(["succeeded", "canceled"]);
      expect(await callApi("runs.cancel", appId, run.id)).toEqual(canceled);
      expect(await callApi("runs.get", appId, run.id)).toEqual(canceled);
      expect((await callApi("runs.list", appId, { status: "canceled" })).items).toContainEqual(
        expect.objectContaining({ id: run.id }),
      );
    }
    for (const [steps, status] of [
      [[IN], "succeeded"],
      [[{ ...give("a"), code: "fail no" }], "failed"],
    ] as const) {
      const { id } = await callApi("runs.create", appId, await deploy([...steps] as Step[]), {});
      const ended = await wait(id);
      expect(ended.status).toBe(status);
      expect(await callApi("runs.cancel", appId, id)).toEqual(ended);
    }
  });

  it("provides the input that a step waits for, and rejects invalid or repeated input", async () => {
    const { callApi, appId, deploy, wait } = await createRunFixture(open(options));
    const { id } = await callApi("runs.create", appId, await deploy([IN, ASK, give("a")]), {});
    expect(await refusal(callApi("runs.provide", appId, id, "ask", { ok: 7, more: 1 }))).toBe("422 invalid /ok /more");
    expect(await refusal(callApi("runs.provide", appId, id, "nobody", {}))).toBe("404 not_found");
    expect(await refusal(callApi("runs.provide", appId, id, "in", {}))).toBe("409 conflict");
    expect((await callApi("runs.provide", appId, id, "ask", { ok: true })).id).toBe(id);
    expect(await refusal(callApi("runs.provide", appId, id, "ask", { ok: true }))).toBe("409 conflict");
    expect(await wait(id)).toMatchObject({ status: "succeeded", output: "a" });
  });

  it("answers 404 for runs of another app", async () => {
    const { callApi, appId, deploy, app } = await createRunFixture(open(options));
    const { id: other } = await app("Other");
    const workflow = await deploy([IN, ASK]);
    const { id } = await callApi("runs.create", appId, workflow, {});
    expect(await refusal(callApi("runs.get", other, id))).toBe("404 not_found");
    expect(await refusal(callApi("runs.cancel", other, id))).toBe("404 not_found");
    expect(await refusal(callApi("runs.provide", other, id, "ask", { ok: true }))).toBe("404 not_found");
    expect(await refusal(callApi("runs.create", other, workflow, {}))).toBe("404 not_found");
    expect(await refusal(callApi("runs.listOfWorkflow", other, workflow))).toBe("404 not_found");
    expect((await callApi("runs.list", other)).items).toEqual([]);
    expect(await refusal(callApi("runs.get", appId, "run_none"))).toBe("404 not_found");
    expect((await callApi("runs.get", appId, id)).status).toBe("waiting");
  });
});
