import { expect, it } from "vitest";
import { isSameAnswer } from "../../adapters/console/app/inbox/same-answer.ts";

it.each([
  [{ a: 1 }, { a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, null, false],
  // A default, and a field without a value.
  [{ a: 1, c: null }, { a: 1, b: "default" }, true],
  [{ a: "" }, { a: null }, false],
  [{ file: "file_1" }, { file: { id: "file_1", name: "a.pdf" } }, true],
  [{ files: ["file_1", "file_2"] }, { files: [{ id: "file_1" }, { id: "file_3" }] }, false],
  [{ files: ["file_1"] }, { files: [{ id: "file_1" }, { id: "file_2" }] }, false],
  [{ who: { name: "Ann" } }, { who: { name: "Ann", age: 3 } }, true],
  [{ who: { name: "Ann" } }, { who: "Ann" }, false],
  [{ constructor: 1 }, {}, false],
])("%j is what was stored as %j: %s", (sent, output, expected) => {
  expect(isSameAnswer(sent, output)).toBe(expected);
});
