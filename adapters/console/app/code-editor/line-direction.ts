/** In a text, each line has the direction of its first letter. */
import type { Extension } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";
import { directionOf } from "./direction.ts";
import type { EditorLanguage } from "./editor-language.ts";

const AUTOMATIC = Decoration.line({ attributes: { dir: "auto" } });

const automaticLines = EditorView.decorations.of(({ visibleRanges, state: { doc } }) =>
  Decoration.set(
    visibleRanges.flatMap(({ from, to }) => {
      const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number];
      return Array.from({ length: last - first + 1 }, (_, index) => AUTOMATIC.range(doc.line(first + index).from));
    }),
  ),
);

export const lineDirection = (language: EditorLanguage): Extension =>
  directionOf(language) === "auto" ? [EditorView.perLineTextDirection.of(true), automaticLines] : [];
