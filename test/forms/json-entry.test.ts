/** JSON as people type it into forms. */
import { describe, expect, it } from "vitest";
import type { FormModel } from "../../src/forms/model/form-model.ts";
import { readJsonEntry } from "../../src/forms/model/json-entry.ts";
import { createNotation } from "../../src/forms/model/notation.ts";
import { readForm } from "../../src/forms/model/read-entry.ts";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("JSON that a person has typed", () => {
  it.each([
    ["{", "json"],
    [nested(10_000), "deep"],
    [nested(102), "deep"],
    ["1e999", "precise"],
    ["1e-999", "precise"],
    ['{"a":[12345678901234567890]}', "precise"],
    ["[-0.1234567890123456789]", "precise"],
  ])("is refused, if it is not stored as it is written: %s is %s", (text, problem) => {
    expect(readJsonEntry(text)).toEqual({ problem });
  });

  it.each([
    nested(101),
    '{"12345678901234567890":"1e999 \\" 12345678901234567890","n":"\\\\"}',
    "[1.10,0.00000000000000000000,-0,1e3,1E-3,9007199254740992,1000000000000000000000]",
  ])("is accepted: %s", (text) => {
    expect(readJsonEntry(text)).toEqual({ value: JSON.parse(text) });
  });

  it("is refused at its place in a form", () => {
    const model: FormModel = { kind: "json" };
    const read = readForm(model, { kind: "text", text: nested(5_000) }, createNotation("en"));
    expect(read.problems).toEqual([{ place: "", code: "deep" }]);
  });
});
