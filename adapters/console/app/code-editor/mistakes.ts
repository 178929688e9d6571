/** Marks mistakes in the text. What is wrong stands below the editor, and over the mark for the pointer. */
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { EditorProblem } from "./completion.ts";

const setMistakes = StateEffect.define<DecorationSet>();

const mistakes = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { effects, changes }) {
    const found = effects.find((effect) => effect.is(setMistakes));
    return found === undefined ? marks.map(changes) : found.value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const showsMistakes: Extension = mistakes;

export function showMistakes(view: EditorView, problems: readonly EditorProblem[]): void {
  const { length } = view.state.doc;
  const marks = problems.flatMap(({ message, from = 0, to, isWarning }) => {
    // At the end of the text, the last character has the mark.
    const start = Math.max(0, Math.min(from, length - 1));
    const end = Math.max(start + 1, to ?? (from === 0 ? length : 0));
    const mark = Decoration.mark({
      class: isWarning === true ? "cm-mistake cm-warning" : "cm-mistake",
      attributes: { title: message },
    });
    return length === 0 ? [] : [mark.range(start, Math.min(end, length))];
  });
  view.dispatch({ effects: setMistakes.of(Decoration.set(marks, true)) });
}
