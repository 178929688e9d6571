/** A text that is changed in the editor and from outside: undo takes back only what was typed. */
import { history, redo, undo } from "@codemirror/commands";
import { EditorState, type TransactionSpec } from "@codemirror/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outsideChange, textChanges } from "../../adapters/console/app/code-editor/outside-change.ts";

/** An editor without a page. */
function open(text: string) {
  let state = EditorState.create({ doc: text, extensions: [history({ newGroupDelay: 0 })] });
  const apply = (spec: TransactionSpec | null) => {
    if (spec !== null) state = state.update(spec).state;
  };
  const run = (command: typeof undo) => {
    command({
      state,
      dispatch: (transaction) => {
        state = transaction.state;
      },
    });
    return state.doc.toString();
  };
  return {
    type(at: number, letters: string) {
      apply({ changes: { from: at, insert: letters }, userEvent: "input.type" });
    },
    outside: (next: string) => apply(outsideChange(state, next)),
    undo: () => run(undo),
    redo: () => run(redo),
    text: () => state.doc.toString(),
  };
}

describe("undo in an editor", () => {
  it("leaves what somebody else has written before, behind and around what was typed", () => {
    const editor = open("return 1");
    editor.type(8, " + 1");
    editor.outside("/* theirs */ return 1 + 1; // theirs");
    expect(editor.undo()).toBe("/* theirs */ return 1; // theirs");
    expect(editor.undo()).toBe("/* theirs */ return 1; // theirs");
    expect(editor.redo()).toBe("/* theirs */ return 1 + 1; // theirs");
  });

  it("does nothing where nothing was typed", () => {
    const editor = open("return 1");
    editor.outside("return 42 // theirs");
    expect(editor.undo()).toBe("return 42 // theirs");
  });

  it("has the lines of a text from elsewhere, however they end there", () => {
    const editor = open("a\nb");
    editor.outside("a\r\nb");
    expect(editor.text()).toBe("a\nb");
    editor.outside("a\r\nb\rc\r\n");
    expect(editor.text()).toBe("a\nb\nc\n");
  });

  it("keeps several lines of others", () => {
    const editor = open('{\n  "a": 1,\n  "b": 2\n}');
    editor.type(20, "0");
    expect(editor.text()).toBe('{\n  "a": 1,\n  "b": 20\n}');
    editor.outside('{\n  "a": 1,\n  "x": 0,\n  "b": 20,\n  "c": 3\n}');
    expect(editor.undo()).toBe('{\n  "a": 1,\n  "x": 0,\n  "b": 2,\n  "c": 3\n}');
  });
});

it("makes one text of another, with changes that do not touch", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀", " ", "\n", ".", "1"), maxLength: 40 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changes = textChanges(before, after);
      const made = changes.reduceRight(
        (whole, { from, to, insert }) => whole.slice(0, from) + insert + whole.slice(to),
        before,
      );
      expect(made).toBe(after);
      changes.forEach(({ from }, at) => {
        const last = changes[at - 1];
        if (last !== undefined) expect(from).toBeGreaterThanOrEqual(last.to);
      });
      expect(textChanges(before, before)).toEqual([]);
    }),
  );
});
