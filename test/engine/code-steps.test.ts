/** Code steps in a service: syntax errors at deployment, TypeScript, and configurable limits. */
import { afterAll, describe, expect, it } from "vitest";
import { createQuickjsSandbox } from "../../adapters/sandbox/quickjs.ts";
import type { JsonObject, Step } from "../../src/index.ts";
import { openService, scripted } from "../support/engine/service.ts";

const sandbox = createQuickjsSandbox({ threads: 1 });
const service = await openService({ sandbox, limits: { code: { timeoutMs: 300, outputCharacters: 1_000 } } });
afterAll(() => service.stepwell.close());

const steps = (code: string): Step[] => [
  { type: "input", key: "start", input: {}, destinations: ["work"] },
  { type: "code", key: "work", code },
];

describe("a code step", () => {
  it.each([
    ["JavaScript", "const a = 1;\nlet b = ;", /^SyntaxError: .*line 2/],
    ["TypeScript", "const a: number = 1;\ninterface B {}\nreturn a +* 2", /^SyntaxError: .*line 3/],
    ["incomplete code", "if (input) {\n", /line 2/],
  ])("with a syntax error is rejected at deployment: %s", async (_, code, message) => {
    const workflow = await service.draft(steps(code));
    const { valid, errors } = await service.stepwell.workflows.validate(service.app, workflow);
    expect(valid).toBe(false);
    expect(errors).toEqual([{ pointer: "/steps/1/code", message: expect.stringMatching(message) }]);
    await expect(service.stepwell.workflows.deploy(service.app, workflow)).rejects.toMatchObject({ code: "invalid" });
  });

  it.each([
    ["import { x } from 'y';\nreturn x", "Code steps cannot load modules. To use a package, call it from a service."],
  ])("explains at deployment that it has no modules: %s", async (code, hint) => {
    const workflow = await service.draft(steps(code));
    const { errors } = await service.stepwell.workflows.validate(service.app, workflow);
    expect(errors).toMatchObject([{ message: expect.stringMatching(/^SyntaxError: /) }]);
    expect(errors[0]?.message.endsWith(` ${hint}`)).toBe(true);
  });

  it.each([
    ["require('fs')", " Code steps cannot load modules. To use a package, call it from a service."],
    [
      "await fetch('https://example.com')",
      " Code steps have no network access. Use an http_request step or a service.",
    ],
    ["somethingElse()", " (line 1, column 1)"],
  ])("explains what is not defined and what to use instead: %s", async (code, ending) => {
    const { error } = await service.run(steps(code));
    expect(error?.message).toMatch(/^ReferenceError: /);
    expect(error?.message.endsWith(ending)).toBe(true);
  });

  it("accepts TypeScript", async () => {
    const run = await service.run(steps("type Sum = { total: number };\nconst sum: Sum = { total: 3 };\nreturn sum"));
    expect(run).toMatchObject({ status: "succeeded", output: { total: 3 } });
  });

  it.each([
    ["time", "for (;;) {}", /300 ms of time/],
    ["output", "return 'x'.repeat(2000)", /1000 characters of output/],
  ])("fails at the %s limit that the options set", async (_, code, message) => {
    const run = await service.run(steps(code));
    expect(run).toMatchObject({
      status: "failed",
      error: { code: "code_limit", message: expect.stringMatching(message) },
    });
  });

  it("passes its app to the sandbox as the tenant of the call", async () => {
    const other = await openService({ sandbox: scripted({ tenant: ({ tenant = null }) => tenant }) });
    const run = await other.run([{ type: "code", key: "work", code: "tenant" }]);
    expect(run).toMatchObject({ status: "succeeded", output: other.app });
    await other.stepwell.close();
  });

  it("can be followed by a condition with matches()", async () => {
    const run = await service.run([
      { type: "input", key: "start", input: {}, destinations: ["work"] },
      { type: "code", key: "work", code: "return 'order-12'", destinations: ["skipped"] },
      { type: "code", key: "skipped", code: "return 1", conditional: "steps.work.output.matches('^order-[a-z]+$')" },
    ]);
    expect(run.steps).toMatchObject([{}, { status: "succeeded" }, { status: "skipped" }]);
  });
});

describe("a code step with output", () => {
  const returning = (code: string, output: JsonObject): Step[] => [
    { type: "input", key: "start", input: {}, destinations: ["work"] },
    { type: "code", key: "work", code, output },
  ];
  const TOTAL = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };

  it("succeeds with a value that matches the schema", async () => {
    expect(await service.run(returning("return { total: 3 }", TOTAL))).toMatchObject({ output: { total: 3 } });
  });

  it("fails with the place of what does not match, and keeps its logs", async () => {
    const { status, error, steps } = await service.run(returning("console.log('seen'); return { total: '3' }", TOTAL));
    expect({ status, code: error?.code }).toEqual({ status: "failed", code: "invalid_output" });
    expect(error?.message).toContain("does not match the output that the step declares");
    expect(error?.message).toContain("/total");
    expect(steps.find(({ key }) => key === "work")?.logs).toEqual(["seen"]);
  });

  it("checks each item of a for_each", async () => {
    const [start, work] = returning("return item", { type: "integer" });
    const each = { ...work, for_each: { items: "[1, 2.5]", on_error: "continue" } } as Step;
    const { output } = await service.run([start as Step, each]);
    expect(output).toEqual([1, null]);
  });

  it("is rejected at deployment if the schema is invalid", async () => {
    const workflow = await service.draft(returning("return 1", { type: "nothing" }));
    const { errors } = await service.stepwell.workflows.validate(service.app, workflow);
    expect(errors).toMatchObject([{ pointer: "/steps/1/output" }]);
  });

  it("fails with unusable_schema if checking the value would take exponential time", async () => {
    const nested = { type: "array", anyOf: Array.from({ length: 50 }, () => ({ items: { $ref: "#/$defs/a" } })) };
    const schema = { $defs: { a: nested }, $ref: "#/$defs/a" };
    const { error } = await service.run(returning("let a = 1; for (let i = 0; i < 40; i++) a = [a]; return a", schema));
    expect(error?.code).toBe("unusable_schema");
  });
});

it("invalid limits.code are rejected at construction", async () => {
  await expect(openService({ limits: { code: { timeoutMs: -1 } } })).rejects.toThrow(
    /limits\.code\.timeoutMs: Must be a whole number from 1 to \d+\. Received -1\./,
  );
  const unknown: object = { speed: 1 };
  await expect(openService({ limits: { code: unknown } })).rejects.toThrow(/limits\.code\.speed: Unknown limit\./);
});
