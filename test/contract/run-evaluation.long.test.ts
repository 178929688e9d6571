/** Expressions and templates that are evaluated on a run, for previews in editors. */
import * as v from "valibot";
import { expect, it } from "vitest";
import { defineService, type Options, type Run, type RunEvaluation, type Step } from "../../src/index.ts";
import { scripted } from "../support/engine/service.ts";
import { describeEachTransport, refusal } from "../support/http/transports.ts";
import { createRunFixture, give, IN } from "../support/workflows/runs.ts";

const work = defineService({
  name: "work",
  actions: { echo: { input: v.any(), output: v.any(), run: (value) => value } },
});
const options: Partial<Options> = { sandbox: scripted(), services: [work] };
const echo = (key: string, input: object): Step => ({
  type: "service",
  key,
  service: { service: "work", action: "echo", input: { ...input } },
});

describeEachTransport("expressions on a run", (open) => {
  async function ran(steps: Step[], input: object = {}) {
    const { callApi, appId, deploy, wait } = await createRunFixture(open(options));
    const run: Run = await wait((await callApi("runs.create", appId, await deploy(steps), { input })).id);
    return {
      run,
      stored: (): Promise<Run> => callApi("runs.get", appId, run.id),
      evaluate: (given: object): Promise<RunEvaluation> => callApi("runs.evaluate", appId, run.id, given),
    };
  }

  it("evaluates expressions and templates on a run, and changes nothing", async () => {
    const { evaluate, stored, run } = await ran([IN, echo("a", { list: [1, 2] }), give("b")], { n: 2 });
    expect(await evaluate({ expression: "input.n * 2" })).toEqual({ type: "number", value: 4 });
    expect(await evaluate({ expression: "steps.b.output" })).toEqual({ type: "string", value: "b" });
    expect(await evaluate({ expression: "steps.b", before_step: "b" })).toMatchObject({
      error: { message: expect.stringMatching(/^No such key: b/) },
    });
    expect(await evaluate({ template: "{{ steps.a.output.list }} of {{ run.id }}", before_step: "b" })).toEqual({
      type: "string",
      value: `[1,2] of ${run.id}`,
    });
    expect(await evaluate({ template: "{{ steps.a.output.list }}" })).toEqual({ type: "list", value: [1, 2] });
    expect(await evaluate({ template: "plain" })).toEqual({ type: "string", value: "plain" });
    expect(await evaluate({ template: "a {{ input.no }}" })).toMatchObject({ error: { at: 11 } });
    expect(await evaluate({ expression: "1 +" })).toMatchObject({ error: { message: expect.any(String), at: 3 } });
    expect(await evaluate({ template: "a {{ 1" })).toEqual({
      error: { message: '"{{" at position 3 has no closing "}}".', invalid: true, at: 2, end: 6 },
    });
    const { value: none, preview } = await evaluate({ expression: 'range(10000).map(x, "ä")' });
    expect([none, preview?.length]).toEqual([undefined, 16_384]);
    const { error } = await evaluate({ expression: "range(100000).map(x, range(100000).map(y, x * y))" });
    expect(error?.message).toMatch(/limit of 1,000,000 operations|too large|range/);
    expect(await refusal(evaluate({}))).toBe("422 invalid /expression");
    expect(await refusal(evaluate({ expression: "1", template: "2" }))).toBe("422 invalid /expression");
    expect(await refusal(evaluate({ expression: "1", before_step: "nobody" }))).toBe("404 not_found");
    expect(await stored()).toEqual(run);
  });

  it("evaluates several expressions in one call, and says where each is invalid", async () => {
    const { evaluate } = await ran([IN, echo("a", { list: [1, 2] }), give("b")], { n: 2 });
    expect(
      await evaluate({
        expressions: [
          { expression: "input.n * 2" },
          { template: "{{ steps.a.output.list }}" },
          { expression: "input.n +* 1" },
          { template: "a {{ inputs.n }} b" },
          { template: "a {{ input.no }} b" },
          { template: '{{ auto("a name for " + string(input.n)) }}' },
          { template: '{{ auto("a" +) }}' },
          { expression: 'auto("a")' },
        ],
        before_step: "b",
      }),
    ).toEqual({
      results: [
        { type: "number", value: 4 },
        { type: "list", value: [1, 2] },
        { error: { message: expect.stringMatching(/^Unexpected token/), invalid: true, at: 9, end: 10 } },
        { error: { message: expect.stringMatching(/^Unknown variable: inputs/), invalid: true, at: 5, end: 11 } },
        { error: { message: expect.stringMatching(/^No such key: no/), invalid: false, at: 11, end: 13 } },
        { filled_by_model: true },
        { error: { message: expect.any(String), invalid: true, at: 13, end: 14 } },
        { error: { message: expect.any(String), invalid: true, at: expect.any(Number), end: expect.any(Number) } },
      ],
    });
    const long = { expressions: [{ expression: '"12345"' }, { expression: '"123456"' }], max_value_chars: 7 };
    expect(await evaluate(long)).toEqual({
      results: [
        { type: "string", value: "12345" },
        { type: "string", preview: '"123456' },
      ],
    });
  });

  it("bounds the expressions of one call, and what they may take together", async () => {
    const { evaluate } = await ran([IN, give("b")], { n: 2 });
    const heavy = { expression: "range(400).map(x, range(400).map(y, x * y))" };
    const { results } = await evaluate({ expressions: Array.from({ length: 40 }, () => heavy) });
    expect(results?.at(0)?.type).toBe("list");
    expect(results?.at(-1)?.error?.message).toMatch(/limit of 4,000,000 operations/);
    const one = { expression: "1" };
    const tooMany = Array.from({ length: 201 }, () => one);
    expect(await refusal(evaluate({ expressions: tooMany }))).toBe("422 invalid /expressions");
    expect(await refusal(evaluate({ expressions: [] }))).toBe("422 invalid /expressions");
    const tooLong = Array.from({ length: 9 }, () => ({ template: "a".repeat(30_000) }));
    expect(await refusal(evaluate({ expressions: tooLong }))).toBe("422 invalid /expressions");
    expect(await refusal(evaluate({ ...one, expressions: [one] }))).toBe("422 invalid /expression");
    expect(await refusal(evaluate({ expressions: [{}] }))).toBe("422 invalid /expressions/0/expression");
  });

  it("bounds what texts of large values may take, before they are written", async () => {
    const { evaluate } = await ran([IN, give("b")], { text: "y".repeat(600_000), rows: [...Array(9_000).keys()] });
    const values = (count: number) => ({ template: "{{ input.text }}".repeat(count) });
    expect(await evaluate(values(100))).toMatchObject({ type: "string" });
    // Those of one call together, each of which is not too long.
    const { results } = await evaluate({ expressions: Array.from({ length: 12 }, () => values(100)) });
    expect(results?.at(-1)?.error?.message).toMatch(/limit of 4,000,000 operations/);
    const tooMuch = { error: { message: expect.stringMatching(/limit of 1,000,000 operations/) } };
    // 9,000 times 600,000 characters would be longer than any text.
    expect(await evaluate({ expression: "input.rows.join(input.text).size()" })).toMatchObject(tooMuch);
    expect(await evaluate({ expression: 'input.rows.map(row, "abc").join(", ").size()' })).toMatchObject({
      value: 9_000 * 5 - 2,
    });
    expect(await evaluate({ expression: 'input.text.split("").size()' })).toMatchObject({ value: 600_000 });
    expect(await evaluate({ expression: '(input.text + input.text).split("").size()' })).toMatchObject(tooMuch);
    expect(await evaluate({ expression: '(input.text + input.text).split("y").size()' })).toMatchObject(tooMuch);
  });

  it("evaluates expressions at each place of a step, also of one that has changed since", async () => {
    const each = {
      type: "service",
      key: "each",
      service: { service: "work", action: "echo", input: { n: "{{ item }}" } },
      for_each: { items: "input.list", on_error: "continue" },
    } as Step;
    const { evaluate } = await ran([IN, each, give("b")], { list: [5, 6], other: [7] });
    const none = (message: string) => ({ error: { message, invalid: false } });
    const item = { expression: "item" };
    expect(await evaluate({ ...item, before_step: "each", item: 1 })).toEqual({ type: "number", value: 6 });
    expect(await evaluate({ ...item, before_step: "each", item: 2 })).toEqual(
      none("The list has no item with the index 2 in this run."),
    );
    expect(await evaluate({ ...item, before_step: "each", items: "{{ input.other }}" })).toMatchObject({ value: 7 });
    expect(await evaluate({ ...item, before_step: "each", items: "input.none" })).toEqual(
      none(expect.stringMatching(/^The list that the step goes over has no value: No such key: none/)),
    );
    expect(await evaluate({ ...item, before_step: "each", place: "anywhere" })).toMatchObject({
      error: { message: expect.stringMatching(/^Unknown variable: item/), invalid: true },
    });
    expect(await evaluate({ expression: "index", place: "for_each" })).toMatchObject({ value: 0 });
    expect(await evaluate({ ...item, place: "for_each" })).toEqual(none("The step goes over no list in this run."));
    expect(await evaluate({ expression: "1", place: "for_each" })).toMatchObject({ value: 1 });
    const names = ["iteration", "previous", "output"];
    const expressions = names.map((expression) => ({ expression, place: "loop" }));
    expect(await evaluate({ expressions, before_step: "b" })).toEqual({
      results: [
        { type: "number", value: 1 },
        { type: "null", value: null },
        { type: "string", value: "b" },
      ],
    });
    expect(await evaluate({ expression: "output", place: "loop" })).toEqual(
      none("The step has no output in this run."),
    );
    const error = { expression: "error.code", place: "on_error" };
    expect(await evaluate({ ...error, before_step: "b" })).toEqual(none("The step has not failed in this run."));
  });

  it("evaluates the condition of a catch route with the error of the step", async () => {
    const branch: Step = {
      type: "branch",
      key: "size",
      conditions: { large: { condition: "input.missing > 1", order: 0, destinations: ["c"] } },
      on_error: [{ destinations: ["c"] }],
    };
    const { evaluate } = await ran([{ ...IN, destinations: ["size"] }, branch, give("c")]);
    const given = { expression: 'error.code + " " + string(error.attempts)', place: "on_error", before_step: "size" };
    expect(await evaluate(given)).toEqual({
      type: "string",
      value: "expression_failed 1",
    });
  });
});
