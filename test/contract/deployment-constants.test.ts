/** Constant fields with which a step could never succeed are reported at deployment, with their pointer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InputDefinition, JsonObject } from "../../src/index.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";
import type { Settings } from "../../src/workflows/settings.ts";

let service: TestService;
let workflow: string;
let child: string;
beforeAll(async () => {
  service = await createTestService();
  workflow = (await service.stepwell.workflows.create(service.app, { name: "Draft" })).id;
  const steps = [{ type: "input" as const, key: "in", input: { n: { type: "number" as const } } }];
  child = (await service.stepwell.workflows.create(service.app, { name: "Child", steps })).id;
  await service.stepwell.workflows.deploy(service.app, child);
});
afterAll(() => service.close());

const pointersOf = async (step: JsonObject) => {
  const definition = {
    steps: [
      { key: "s", ...step },
      { type: "note", key: "n", note: "" },
    ],
  };
  const { errors } = await service.stepwell.workflows.validate(service.app, workflow, definition);
  return errors.map(({ pointer }) => pointer);
};

const URL = "https://a.test";

describe("an http_request step", () => {
  it.each<[JsonObject, string]>([
    [{ body: "x" }, "/steps/0/body"],
    [{ method: "GET", body: '{"a":1}' }, "/steps/0/body"],
    [{ headers: { "": "x" } }, "/steps/0/headers/"],
    [{ headers: { "a b": "x" } }, "/steps/0/headers/a b"],
    [{ headers: { "a b": "{{ input.x }}" } }, "/steps/0/headers/a b"],
    [{ headers: { a: "x\r\nb: y" } }, "/steps/0/headers/a"],
    [{ headers: { a: "ą" } }, "/steps/0/headers/a"],
    [{ headers: { a: "x\0y" } }, "/steps/0/headers/a"],
    [{ headers: "[1]" }, "/steps/0/headers"],
    [{ headers: "no header" }, "/steps/0/headers"],
    [{ headers: '{"a":' }, "/steps/0/headers"],
    [{ headers: '{"a b":"x"}' }, "/steps/0/headers"],
    [{ headers: '{"a":{}}' }, "/steps/0/headers"],
    [{ headers: '{"a b":"{{ input.x }}"}' }, "/steps/0/headers"],
    [{ headers: "a: ą" }, "/steps/0/headers"],
  ])("with %j is reported", async (fields, pointer) => {
    expect(await pointersOf({ type: "http_request", url: URL, ...fields })).toEqual([pointer]);
  });

  it.each<JsonObject>([
    { method: "POST", body: "x" },
    { headers: { "x-a": "é", b: "{{ input.x }}ą", c: " x\n" } },
    { headers: "a: b\nc: d\n" },
    { headers: '{"a":"b","c":7}' },
    { headers: "{{ input.headers }}" },
    { headers: "a: {{ input.x }}" },
    { headers: '{"a":"{{ input.x }}"}' },
    { headers: "" },
  ])("with %j is accepted", async (fields) => {
    expect(await pointersOf({ type: "http_request", url: URL, ...fields })).toEqual([]);
  });
});

describe("a workflow step", () => {
  it.each<[JsonObject, string]>([
    [{ workflow_version_id: 1, input: { n: 1 }, step_key: "none" }, "/steps/0/step_key"],
    [{ workflow_version_id: 1, input: {} }, "/steps/0/input/n"],
    [{ workflow_version_id: 1, input: null }, "/steps/0/input/n"],
    [{ workflow_version_id: 1, input: { n: "text" } }, "/steps/0/input/n"],
    [{ workflow_version_id: 1, input: { n: "{{ input.n }}", m: 1 } }, "/steps/0/input/m"],
    [{ workflow_version_id: 1, input: '{"n":true}' }, "/steps/0/input/n"],
    [{ input: "text" }, "/steps/0/input"],
    [{ input: "[1]" }, "/steps/0/input"],
  ])("with %j is reported", async (fields, pointer) => {
    expect(await pointersOf({ type: "workflow", workflow_id: child, ...fields })).toEqual([pointer]);
  });

  it.each<JsonObject>([
    { workflow_version_id: 1, input: { n: 1 }, step_key: "in" },
    { workflow_version_id: 1, input: { n: "{{ input.n }}" } },
    { workflow_version_id: 1, input: "{{ input }}" },
    { workflow_version_id: 1, input: {}, step_key: "{{ input.key }}" },
    { workflow_version_id: 1, input: '{"n":1}' },
    // A later version may take this.
    { input: {}, step_key: "none" },
    { workflow_version_id: "{{ input.v }}", input: {} },
  ])("with %j is accepted", async (fields) => {
    expect(await pointersOf({ type: "workflow", workflow_id: child, ...fields })).toEqual([]);
  });
});

describe("allowed_modes of a field", () => {
  const fields = {
    computed: { type: "boolean", optional: true, allowed_modes: ["expression"] },
    chosen: { type: "select", optional: true, options: [{ value: "a" }], allowed_modes: ["value"], array: true },
    either: { type: "boolean", optional: true, allowed_modes: ["value", "expression"] },
    nested: { type: "object", optional: true, fields: { on: { type: "boolean", allowed_modes: ["value"] } } },
  } satisfies InputDefinition;
  const callWith = async (input: JsonObject) => {
    const steps = [{ type: "input" as const, key: "in", input: fields }];
    const { id } = await service.stepwell.workflows.create(service.app, { name: "Modes", steps });
    await service.stepwell.workflows.deploy(service.app, id);
    const definition = { steps: [{ key: "s", type: "workflow", workflow_id: id, workflow_version_id: 1, input }] };
    const { errors } = await service.stepwell.workflows.validate(service.app, workflow, definition);
    return { id, errors: errors.map(({ pointer, message }) => `${pointer} ${message}`) };
  };

  it("refuses what an author may not write for it", async () => {
    const input = { computed: true, chosen: ["a", "{{ input.x }}"], either: true, nested: { on: "{{ input.on }}" } };
    expect((await callWith(input)).errors.sort()).toEqual([
      "/steps/0/input/chosen/1 Must be a value: allowed_modes of the field has no expression.",
      "/steps/0/input/computed Must be an expression in {{ }}: allowed_modes of the field has no value.",
      "/steps/0/input/nested/on Must be a value: allowed_modes of the field has no expression.",
    ]);
  });

  it("accepts what an author may write, and any input of callers", async () => {
    const { id, errors } = await callWith({
      ...{ computed: "{{ input.x }}", chosen: ["a"], either: "{{ input.x }}", nested: { on: true } },
    });
    expect(errors).toEqual([]);
    const run = await service.stepwell.runs.create(service.app, id, { input: { computed: true } });
    expect((await service.stepwell.runs.wait(service.app, run.id)).status).toBe("succeeded");
  });

  it("must not be empty", async () => {
    const definition = { input: { on: { type: "boolean", allowed_modes: [] } }, steps: [] };
    const { errors } = await service.stepwell.workflows.validate(service.app, workflow, definition);
    expect(errors.map(({ pointer }) => pointer)).toEqual(["/input/on/allowed_modes"]);
  });
});

describe("a condition", () => {
  it.each<[JsonObject, string]>([
    [{ conditional: "1" }, "/steps/0/conditional"],
    [{ conditional: "'yes'" }, "/steps/0/conditional"],
    [{ conditional: "null" }, "/steps/0/conditional"],
    [{ loop: '"done"' }, "/steps/0/loop"],
    [{ loop: " false " }, "/steps/0/loop"],
    [{ destinations: ["n"], on_error: [{ condition: "'a'", destinations: ["n"] }] }, "/steps/0/on_error/0/condition"],
    [
      { type: "branch", conditions: { x: { order: 1, condition: "0", destinations: [] } } },
      "/steps/0/conditions/x/condition",
    ],
  ])("that is a literal is reported: %j", async (fields, pointer) => {
    expect(
      await pointersOf({ type: "code", ...(fields["type"] === undefined ? { code: "" } : {}), ...fields }),
    ).toEqual([pointer]);
  });

  it.each<JsonObject>([
    { conditional: "false" },
    { conditional: "true" },
    { loop: "true" },
    { loop: "iteration == 2" },
    { destinations: ["n"], on_error: [{ condition: "error.code == 'x'", destinations: ["n"] }] },
  ])("is accepted: %j", async (fields) => {
    expect(await pointersOf({ type: "code", code: "", ...fields })).toEqual([]);
  });

  it("of a wait for an event is reported if it is a literal", async () => {
    const wait = (condition: string): JsonObject => ({
      ...{ type: "service", service: { service: "events", action: "wait", input: { name: "paid", condition } } },
    });
    expect(await pointersOf(wait("'a'"))).toEqual(["/steps/0/service/input/condition"]);
    expect(await pointersOf(wait("event.payload.ok"))).toEqual([]);
  });
});

describe("a setting", () => {
  const errorsWith = async (settings: Settings) => {
    const { errors } = await service.stepwell.workflows.validate(service.app, workflow, { steps: [], settings });
    return errors.map(({ pointer, message }) => `${pointer} ${message}`);
  };

  it.each([
    ["'a'", 'Must be a whole number from -100 to 100, not "a".'],
    ["'7'", 'Must be a whole number from -100 to 100, not "7".'],
    ["1000", "Must be a whole number from -100 to 100, not 1000."],
    ["-60 - 60", "Must be a whole number from -100 to 100, not -120."],
    ["0.5", "Must be a whole number from -100 to 100, not 0.5."],
    ["true", "Must be a whole number from -100 to 100, not true."],
    ["1 / 0", expect.stringContaining("division by zero")],
  ])("with a constant that is no priority is reported: %s", async (priority, message) => {
    const definition = { steps: [], settings: { priority } };
    const { errors } = await service.stepwell.workflows.validate(service.app, workflow, definition);
    expect(errors).toEqual([{ pointer: "/settings/priority", message }]);
  });

  it.each<Settings>([
    { priority: "7" },
    { priority: "-100" },
    { priority: "[1, 2].map(n, n * 2)[0]" },
    { priority: "input.urgent ? 1000 : 0" },
    { priority: "run.version" },
    { priority: "now.getHours()" },
    { concurrency: { limit: 1, key: "'all'" } },
    { start_on: [{ name: "paid", condition: "event.payload.ok" }, { name: "paid" }] },
    { start_on: [{ name: "paid", condition: "false" }] },
  ])("is accepted: %j", async (settings) => {
    expect(await errorsWith(settings)).toEqual([]);
  });

  it("start_on with a literal as its condition is reported", async () => {
    const settings = { start_on: [{ name: "paid" }, { name: "paid", condition: "'a'" }] };
    expect(await errorsWith(settings)).toEqual([
      "/settings/start_on/1/condition Must yield true or false, not 'a'. Write a condition such as event.payload.total > 100.",
    ]);
  });
});
