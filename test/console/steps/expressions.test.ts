/** What the fields of expressions offer, refuse and show. */
import { describe, expect, it } from "vitest";
import { createComplete } from "../../../adapters/console/app/expressions/complete.ts";
import { outcomeOf, problemsOf } from "../../../adapters/console/app/expressions/expressions.ts";
import { autoText, autoWish, hasAutoCall, modeOf } from "../../../adapters/console/app/expressions/modes.ts";
import { scopeOf, variablesAt, visibleSteps } from "../../../adapters/console/app/expressions/variables.ts";
import { createCel } from "../../../src/engine/expressions/cel.ts";
import { FUNCTION_REFERENCE } from "../../../src/engine/expressions/function-reference.ts";
import type { Run } from "../../../src/runs/run.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import type { Definition } from "../../../src/workflows/version.ts";

const definition: Definition = {
  input: {},
  input_default: null,
  input_options: null,
  steps: [
    {
      type: "input",
      key: "start",
      input: {
        amount: { type: "number", name: "Amount" },
        receipt: { type: "file" },
        orders: { type: "object", array: true, fields: { total: { type: "number" } } },
      },
      destinations: ["fetch"],
    },
    { type: "http_request", key: "fetch", url: "https://a.example", destinations: ["odd step"] },
    { type: "code", key: "odd step", code: "return 1", destinations: ["final"] },
    { type: "code", key: "final", code: "return 1" },
  ],
};

const run: Run = {
  ...{ id: "run_1", app_id: "app_1", workflow_id: "work_1", workflow_version_id: "workv_1", version: 1 },
  ...{ status: "succeeded", error: null, parent_run_id: null, tags: [], metadata: {}, trigger: { type: "api" } },
  ...{ created_at: "2027-01-31T09:00:00Z", started_at: null, finished_at: null, output: null },
  input: { amount: "250" },
  steps: [
    step("start", { amount: 250, orders: [{ total: 3 }] }),
    step("fetch", { status: 200, body: { items: [{ id: "A-1" }] } }),
    step("odd step", null),
    step("final", null),
  ],
};

function step(key: string, output: Run["output"]): Run["steps"][number] {
  const times = { started_at: "2027-01-31T09:30:00Z", finished_at: null };
  return { key, type: "code", status: "succeeded", output, error: null, attempts: 1, ...times };
}

const around = { definition, stepKey: "final", services: [], run, app: { id: "app_1", name: "Lending" } };
const visible = visibleSteps(definition, "final");
const variables = variablesAt("loop", around, visible);

function offers(text: string, syntax: "expression" | "template" | "code" = "expression"): readonly string[] {
  const position = text.includes("|") ? text.indexOf("|") : text.length;
  const complete = createComplete({ syntax, variables, descriptions: {}, hasAuto: true });
  const found = complete(text.replace("|", ""), position, true);
  return found?.options.map(({ label }) => label) ?? [];
}

describe("completion", () => {
  it("offers variables of the place, and functions", () => {
    expect(offers("")).toEqual(
      expect.arrayContaining(["input", "steps", "iteration", "previous", "now", "size", "auto"]),
    );
    expect(offers("in")).not.toContain("item");
  });

  it("offers fields by the schema and by the values of the run", () => {
    expect(offers("input.")).toEqual(expect.arrayContaining(["amount", "receipt", "orders"]));
    expect(offers("steps.fetch.output.")).toEqual(expect.arrayContaining(["status", "headers", "body"]));
    expect(offers("steps.fetch.output.body.items[0].")).toContain("id");
    expect(offers("input.receipt[0].")).toEqual(expect.arrayContaining(["mime_type", "sha256"]));
    expect(offers("steps.fetch.?output.body.")).toContain("items");
    expect(offers('steps["odd step"].')).toContain("output");
  });

  it("offers fields of the items within a macro", () => {
    expect(offers("input.orders.filter(one, one.|)")).toContain("total");
    expect(offers("input.orders.|")).toContain("filter");
  });

  it("offers only steps that have settled before", () => {
    expect(offers("steps.")).toEqual(expect.arrayContaining(["start", "fetch", "odd step"]));
    expect(offers("steps.")).not.toContain("final");
  });

  it("offers nothing within strings and outside of braces", () => {
    expect(offers('input.amount == "in')).toEqual([]);
    expect(offers("see in", "template")).toEqual([]);
    expect(offers("see {{ input.| }}", "template")).toContain("amount");
    expect(offers("see {{ input.amount }} in", "template")).toEqual([]);
  });

  it("offers variables, but no functions of expressions, in code", () => {
    expect(offers("const a = input.", "code")).toContain("amount");
    expect(offers("", "code")).not.toContain("escapeMarkdown");
  });
});

describe("mistakes", () => {
  it("says where they are, in an expression and in a template", () => {
    expect(problemsOf("input.amount >", "expression", "anywhere")).toHaveLength(1);
    const [problem] = problemsOf("a {{ inputs.amount }}", "template", "anywhere");
    expect(problem?.message).toContain("Unknown variable: inputs");
    expect(problem?.from).toBe(5);
    expect(problemsOf("a {{ input", "template", "anywhere")).toHaveLength(1);
  });

  it.each(["", '{{ auto("a name") }}', "plain", "{{ input.amount }}"])("accepts the template %j", (text) => {
    expect(problemsOf(text, "template", "anywhere")).toEqual([]);
  });

  it("knows the variables of the place", () => {
    expect(problemsOf("item.id", "either", "for_each")).toEqual([]);
    expect(problemsOf("item.id", "either", "anywhere")).toHaveLength(1);
  });
});

describe("results", () => {
  const scope = scopeOf(around, visible) ?? {};

  it("are those of the engine, with the input as steps read it", () => {
    expect(outcomeOf("input.amount * 2", "expression", "anywhere", scope)).toEqual({ value: 500 });
    expect(outcomeOf("{{ input.orders }}", "template", "anywhere", scope)).toEqual({ value: [{ total: 3 }] });
    expect(outcomeOf("n {{ steps.fetch.output.body }}", "template", "anywhere", scope)).toEqual({
      value: 'n {"items":[{"id":"A-1"}]}',
    });
    expect(outcomeOf("string(now)", "expression", "anywhere", scope)).toEqual({ value: "2027-01-31T09:30:00.000Z" });
  });

  it("say why there is no value", () => {
    expect(outcomeOf("input.other", "expression", "anywhere", scope)).toHaveProperty("reason");
  });

  it("are nothing without a run", () => {
    expect(scopeOf({ ...around, run: null }, visible)).toBeNull();
  });
});

describe("the way a value is given", () => {
  it.each([
    [12, "value"],
    ["plain", null],
    [undefined, null],
    ["{{ input.a }}", "expression"],
    [autoText('a "quoted" name'), "auto"],
    ['a {{ auto("b") }}', "expression"],
  ])("of %j is %s", (value, mode) => {
    expect(modeOf(value)).toBe(mode);
  });

  it("keeps what a model is asked for", () => {
    expect(autoWish(autoText('a "b"\n{{'))).toBe('a "b"\n{{');
    expect(hasAutoCall({ service: { input: { to: ["{{ auto('x') }}"] } } })).toBe(true);
    expect(hasAutoCall({ url: "{{ input.auto }}" })).toBe(false);
  });
});

describe("the reference of functions", () => {
  const cel = createCel(systemClock);

  it.each(FUNCTION_REFERENCE.map(({ call, name, form }) => [call, name, form] as const))(
    "%s exists",
    async (call, name, form) => {
      const parameters = call.slice(call.indexOf("(") + 1, -1);
      const given = parameters === "" ? [] : parameters.split(", ").map((one) => SAMPLES[one] ?? "input.x");
      const receiver = form === "method" ? `${SAMPLES[call.split(".")[0] ?? ""] ?? "input.x"}.` : "";
      const text = `${receiver}${name}(${given.join(", ")})`;
      await cel.prepare(text);
      expect(() => cel.compile(text, "anywhere")).not.toThrow();
    },
  );

  it("names every function of Stepwell", async () => {
    const text = await import("node:fs").then(({ readFileSync }) =>
      readFileSync("src/engine/expressions/functions/functions.ts", "utf8"),
    );
    const names = new Set([...text.matchAll(/^ {4}"(\w+)\(/gm)].map(([, name]) => name));
    expect(names.size).toBeGreaterThan(30);
    expect([...names].filter((name) => !FUNCTION_REFERENCE.some((one) => one.name === name))).toEqual([]);
  });
});

/** Arguments, by the names that the reference gives them. */
const SAMPLES: Readonly<Record<string, string>> = {
  "object.field": "input.field",
  item: "one",
  condition: "one == 1",
  value: "input.x",
  pattern: '"a"',
  text: '"a"',
  key: '"a"',
  between: '"a"',
  part: '"a"',
};
