/** What people see of the difference of two versions. */
import { describe, expect, it } from "vitest";
import { changesBetween } from "../../../adapters/console/app/versions/changes.ts";
import { readableJson } from "../../../adapters/console/app/versions/readable-json.ts";
import type { CodeStep, Step } from "../../../src/workflows/step.ts";
import type { Definition } from "../../../src/workflows/version.ts";

const LINES = ["const rate = input.amount / 100;", "const tax = rate * 0.19;", "return { rate, tax };"];
const code = (key: string, lines: readonly string[] = LINES, more: Partial<CodeStep> = {}): Step => ({
  type: "code",
  key,
  code: lines.join("\n"),
  ...more,
});
const definitionOf = (...steps: Step[]): Definition => ({ input: {}, input_default: null, input_options: null, steps });

const changesOf = (before: readonly Step[], after: readonly Step[]) =>
  changesBetween(definitionOf(...before), definitionOf(...after)).steps.map(({ kind, key, from, fields }) => ({
    kind,
    key,
    from,
    fields: fields.map(({ field }) => field),
  }));

describe("a step with another key", () => {
  it("is renamed, with what else has changed in it", () => {
    const changed = [LINES[0] ?? "", "const tax = rate * 0.07;", LINES[2] ?? ""];
    expect(changesOf([code("a")], [code("b", changed)])).toEqual([
      { kind: "renamed", key: "b", from: "a", fields: ["/code"] },
    ]);
  });

  it("is renamed if what it leads to and what it reads was renamed as well", () => {
    const before = [
      code("a", LINES, { destinations: ["c"] }),
      code("c", ["return steps.a.output;"], { conditional: "steps.a.output.tax > 1.0" }),
    ];
    const after = [
      code("b", LINES, { destinations: ["d"] }),
      code("d", ["return steps.b.output;"], { conditional: "steps.b.output.tax > 1.0" }),
    ];
    expect(changesOf(before, after)).toEqual([
      { kind: "renamed", key: "b", from: "a", fields: ["/destinations/0"] },
      { kind: "renamed", key: "d", from: "c", fields: ["/code", "/conditional"] },
    ]);
  });

  it("is another step if it does something else, or has another type", () => {
    const note: Step = { type: "note", key: "b", note: LINES.join("\n") };
    expect(changesOf([code("a")], [code("b", ["return null;"])]).map(({ kind }) => kind)).toEqual(["removed", "added"]);
    expect(changesOf([code("a")], [note]).map(({ kind }) => kind)).toEqual(["removed", "added"]);
  });

  it("is the most similar one of several", () => {
    const [first = "", second = "", third = ""] = LINES;
    const found = changesOf(
      [code("a")],
      [code("far", [first, second, "return tax;"]), code("near", [first, second, third])],
    );
    expect(found).toEqual([
      { kind: "added", key: "far", from: null, fields: [] },
      { kind: "renamed", key: "near", from: "a", fields: [] },
    ]);
  });
});

describe("a value that people read", () => {
  it("has texts of several lines as lines, and is JSON otherwise", () => {
    const value = { key: "a", code: "if (x) {\n  y();\n}", list: [1, "b"], empty: {}, none: [], nothing: undefined };
    expect(readableJson(value)).toBe(`{
  "key": "a",
  "code": """
    if (x) {
      y();
    }
    """,
  "list": [
    1,
    "b"
  ],
  "empty": {},
  "none": []
}`);
    expect(readableJson("as\nit is")).toBe("as\nit is");
    expect(readableJson(null)).toBe("null");
  });
});
