/** Testing one step of a draft, and pinned outputs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DraftPut, JsonObject, Run, Step } from "../../src/index.ts";
import { edgesFrom, withoutEdges } from "../../src/workflows/graph.ts";
import type { ExecutedStep, StepOf } from "../../src/workflows/step.ts";
import {
  branch,
  fail,
  give,
  input,
  note,
  openService,
  type Service,
  statuses,
  step,
  to,
} from "../support/engine/service.ts";
import { STEPS } from "../support/workflows/definitions.ts";

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stepwell.close());

const records = (key: string, more: Partial<Step> = {}): Step =>
  ({
    type: "service",
    key,
    service: { service: "files", action: "create", input: { name: "{{ steps.a.output.name }}", text: "x" } },
    ...more,
  }) as Step; // valid for the test

async function tryStep(
  steps: readonly Step[],
  key: string,
  given: JsonObject = {},
  rest: Partial<DraftPut> = {},
): Promise<Run> {
  const workflow = await service.draft(steps, rest);
  const { id } = await service.stepwell.runs.testStep(service.app, workflow, key, given);
  return service.wait(id);
}

describe("a test of one step", () => {
  it("runs the step with the given outputs, and none of the others", async () => {
    const run = await tryStep([input("in"), fail("a"), records("b"), fail("c")], "b", {
      steps: { a: { output: { name: "given.txt" } } },
    });
    expect(run).toMatchObject({
      status: "succeeded",
      error: null,
      version: 0,
      output: { name: "given.txt" },
      trigger: { type: "test" },
    });
    expect(statuses(run)).toEqual({ in: "succeeded", a: "succeeded", b: "succeeded" });
  });

  it("checks the input as for a run", async () => {
    const steps = [
      input("in", { input: { n: { type: "number" } } }),
      records("b", {
        service: { service: "files", action: "create", input: { name: "number {{ input.n }}", text: "x" } },
      } as Partial<Step>),
    ];
    expect((await tryStep(steps, "b", { input: { n: 7 } })).output).toMatchObject({ name: "number 7" });
    await expect(tryStep(steps, "b", { input: { n: "x" } })).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/input/n" }],
    });
  });

  it("uses pinned outputs where none is given, and null for the rest", async () => {
    const steps = [
      input("in"),
      fail("a", to("b")),
      fail("other", to("b")),
      give("in2", to("a", "other")),
      { ...give("b"), code: "seen" } as Step,
    ];
    const seen = await openService({
      sandbox: {
        async run({ globals }) {
          return { value: JSON.parse(JSON.stringify(globals["steps"])), logs: [] };
        },
        close: async () => undefined,
      },
    });
    const workflow = await seen.draft([{ ...steps[0], ...to("in2") } as Step, ...steps.slice(1)], {
      pinned: { a: [1], other: "pinned" },
    });
    const { id } = await seen.stepwell.runs.testStep(seen.app, workflow, "b", { steps: { a: { output: [2] } } });
    const { output } = await seen.wait(id);
    expect(output).toMatchObject({ a: { output: [2] }, other: { output: "pinned" }, in2: { output: null } });
    await seen.stepwell.close();
  });

  it("executes loops and lists of the step, and shows why it failed", async () => {
    const list = { ...give("b"), for_each: { items: "steps.a.output" } } as Step;
    expect((await tryStep([input("in"), give("a"), list], "b", { steps: { a: { output: [1, 2] } } })).output).toEqual([
      "b",
      "b",
    ]);
    const run = await tryStep(
      [input("in"), { ...fail("b"), on_error: [{ destinations: ["c"] }], ...to("c") } as Step, give("c")],
      "b",
    );
    expect(run).toMatchObject({ status: "failed", error: { step: "b", code: "code_failed" } });
  });

  it("works for a branch, without taking its destinations", async () => {
    const steps = [input("in", to("b")), branch("b", { big: ["input.n > 1", "c"] }, ["c"]), give("c")];
    const run = await tryStep(steps, "b", { input: { n: 2 } });
    expect(run.status).toBe("succeeded");
    expect(statuses(run)).toEqual({ in: "succeeded", b: "succeeded" });
  });

  it("checks the step alone, with pointers into the draft", async () => {
    const invalid = { ...records("b"), service: { service: "files", action: "none", input: {} } } as Step;
    const steps = [fail("x", { conditional: "nonsense(" }), input("in"), give("a"), note("n"), invalid];
    await expect(tryStep(steps, "b")).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/steps/4/service/action" }],
    });
    expect(
      (await tryStep([...steps.slice(0, 4), records("b")], "b", { steps: { a: { output: { name: "y" } } } })).error,
    ).toBeNull();
  });

  it("knows nothing but own properties of what is given and pinned", async () => {
    const steps = [input("in"), give("constructor"), give("toString"), give("b")];
    expect(await tryStep(steps, "b", {}, { pinned: { toString: 1 } })).toMatchObject({
      status: "succeeded",
      output: "b",
    });
  });

  it.each<[string, string, JsonObject, object]>([
    ["an unknown step", "z", {}, { code: "not_found" }],
    ["a note", "n", {}, { code: "invalid" }],
    ["an input step", "in", {}, { code: "invalid" }],
    ["a step that is not before it", "b", { steps: { b: { output: 1 } } }, { errors: [{ pointer: "/steps/b" }] }],
    ["an output that is missing", "b", { steps: { a: {} } }, { errors: [{ pointer: "/steps/a/output" }] }],
    ["an unknown field", "b", { outputs: {} }, { errors: [{ pointer: "/outputs" }] }],
  ])("is refused for %s", async (_, key, given, error) => {
    await expect(tryStep([input("in"), note("n"), give("a"), give("b")], key, given)).rejects.toMatchObject(error);
  });

  it("answers with the result if the caller waits, and is 404 for another app", async () => {
    const workflow = await service.draft([input("in"), give("a")]);
    const other = await service.stepwell.apps.create({ name: "Other" });
    const { key } = await service.stepwell.keys.create(other.id, { name: "k" });
    const own = await service.stepwell.keys.create(service.app, { name: "k" });
    const send = (app: string, secret: string) =>
      service.stepwell.fetch(
        new Request(`http://localhost/apps/${app}/workflows/${workflow}/draft/steps/a/test`, {
          method: "POST",
          headers: { authorization: `Bearer ${secret}`, prefer: "wait=9999" },
        }),
      );
    const answer = await send(service.app, own.key);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ status: "succeeded", output: "a" });
    expect((await send(other.id, key)).status).toBe(404);
    expect((await send(service.app, key)).status).toBe(404);
  });
});

describe("pinned outputs", () => {
  const steps = [input("in"), fail("a"), { ...records("b"), retry: { max_attempts: 2 } } as Step];
  const pinned = { a: { name: "pinned.txt" } };

  it("are used by runs of the draft in place of the step, its loop and its items", async () => {
    const looped = [
      input("in"),
      { ...fail("a"), loop: "iteration > 1", loop_delay: 60 } as Step,
      { ...fail("c"), for_each: { items: "[1]" } } as Step,
      records("b"),
    ];
    const workflow = await service.draft(looped, { pinned: { ...pinned, c: 1 } });
    const { id } = await service.stepwell.runs.create(service.app, workflow, { version: "draft" });
    const run = await service.wait(id);
    expect(run).toMatchObject({ status: "succeeded", output: { name: "pinned.txt" } });
    expect(step(run, "c").output).toBe(1);
  });

  it("let a run of the draft go past an input step, and leave conditions in force", async () => {
    const workflow = await service.draft(
      [
        input("in"),
        input("ask"),
        give("b", { conditional: "steps.ask.output.ok" }),
        fail("c", { conditional: "!steps.ask.output.ok" }),
      ],
      { pinned: { ask: { ok: false }, c: "pinned", b: "never" } },
    );
    const run = await service.wait(
      (await service.stepwell.runs.create(service.app, workflow, { version: "draft" })).id,
    );
    expect(statuses(run)).toMatchObject({ ask: "succeeded", b: "skipped", c: "succeeded" });
    expect(run.output).toBe("pinned");
  });

  it("are neither deployed nor used by deployed versions", async () => {
    const workflow = await service.draft(steps, { pinned });
    expect(await service.stepwell.workflows.getDraft(service.app, workflow)).toMatchObject({ pinned });
    const draft = await service.stepwell.runs.create(service.app, workflow, { version: "draft" });
    expect((await service.wait(draft.id)).status).toBe("succeeded");
    const version = await service.stepwell.workflows.deploy(service.app, workflow);
    expect(version).not.toHaveProperty("pinned");
    expect(await service.runOf(workflow)).toMatchObject({ status: "failed", error: { step: "a" } });
    const { changed } = (await service.stepwell.workflows.diff(service.app, workflow, "1", "draft")) as unknown as {
      changed: unknown;
    };
    expect(changed ?? []).toEqual([]);
  });

  it("survive a restart of the process", async () => {
    const { stepwell, app } = service;
    const workflow = await service.draft([input("in"), fail("a"), input("ask"), records("b")], { pinned });
    const { id } = await stepwell.runs.create(app, workflow, { version: "draft" });
    await service.until(id, ({ status }) => status === "waiting");
    await stepwell.workflows.putDraft(app, workflow, { steps: [...steps] });
    await stepwell.runs.provide(app, id, "ask", {});
    expect((await service.wait(id)).output).toMatchObject({ name: "pinned.txt" });
  });

  it.each([
    ["an unknown step", "z", "There is no step"],
    ["a note", "n", "note has no output"],
    ["a branch", "br", "by its conditions"],
    ["the start", "in", "runs start at this step"],
  ])("are refused for %s, with a pointer", async (_, key, message) => {
    const workflow = await service.draft(
      [input("in", to("br")), note("n"), branch("br", { yes: ["true", "a"] }), give("a")],
      { pinned: { [key]: 1 } },
    );
    const error = { pointer: `/pinned/${key}`, message: expect.stringContaining(message) };
    expect(await service.stepwell.workflows.validate(service.app, workflow, {})).toEqual({
      valid: false,
      errors: [error],
    });
    await expect(service.stepwell.runs.create(service.app, workflow, { version: "draft" })).rejects.toMatchObject({
      errors: [error],
    });
    await expect(service.stepwell.workflows.deploy(service.app, workflow)).rejects.toMatchObject({ errors: [error] });
  });
});

it.each(Object.values(STEPS).filter(({ type }) => type !== "note" && type !== "input"))(
  "a tested step of the type $type has none of its edges",
  (fields) => {
    const routes = [{ destinations: ["caught"] }];
    const whole = { ...fields, on_error: routes } as unknown as ExecutedStep | StepOf<"branch">; // valid for the test
    expect(edgesFrom(whole).length).toBeGreaterThan(1);
    expect(edgesFrom(withoutEdges(whole))).toEqual([]);
  },
);
