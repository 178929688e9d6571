/** What the fields of expressions offer, and what they ask the server to evaluate. */
import { describe, expect, it } from "vitest";
import { createComplete } from "../../../adapters/console/app/expressions/complete.ts";
import { mentionedBy } from "../../../adapters/console/app/expressions/mentioned.ts";
import { autoText, autoWish, hasAutoCall, modeOf } from "../../../adapters/console/app/expressions/modes.ts";
import { placeOf, valuesOf, variablesAt, visibleSteps } from "../../../adapters/console/app/expressions/variables.ts";
import { createWantedExpressions, wantedText } from "../../../adapters/console/app/expressions/wanted-expressions.ts";
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

const around = {
  definition,
  stepKey: "final",
  services: [],
  run,
  app: { id: "app_1", name: "Lending" },
  workflowId: "wfl_1",
};
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

  it("offers after a dot the methods of the type of the value, and no other functions", () => {
    const fields = ["amount", "receipt", "orders"];
    expect(offers("input.").filter((name) => !fields.includes(name))).toEqual([
      ...["keys", "values", "entries", "merge", "size"],
    ]);
    expect(offers("input.amount.")).toEqual(expect.arrayContaining(["round", "fixed", "text"]));
    expect(offers("input.amount.")).not.toContain("filter");
    expect(offers("input.orders.")).toEqual(expect.arrayContaining(["map", "join", "slice", "size"]));
    expect(offers("input.orders.")).not.toContain("upper");
    expect(offers("now.")).toEqual(expect.arrayContaining(["addDays", "getFullYear", "format"]));
    expect(offers("now.")).not.toContain("sum");
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

describe("expressions to evaluate", () => {
  const wanted = (text: string, syntax: "expression" | "template" | "either") => {
    const found = wantedText(text, syntax, "anywhere");
    return found === null ? null : JSON.parse(found);
  };

  it("are expressions or templates, with their place", () => {
    expect(wanted("1 + 1", "expression")).toEqual({ expression: "1 + 1", place: "anywhere" });
    expect(wanted("1 + 1", "either")).toEqual({ expression: "1 + 1", place: "anywhere" });
    expect(wanted("{{ 1 }}", "either")).toEqual({ template: "{{ 1 }}", place: "anywhere" });
    expect(wanted("a {{ 1 }}", "template")).toEqual({ template: "a {{ 1 }}", place: "anywhere" });
  });

  it.each([
    ["", "expression"],
    [" ", "template"],
    ["plain", "template"],
    [`{{ ${"a".repeat(32_768)} }}`, "template"],
  ] as const)("do not contain %.20j", (text, syntax) => {
    expect(wanted(text, syntax)).toBeNull();
  });

  it("are each asked for once, as long as a field shows them", () => {
    const all = createWantedExpressions();
    let changes = 0;
    const leave = all.subscribe(() => changes++);
    const [first, second] = [all.add("a"), all.add("a")];
    all.add("b");
    expect(all.list()).toEqual(["a", "b"]);
    expect(all.list()).toBe(all.list());
    first();
    expect(all.list()).toEqual(["a", "b"]);
    second();
    expect(all.list()).toEqual(["b"]);
    expect(changes).toBe(5);
    leave();
  });

  it("are no more than the server takes in one call", () => {
    const many = createWantedExpressions();
    for (let index = 0; index < 300; index++) many.add(String(index));
    expect(many.list()).toHaveLength(200);
    const long = createWantedExpressions();
    for (let index = 0; index < 20; index++) long.add(`${index}${"a".repeat(30_000)}`);
    expect(long.list()).toHaveLength(8);
  });

  it("stand at the place of the step", () => {
    const code = { type: "code", key: "a", code: "" } as const;
    expect(placeOf(code)).toBe("anywhere");
    expect(placeOf({ ...code, loop: "true" })).toBe("loop");
    expect(placeOf({ ...code, for_each: { items: "input.orders" } })).toBe("for_each");
  });
});

describe("values of a run", () => {
  it("are those that the step sees, with the input as steps read it", () => {
    expect(valuesOf(around, visible)).toMatchObject({
      input: { amount: 250, orders: [{ total: 3 }] },
      steps: { fetch: { output: { status: 200, body: { items: [{ id: "A-1" }] } }, error: null, attempts: 1 } },
      now: "2027-01-31T09:30:00Z",
    });
  });

  it("are not known where they are too long", () => {
    const steps = run.steps.map((one) => (one.key === "fetch" ? { ...one, output: null, output_bytes: 20_000 } : one));
    const cut = { ...around, run: { ...run, steps } };
    expect(valuesOf(cut, visible)).not.toHaveProperty("steps.fetch.output");
    expect(valuesOf(cut, visible)).toHaveProperty("steps.fetch.status", "succeeded");
  });

  it("are nothing without a run", () => {
    expect(valuesOf({ ...around, run: null }, visible)).toBeNull();
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

describe("what a step mentions", () => {
  it("are the steps and variables in its expressions and its code, in all forms", () => {
    const code = `const { a } = steps["odd step"]; return steps.fetch?.output ?? steps?.['c'] ?? item.input ?? input.x;`;
    const found = mentionedBy({ type: "code", key: "now", code, conditional: "steps.`d e`.output > 1" });
    expect([...found.steps].sort()).toEqual(["c", "d e", "fetch", "odd step"]);
    expect(["input", "item", "steps", "now", "output"].filter((name) => found.variables.has(name))).toEqual([
      "input",
      "item",
      "steps",
    ]);
  });

  it("is nothing in plain texts and in notes", () => {
    const url = "https://run.example/steps.a/{{ steps.b.output }}/input";
    const found = mentionedBy({ type: "http_request", key: "get", url, for_each: { items: "steps.c.output" } });
    expect([...found.steps].sort()).toEqual(["b", "c"]);
    expect(found.variables.has("input")).toBe(false);
    expect(mentionedBy({ type: "note", key: "about", note: "{{ steps.a }}" }).steps.size).toBe(0);
  });
});
