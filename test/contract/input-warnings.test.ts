/** Warnings of a validation: expressions that read a field which no input of the workflow has, steps without code, and conditions that always hold. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestService, type TestService } from "../../src/testing/index.ts";
import type { InputDefinition } from "../../src/workflows/input/input-field.ts";
import type { Settings } from "../../src/workflows/settings.ts";
import type { BranchStep, Step } from "../../src/workflows/step.ts";
import type { Definition } from "../../src/workflows/version.ts";

let service: TestService;
let workflow: string;
beforeAll(async () => {
  service = await createTestService();
  workflow = (await service.stepwell.workflows.create(service.app, { name: "Draft" })).id;
});
afterAll(() => service.close());

const use = (body: string): Step => ({
  type: "http_request",
  key: "use",
  method: "POST",
  url: "https://example.com",
  body,
});
const start = (input: InputDefinition, key = "start"): Step => ({ type: "input", key, input });
const FORM: InputDefinition = {
  amount: { type: "number" },
  at: { type: "object", fields: { city: { type: "string" } } },
};

type Checked = Partial<Pick<Definition, "input" | "settings">> & Pick<Definition, "steps">;

const validate = (definition: Checked) => service.stepwell.workflows.validate(service.app, workflow, definition);

describe("an expression that reads a field which no input has", () => {
  it("is a warning with the field that was meant, and the workflow is deployed", async () => {
    const definition: Checked = { input: { note: { type: "string" } }, steps: [start(FORM), use("{{ input.amout }}")] };
    expect(await validate(definition)).toEqual({
      valid: true,
      errors: [],
      warnings: [
        {
          pointer: "/steps/1/body",
          message: 'input has no field "amout". Did you mean "amount"? Its fields: note, amount, at.',
        },
      ],
    });
    const { stepwell, app } = service;
    const { id } = await stepwell.workflows.create(app, { name: "Deployed", ...definition });
    expect(await stepwell.workflows.deploy(app, id)).toMatchObject({ version: 1 });
  });

  it("is a warning within objects, beside errors", async () => {
    const { valid, errors, warnings } = await validate({
      steps: [start(FORM), use("{{ input.at.town }} {{ steps.none.output }}")],
    });
    expect([valid, errors.length]).toEqual([false, 1]);
    expect(warnings).toEqual([
      { pointer: "/steps/1/body", message: 'input.at has no field "town". Its fields: city.' },
    ]);
  });

  it.each([
    [
      "a field of another start step",
      [start(FORM), start({ amout: { type: "number" } }, "other"), use("{{ input.amout }}")],
    ],
    ["an input without definition", [start({}), use("{{ input.amout }}")]],
    ["no input step", [use("{{ input.amout }}")]],
    ["a field that is asked for", [start(FORM), use("{{ has(input.amout) ? 1 : 2 }} {{ input.?amout }}")]],
    ["a computed name", [start(FORM), use('{{ input["am" + "out"] }}')]],
  ])("is none for %s", async (_, steps) => {
    expect(await validate({ steps })).toEqual({ valid: true, errors: [] });
  });
});

describe("a setting that reads a field which no input has", () => {
  const message = 'input has no field "amout". Did you mean "amount"? Its fields: amount, at.';

  it.each<[string, Settings]>([
    ["concurrency/key", { concurrency: { limit: 1, key: "input.amout" } }],
    ["debounce/key", { debounce: { period: 1, key: "input.amout" } }],
    ["rate_limit/key", { rate_limit: { limit: 1, period: 1, key: "input.amout" } }],
    ["priority", { priority: "input.amout > 1 ? 1 : 0" }],
  ])("is a warning: %s", async (name, settings) => {
    expect(await validate({ steps: [start(FORM)], settings })).toEqual({
      valid: true,
      errors: [],
      warnings: [{ pointer: `/settings/${name}`, message }],
    });
  });

  it("is none for a field that it has or asks for", async () => {
    const settings = { priority: "input.amount", debounce: { period: 1, key: 'input.?amout.orValue("")' } };
    expect(await validate({ steps: [start(FORM)], settings })).toEqual({ valid: true, errors: [] });
  });
});

it("warns of a step without code, which is deployed", async () => {
  const steps: Step[] = [{ type: "code", key: "a", code: " \n" }];
  expect(await validate({ steps })).toEqual({
    valid: true,
    errors: [],
    warnings: [
      { pointer: "/steps/0/code", message: "There is no code: the step does nothing, and its output is null." },
    ],
  });
});

describe("a condition without an expression", () => {
  const yes = { destinations: ["a"], order: 0 };
  const checked = { condition: "now > now", destinations: ["a"], order: 1 };
  const branch = (conditions: BranchStep["conditions"], more: Partial<BranchStep> = {}): Checked => ({
    steps: [
      { type: "branch", key: "branch", conditions, ...more },
      { type: "note", key: "a", note: "" },
    ],
  });

  it.each([
    ["is the only one", branch({ yes })],
    ["stands before others", branch({ yes, checked })],
    ["stands before the else", branch({ yes: { ...yes, order: 2 }, checked }, { else: ["a"] })],
  ])("is a warning if it %s", async (_, definition) => {
    expect(await validate(definition)).toEqual({
      valid: true,
      errors: [],
      warnings: [
        {
          pointer: "/steps/0/conditions/yes/condition",
          message: "There is no expression: this condition always holds, and no other way is ever taken.",
        },
      ],
    });
  });

  it("is none if it is the way that is left", async () => {
    const definition = branch({ yes: { ...yes, order: 2 }, checked });
    expect(await validate(definition)).toEqual({ valid: true, errors: [] });
  });
});

describe("the input step that a run starts at", () => {
  const code = (key: string, ...destinations: string[]): Step => ({
    type: "code",
    key,
    code: "return 1",
    destinations,
  });

  it.each<[string, readonly Step[]]>([
    ["by a list without edges", [{ type: "code", key: "a", code: "return 1" }, start({ ok: { type: "boolean" } })]],
    ["by an edge", [code("a", "start"), start({ ok: { type: "boolean" } }), code("z", "a")]],
  ])("is a warning if other steps lead to it, %s: nobody would be asked", async (_, steps) => {
    const { valid, warnings } = await validate({ input: { n: { type: "number" } }, steps: [...steps] });
    expect([valid, warnings]).toEqual([
      true,
      [{ pointer: "/steps/1", message: expect.stringMatching(/^Nobody is asked here/) }],
    ]);
  });

  it("is none if another input step is in front", async () => {
    const asked: Step = { type: "input", key: "ask", input: { ok: { type: "boolean" } } };
    const steps = [start({ n: { type: "number" } }), { type: "code", key: "a", code: "return 1" } as const, asked];
    expect((await validate({ steps })).warnings).toBeUndefined();
  });
});
