/** What a note shows on the canvas. */
import { expect, it } from "vitest";
import { noteLines } from "../../../adapters/console/app/canvas/words/step-lines.ts";

it.each([
  ["Loans above **10 000** need a *person*.", ["Loans above 10 000 need a person."]],
  ["# Title\n\n- one\n- `two`\n> three", ["Title", "• one", "• two", "three"]],
  ["See [the rules](https://example.com/a_b_c) and __them__ ~~not~~ _all_", ["See the rules and them not all"]],
  ["2 * 3 * 4 = a_b_c, `x ** y ** z`", ["2 * 3 * 4 = a_b_c, x ** y ** z"]],
  ["Not \\*bold\\*, ** alone", ["Not *bold*, ** alone"]],
])("shows %j without its marks", (note, lines) => {
  expect(noteLines(note).join(" ")).toBe(lines.join(" "));
});
