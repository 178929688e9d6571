/** Steps of a run in depth: input, attempts, conditions, items and previews. */
import * as v from "valibot";
import { expect, it } from "vitest";
import { defineService, type Options, type Run, type Step, type StepDetails } from "../../src/index.ts";
import { scripted } from "../support/engine/service.ts";
import { describeEachTransport, refusal } from "../support/http/transports.ts";
import { ASK, createRunFixture, give, IN } from "../support/workflows/runs.ts";

const SECRET = "s3cret-password";
const shop = defineService({
  name: "shop",
  connection: v.object({ password: v.string() }),
  actions: {
    charge: {
      input: v.object({ amount: v.number(), note: v.string() }),
      output: v.any(),
      run: ({ amount }) => ({ charged: amount }),
    },
  },
});
const work = defineService({
  name: "work",
  actions: {
    echo: { input: v.any(), output: v.any(), run: (value) => value },
    odd: {
      input: v.object({ n: v.number() }),
      output: v.any(),
      maxAttempts: 1,
      run({ n }) {
        if (n % 2 === 0) throw new Error(`${n} is even`);
        return n;
      },
    },
  },
});
const options: Partial<Options> = { sandbox: scripted(), services: [shop, work], secret: "x".repeat(32) };
const echo = (key: string, input: object, more: object = {}): Step =>
  ({ type: "service", key, service: { service: "work", action: "echo", input }, ...more }) as Step; // of one type

describeEachTransport("steps of a run", (open) => {
  async function ran(steps: Step[], input: object = {}, more: object = {}) {
    const fixture = await createRunFixture(open(options));
    const { callApi, appId, deploy, wait } = fixture;
    const workflow = await deploy(steps, more);
    const run: Run = await wait((await callApi("runs.create", appId, workflow, { input })).id);
    const step = (key: string, given: object = {}): Promise<StepDetails> =>
      callApi("runs.getStep", appId, run.id, key, given);
    return { ...fixture, run, workflow, step };
  }

  it("shows what a step got, with the values of its expressions", async () => {
    const { step, run } = await ran(
      [
        IN,
        echo("a", { sum: "{{ input.n + 1 }}", text: "n={{ input.n }}" }),
        echo("b", { all: "{{ steps.a.output }}" }),
      ],
      { n: 2 },
      { input: { n: { type: "number" } } },
    );
    expect(await step("in")).toMatchObject({
      type: "input",
      input: { n: 2 },
      latest_attempts: [{ number: 1, error: null }],
    });
    expect(await step("a")).toMatchObject({ input: { sum: 3, text: "n=2" }, output: { sum: 3, text: "n=2" } });
    const { errors: _, ...shown } = run.steps[2] as Run["steps"][number];
    expect(await step("b")).toEqual({
      run_id: run.id,
      ...shown,
      input: { all: { sum: 3, text: "n=2" } },
      latest_attempts: [{ number: 1, started_at: shown.started_at, finished_at: shown.finished_at, error: null }],
      conditions: [],
    });
  });

  it("hides credentials in what a step got", async () => {
    const fixture = await createRunFixture(open(options));
    const { stepwell, appId, deploy, wait, callApi } = fixture;
    const { id } = await stepwell.connections.create(appId, {
      name: "Shop",
      service: "shop",
      credentials: { password: SECRET },
    });
    const workflow = await deploy(
      [
        IN,
        {
          type: "service",
          key: "pay",
          service: {
            service: "shop",
            action: "charge",
            connection_id: id,
            input: { amount: 3, note: `uses ${SECRET} as {{ input.t }}` },
          },
        },
        {
          type: "http_request",
          key: "call",
          url: "https://user:pass@192.0.2.1/a?api_key=abcdef&n={{ input.t }}#x",
          headers: { Authorization: "Bearer abcdef", "x-api-key": "{{ input.t }}", accept: "text/plain" },
          throw_on_error: false,
        },
      ],
      { input: { t: { type: "string" } } },
    );
    const run = await wait((await callApi("runs.create", appId, workflow, { input: { t: SECRET } })).id);
    const pay: StepDetails = await callApi("runs.getStep", appId, run.id, "pay");
    expect(pay.input).toEqual({ amount: 3, note: "uses [hidden] as [hidden]" });
    const call: StepDetails = await callApi("runs.getStep", appId, run.id, "call");
    expect(call.input).toEqual({
      method: "GET",
      url: `https://[hidden]@192.0.2.1/a?api_key=[hidden]&n=${SECRET}#x`,
      headers: { authorization: "[hidden]", "x-api-key": "[hidden]", accept: "text/plain" },
    });
    await stepwell.connections.remove(appId, id, { force: true });
    expect(await callApi("runs.getStep", appId, run.id, "pay")).toMatchObject({
      input: null,
      input_missing: "connection_unavailable",
    });
  });

  it("says why a branch went the way it did", async () => {
    const branch: Step = {
      type: "branch",
      key: "size",
      conditional: "input.n > 0",
      conditions: {
        large: { condition: "input.n > 100 && steps.a.output.list[0] == 1", order: 0, destinations: ["c"] },
        odd: { condition: 'steps["a"].output["odd name"]', order: 1, destinations: ["d"] },
        rest: { order: 2, destinations: [] },
      },
      else: ["c"],
    };
    const a = echo("a", { list: [1], "odd name": true, big: "x".repeat(3_000) }, { destinations: ["size"] });
    const { step } = await ran([{ ...IN, destinations: ["a"] }, a, branch, give("c"), give("d")], { n: 5 });
    const { conditions = [], input_missing } = await step("size");
    expect(input_missing).toBe("none");
    expect(conditions).toEqual([
      {
        kind: "conditional",
        expression: "input.n > 0",
        destinations: [],
        result: "true",
        taken: true,
        values: [{ path: "input.n", value: 5 }],
      },
      {
        kind: "branch",
        name: "large",
        expression: branch.conditions["large"]?.condition,
        destinations: ["c"],
        result: "false",
        taken: false,
        values: expect.arrayContaining([
          { path: "input.n", value: 5 },
          { path: "steps.a.output.list", value: [1] },
        ]),
      },
      {
        kind: "branch",
        name: "odd",
        expression: branch.conditions["odd"]?.condition,
        destinations: ["d"],
        result: "true",
        taken: true,
        values: [{ path: 'steps.a.output["odd name"]', value: true }],
      },
      {
        kind: "branch",
        name: "rest",
        expression: null,
        destinations: [],
        result: "not_evaluated",
        taken: false,
        values: [],
      },
      { kind: "else", expression: null, destinations: ["c"], result: "not_evaluated", taken: false, values: [] },
    ]);
  });

  it("shows the error of a condition, and which route caught it", async () => {
    const branch: Step = {
      type: "branch",
      key: "size",
      conditions: { large: { condition: "input.missing > 1", order: 0, destinations: ["c"] } },
      on_error: [
        { condition: 'error.code == "other"', destinations: ["c"] },
        { condition: 'error.code == "expression_failed"', destinations: ["d"] },
        { destinations: ["c"] },
      ],
    };
    const { step } = await ran([{ ...IN, destinations: ["size"] }, branch, give("c"), give("d")]);
    const { conditions = [] } = await step("size");
    expect(conditions.map(({ kind, result, taken }) => [kind, result, taken])).toEqual([
      ["branch", "error", false],
      ["else", "not_evaluated", false],
      ["catch", "false", false],
      ["catch", "true", true],
      ["catch", "not_evaluated", false],
    ]);
    expect(conditions[0]?.error).toMatch(/^No such key: missing/);
    expect(conditions[0]?.values).toEqual([{ path: "input.missing" }]);
    expect(conditions[3]?.values).toEqual([{ path: "error.code", value: "expression_failed" }]);
  });

  it("cuts long inputs and outputs, and leaves them out of a run", async () => {
    const long = `${"ä".repeat(300)}`;
    const { step, run, callApi, appId } = await ran([IN, echo("a", { long })], { big: long });
    const length = new TextEncoder().encode(JSON.stringify({ long })).length;
    expect(await step("a", { preview: 12 })).toMatchObject({
      output: null,
      output_bytes: JSON.stringify({ long }).length,
      output_preview: '{"long":"ä',
      input: null,
      input_bytes: JSON.stringify({ long }).length,
      input_preview: '{"long":"ä',
    });
    expect(await step("a", { preview: length })).toMatchObject({ output: { long }, input: { long } });
    const short: Run = await callApi("runs.get", appId, run.id, { preview: 20 });
    expect(short).toMatchObject({
      input: {},
      output: null,
      input_bytes: expect.any(Number),
      output_bytes: expect.any(Number),
    });
    expect(short.steps[1]).toMatchObject({ output: null, output_bytes: expect.any(Number) });
    expect(await callApi("runs.get", appId, run.id, { preview: 100_000 })).toEqual(run);
    expect(await refusal(callApi("runs.get", appId, run.id, { preview: -1 }))).toBe("422 invalid /preview");
  });

  it("lists the items of a for_each, and finds the ones that failed", async () => {
    const each = {
      type: "service",
      key: "each",
      service: { service: "work", action: "odd", input: { n: "{{ item }}" } },
      for_each: { items: "input.list", on_error: "continue" },
    } as Step;
    const { callApi, appId, run, step } = await ran([IN, each], { list: [1, 2, 3, 4, 5] });
    const { items, total } = await callApi("runs.listItems", appId, run.id, "each", {});
    expect(total ?? items.length).toBe(5);
    expect(items[0]).toEqual({
      index: 0,
      status: "succeeded",
      started_at: expect.any(String),
      finished_at: expect.any(String),
      attempts: 1,
      error: null,
      output_bytes: 1,
    });
    const failed = await callApi("runs.listItems", appId, run.id, "each", { status: ["failed"], take: 1 });
    expect(failed.items).toMatchObject([
      { index: 1, status: "failed", error: { code: "step_failed", message: "2 is even" } },
    ]);
    const { next_page_token } = failed;
    const next = await callApi("runs.listItems", appId, run.id, "each", {
      status: ["failed"],
      page_token: next_page_token,
    });
    expect(next.items).toMatchObject([{ index: 3 }]);
    expect(await step("each", { item: 2 })).toMatchObject({ item: 2, input: { n: 3 }, output: 3, status: "succeeded" });
    expect(await step("each", { item: 3 })).toMatchObject({
      input: { n: 4 },
      output: null,
      status: "failed",
      latest_attempts: [{ number: 1, item: 3, error: { code: "step_failed", message: "4 is even" } }],
    });
    expect(await step("each")).toMatchObject({ input: null, input_missing: "item_required" });
    expect((await step("each")).latest_attempts.map(({ item }) => item)).toEqual([0, 1, 2, 3, 4]);
    expect(await refusal(step("each", { item: 5 }))).toBe("404 not_found");
    expect((await callApi("runs.listItems", appId, run.id, "in", {})).items).toEqual([]);
    expect(await refusal(callApi("runs.listItems", appId, run.id, "each", { page_token: "x_1" }))).toBe(
      "422 invalid /page_token",
    );
  });

  it("lists the repetitions of a loop", async () => {
    const loop = echo("a", { n: "{{ iteration }}" }, { loop: "output.n >= 3" });
    const counted = echo("b", { n: "{{ previous == null ? 1 : previous.n + 1 }}" }, { loop: "output.n == 2" });
    const { callApi, appId, run, step } = await ran([IN, loop, counted]);
    const { items } = await callApi("runs.listItems", appId, run.id, "a", {});
    expect(items).toMatchObject([
      { index: 0, status: "succeeded", attempts: 1 },
      { index: 1, status: "succeeded" },
      { index: 2, status: "succeeded", output_bytes: expect.any(Number) },
    ]);
    expect(await step("a", { item: 1 })).toMatchObject({ input: { n: 2 }, output: null, output_missing: "not_stored" });
    expect(await step("a")).toMatchObject({ input: { n: 3 }, output: { n: 3 }, attempts: 3 });
    expect((await step("a")).conditions).toMatchObject([
      { kind: "loop", result: "true", taken: true, values: [{ path: "output.n", value: 3 }] },
    ]);
    expect(await step("b", { item: 0 })).toMatchObject({ input: { n: 1 } });
    expect(await step("b", { item: 1 })).toMatchObject({ input: null, input_missing: "not_stored", output: { n: 2 } });
  });

  it("shows a run that waits, and one whose workflow is gone", async () => {
    const { callApi, appId, deploy, stepwell, wait } = await createRunFixture(open(options));
    const workflow = await deploy([
      IN,
      echo("a", { n: "{{ input.n }}" }),
      ASK,
      echo("b", { ok: "{{ steps.ask.output.ok }}" }),
    ]);
    const { id } = await callApi("runs.create", appId, workflow, { input: { n: 7 } });
    await expect.poll(async () => (await stepwell.runs.get(appId, id)).status).toBe("waiting");
    const step = (key: string): Promise<StepDetails> => callApi("runs.getStep", appId, id, key);
    expect(await step("a")).toMatchObject({ status: "succeeded", input: { n: 7 } });
    expect(await step("ask")).toMatchObject({ status: "waiting", input: null, input_missing: "none" });
    expect(await step("b")).toMatchObject({
      status: "pending",
      input: null,
      input_missing: "not_started",
      latest_attempts: [],
    });
    expect(await callApi("runs.evaluate", appId, id, { expression: "steps.a.output.n", before_step: "b" })).toEqual({
      type: "number",
      value: 7,
    });
    await stepwell.workflows.remove(appId, workflow);
    expect(await step("a")).toMatchObject({ status: "succeeded", input: { n: 7 } });
    await callApi("runs.provide", appId, id, "ask", { ok: true });
    await wait(id);
    expect(await step("b")).toMatchObject({ status: "succeeded", output: { ok: true } });
  });

  it("finds steps with any key, and only those of the app's runs", async () => {
    const odd = "a/b ?%2F{}";
    const { callApi, appId, run, stepwell, step } = await ran([IN, echo(odd, { n: 1 }), echo("__proto", { n: 2 })]);
    expect(await step(odd)).toMatchObject({ key: odd, input: { n: 1 } });
    for (const key of ["nobody", "toString", "constructor", "0"])
      expect(await refusal(step(key)), key).toBe("404 not_found");
    const other = (await stepwell.apps.create({ name: "Other" })).id;
    const calls = [
      () => stepwell.runs.getStep(other, run.id, odd),
      () => stepwell.runs.listItems(other, run.id, odd),
      () => stepwell.runs.evaluate(other, run.id, { expression: "1" }),
      () => stepwell.runs.get(other, run.id, { preview: 1 }),
      () => callApi("runs.getStep", appId, `run_${"0".repeat(26)}`, odd),
    ];
    for (const call of calls) expect(await refusal(call())).toBe("404 not_found");
  });
});
