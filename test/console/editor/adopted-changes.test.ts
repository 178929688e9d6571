/** Undoing after others have changed the draft: one's own changes go, theirs stay. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adopting, changed, historyOf, redone, undone } from "../../../adapters/console/app/editor/draft/history.ts";
import type { Definition } from "../../../src/workflows/version.ts";

const draft = (notes: Readonly<Record<string, string>>): Definition => ({
  input: {},
  input_default: null,
  input_options: null,
  steps: Object.entries(notes).map(([key, note]) => ({ type: "note", key, note })),
});
const notesOf = ({ steps }: Definition) =>
  Object.fromEntries(steps.map((step) => [step.key, step.type === "note" ? step.note : ""]));

describe("undoing after others have changed the draft", () => {
  it("takes back what was done here, and leaves what they did", () => {
    let history = changed(historyOf(draft({ a: "1", b: "1" })), draft({ a: "2", b: "1" }), { at: 0 });
    history = adopting(history, draft({ a: "2", b: "theirs" }));
    history = undone(history);
    expect(notesOf(history.present)).toEqual({ a: "1", b: "theirs" });
    history = redone(history);
    expect(notesOf(history.present)).toEqual({ a: "2", b: "theirs" });
  });

  it("undoes nothing that only they have changed", () => {
    const history = adopting(historyOf(draft({ a: "1" })), draft({ a: "theirs" }));
    expect(undone(history)).toBe(history);
  });

  it("leaves what both have changed as they have it", () => {
    const history = changed(historyOf(draft({ a: "1" })), draft({ a: "2" }), { at: 0 });
    expect(notesOf(undone(adopting(history, draft({ a: "theirs" }))).present)).toEqual({ a: "theirs" });
  });

  it("takes back one's own field of a step in which they have changed another one", () => {
    const step = (code: string, timeout: number): Definition => ({
      ...draft({}),
      steps: [{ type: "code", key: "a", code, timeout }],
    });
    const history = changed(historyOf(step("return 1", 10)), step("return 1", 20), { at: 0 });
    expect(undone(adopting(history, step("theirs", 20))).present).toEqual(step("theirs", 10));
  });

  it("keeps the last of their changes and takes back all of one's own, in any order", () => {
    const here = fc.record({ who: fc.constantFrom("here", "there"), value: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(here, { maxLength: 30 }), (changes) => {
        let history = historyOf(draft({ mine: "first", theirs: "first" }));
        let theirs = "first";
        for (const [at, { who, value }] of changes.entries()) {
          const { mine = "" } = notesOf(history.present);
          if (who === "here") history = changed(history, draft({ mine: `${value}`, theirs }), { at });
          else {
            theirs = `${value}`;
            history = adopting(history, draft({ mine, theirs }));
          }
        }
        const last = notesOf(history.present);
        let undos = 0;
        for (; history.past.length > 0; undos++) history = undone(history);
        expect(notesOf(history.present)).toEqual({ mine: "first", theirs });
        for (; undos > 0; undos--) history = redone(history);
        expect(notesOf(history.present)).toEqual(last);
      }),
    );
  });
});
