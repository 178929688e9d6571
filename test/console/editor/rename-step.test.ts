/** Renaming a step in everything that refers to it. */
import { parse } from "@marcbachmann/cel-js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renameStep } from "../../../adapters/console/app/editor/draft/rename-step.ts";
import {
  rewriteCode,
  rewriteExpression,
  rewriteTemplate,
} from "../../../adapters/console/app/editor/draft/rewrite-reads.ts";
import { stepsRead } from "../../../src/engine/expressions/step-paths.ts";
import type { Step } from "../../../src/workflows/step.ts";
import type { Definition } from "../../../src/workflows/version.ts";

describe("an expression that reads a renamed step", () => {
  it.each([
    ["steps.a.output > 1", "steps.b.output > 1"],
    ['steps["a"].output', 'steps["b"].output'],
    ["steps['a'].output", 'steps["b"].output'],
    ["steps.?a.output", "steps.?b.output"],
    ["steps . a . output", "steps.b . output"],
    ["has(steps.a) && steps.a.x", "has(steps.b) && steps.b.x"],
    ["steps.ab.output + steps.a", "steps.ab.output + steps.b"],
    ["input.steps.a", "input.steps.a"],
    ["mysteps.a", "mysteps.a"],
    ['"steps.a" + steps.a.x', '"steps.a" + steps.b.x'],
    ["'it\\'s steps.a' + steps.a.x", "'it\\'s steps.a' + steps.b.x"],
    ['"""steps.a " """ + steps.a.x', '"""steps.a " """ + steps.b.x'],
    ["steps", "steps"],
    ["steps.a(x) + steps.a.x", "steps.a(x) + steps.b.x"],
    ["steps[", "steps["],
    ["steps.a // steps.a", "steps.b // steps.a"],
  ])("%s", (before, after) => expect(rewriteExpression(before, "a", "b")).toBe(after));

  it("gets brackets for a key that is no name", () => {
    expect(rewriteExpression("steps.a.x", "a", 'b "c"')).toBe('steps["b \\"c\\""].x');
    expect(rewriteExpression('steps["b \\"c\\""].x', 'b "c"', "a")).toBe('steps["a"].x');
  });

  it("stays an expression that reads the new key", () => {
    const keys = fc.oneof(
      fc.stringMatching(/^[a-z_]\w{0,5}$/),
      fc.constantFrom("in", "true", "if", "package"),
      fc.string({ minLength: 1, maxLength: 8 }),
    );
    fc.assert(
      fc.property(keys, (key) => {
        fc.pre(key !== "__proto__");
        const written = rewriteExpression("steps.old.output.x == steps.other", "old", key);
        expect(new Set(stepsRead(parse(written).ast).steps)).toEqual(new Set([key, "other"]));
      }),
    );
  });
});

describe("a template that reads a renamed step", () => {
  it.each([
    ["steps.a {{ steps.a.x }} steps.a", "steps.a {{ steps.b.x }} steps.a"],
    ["{{ steps.a.x }}{{ steps.a.y }}", "{{ steps.b.x }}{{ steps.b.y }}"],
    ['{{ "}}" + steps.a.x }} {{', '{{ "}}" + steps.b.x }} {{'],
    ["{{ {1: {2: steps.a}} }}", "{{ {1: {2: steps.b}} }}"],
    ["{{ steps.a", "{{ steps.a"],
  ])("%s", (before, after) => expect(rewriteTemplate(before, "a", "b")).toBe(after));
});

describe("code that reads a renamed step", () => {
  it.each([
    ["return steps.a.output", "return steps.b.output"],
    ["return steps?.a?.output", "return steps?.b?.output"],
    ['return steps?.["a"]', 'return steps?.["b"]'],
    [
      "return `steps.a $" + "{steps.a.output} $" + "{`$" + "{steps.a}`}`",
      "return `steps.a $" + "{steps.b.output} $" + "{`$" + "{steps.b}`}`",
    ],
    ["return `$" + "{{ a: steps.a }.a}`", "return `$" + "{{ a: steps.b }.a}`"],
    ["/* steps.a */ steps.a // steps.a", "/* steps.a */ steps.b // steps.a"],
    ['return /[/"]/.test(steps.a) / 2', 'return /[/"]/.test(steps.b) / 2'],
    ["const { a } = steps; x / steps.a / 2", "const { a } = steps; x / steps.b / 2"],
    ["const steps = {}; return steps.a", "const steps = {}; return steps.a"],
    ["list.map((steps) => steps.a)", "list.map((steps) => steps.a)"],
    ["$steps.a", "$steps.a"],
    ["Math.max(...steps.a.output)", "Math.max(...steps.b.output)"],
    ["const x = {steps: {a: 1}}; x.steps.a + steps.a", "const x = {steps: {a: 1}}; x.steps.a + steps.b"],
    ["list.map(({ steps: other }) => other.a + steps.a)", "list.map(({ steps: other }) => other.a + steps.b)"],
    ["list.map(({ steps: steps }) => steps.a)", "list.map(({ steps: steps }) => steps.a)"],
  ])("%s", (before, after) => expect(rewriteCode(before, "a", "b")).toBe(after));

  it("never loses anything else, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("`", "${", "}", "{", "/", '"', "'", "\\", "\n", "x", "*", "[", "]", " ")),
        (parts) => {
          const text = parts.join("");
          expect(rewriteCode(text, "a", "b")).toBe(text);
          expect(rewriteTemplate(text, "a", "b")).toBe(text);
          expect(rewriteExpression(text, "a", "b")).toBe(text);
        },
      ),
    );
  });
});

describe("renameStep", () => {
  const renamedBeside = (step: Step) =>
    renameStep({ ...definition, steps: [{ type: "code", key: "a", code: "" }, step] }, "a", "fetch");
  const definition: Definition = {
    input: {},
    input_default: null,
    input_options: null,
    pinned: { a: 1, z: 2 },
    steps: [
      { type: "code", key: "a", code: "return 1", destinations: ["size"] },
      {
        type: "branch",
        key: "size",
        conditions: { "steps.a": { condition: "steps.a.output > 1", destinations: ["a"], order: 0 } },
        else: ["a", "z"],
        on_error: [{ condition: "steps.a == null", destinations: ["a"] }],
      },
      {
        type: "http_request",
        key: "z",
        url: "https://example.com/{{ steps.a.output }}",
        headers: { x: "{{ steps['a'].output }}" },
        for_each: { items: "steps.a.output.list" },
      },
      { type: "note", key: "n", note: "See steps.a for more." },
    ],
  };

  it("changes connections, expressions and pinned outputs", () => {
    const { definition: renamed, mentionedBy } = renameStep(definition, "a", "fetch");
    expect(renamed.pinned).toEqual({ fetch: 1, z: 2 });
    expect(renamed.steps.slice(0, 3)).toEqual([
      { type: "code", key: "fetch", code: "return 1", destinations: ["size"] },
      {
        type: "branch",
        key: "size",
        conditions: { "steps.a": { condition: "steps.fetch.output > 1", destinations: ["fetch"], order: 0 } },
        else: ["fetch", "z"],
        on_error: [{ condition: "steps.fetch == null", destinations: ["fetch"] }],
      },
      {
        type: "http_request",
        key: "z",
        url: "https://example.com/{{ steps.fetch.output }}",
        headers: { x: '{{ steps["fetch"].output }}' },
        for_each: { items: "steps.fetch.output.list" },
      },
    ]);
    expect(renamed.steps[3]).toBe(definition.steps[3]);
    expect(mentionedBy).toEqual(["n"]);
  });

  it.each([
    "const { a } = steps; return a.output",
    "const all = steps; return all.a.output",
    "const all = { ...steps }; return all.a.output",
    "const all = steps; return all['a'].output",
    "return Object.entries(steps).filter(([key]) => key === 'a')",
    "return `$" + "{pick(steps, 'a')}`",
  ])("names a step that may read it in another way: %s", (code) => {
    const renamed = renamedBeside({ type: "code", key: "z", code });
    expect(renamed.definition.steps[1]).toEqual({ type: "code", key: "z", code });
    expect(renamed.mentionedBy).toEqual(["z"]);
  });

  it.each([
    "const { ab, b } = steps; return ab.output",
    "const a = 1; return steps.b.output + a",
    "const a = 'steps'; return a",
    "return `steps $" + "{a}`",
  ])("does not name a step that cannot: %s", (code) => {
    expect(renamedBeside({ type: "code", key: "z", code }).mentionedBy).toEqual([]);
  });

  it("names expressions that read all steps", () => {
    const items = 'steps.map(key, key == "a")';
    expect(renamedBeside({ type: "code", key: "z", code: "", for_each: { items } }).mentionedBy).toEqual(["z"]);
    const url = 'https://example.com/{{ steps.exists(key, key == "a") }}';
    expect(renamedBeside({ type: "http_request", key: "z", url }).mentionedBy).toEqual(["z"]);
  });

  it("and back gives the same", () => {
    const there = renameStep(definition, "a", "fetch").definition;
    expect(renameStep(renameStep(there, "fetch", "a").definition, "a", "fetch").definition).toEqual(there);
  });
});
