/** What a note shows on the canvas. */
import { expect, it } from "vitest";
import { noteHeight, noteLines } from "../../../adapters/console/app/canvas/words/step-lines.ts";

it.each([
  ["Loans above **10 000** need a *person*.", ["Loans above 10 000 need a person."]],
  ["# Title\n\n- one\n- `two`\n> three", ["Title", "• one", "• two", "three"]],
  ["See [the rules](https://example.com/a_b_c) and __them__ ~~not~~ _all_", ["See the rules and them not all"]],
  ["2 * 3 * 4 = a_b_c, `x ** y ** z`", ["2 * 3 * 4 = a_b_c, x ** y ** z"]],
  ["Not \\*bold\\*, ** alone", ["Not *bold*, ** alone"]],
])("shows %j without its marks", (note, lines) => {
  expect(noteLines(note)).toEqual(lines);
});

it("shows more of a text the larger a note is", () => {
  const long = "word ".repeat(10_000);
  const shown = (size?: readonly [number, number]) => noteLines(long, size).join("").length;
  expect(shown([1_000, 1_000])).toBeGreaterThan(shown([100, 100]));
  expect(shown([100, 100])).toBe(shown());
  expect(shown([9_000, 9_000])).toBeLessThan(long.length);
});

it("is about as high as its wrapped text, up to eight lines", () => {
  expect(noteHeight([])).toBe(0);
  expect(noteHeight(["Loans above 1000 are approved by a person.", "All others are billed."])).toBe(3);
  expect(noteHeight(["word ".repeat(400)])).toBe(8);
});
