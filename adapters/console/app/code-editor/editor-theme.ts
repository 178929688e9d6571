/** The look of the editor. Custom properties reach into the shadow root, so that it follows the theme of the page. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const COLOURS = HighlightStyle.define([
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: "var(--succeeded)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--running)" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], color: "var(--running)" },
  { tag: [tags.comment], color: "var(--text-soft)", fontStyle: "italic" },
  { tag: [tags.propertyName], color: "var(--text)" },
  { tag: [tags.function(tags.variableName), tags.standard(tags.name)], color: "var(--waiting)" },
  { tag: [tags.brace], color: "var(--waiting)", fontWeight: "600" },
  { tag: [tags.invalid], color: "var(--failed)" },
]);

const LOOK = EditorView.theme({
  "&": {
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius)",
    fontSize: "0.8125rem",
  },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)", padding: "0.375rem 0" },
  ".cm-line": { padding: "0 0.625rem" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--surface-chosen)",
  },
  ".cm-content ::selection": { backgroundColor: "var(--surface-chosen)" },
  ".cm-gutters": {
    backgroundColor: "var(--surface-soft)",
    color: "var(--text-soft)",
    borderInlineEnd: "1px solid var(--line)",
  },
  ".cm-activeLine": { backgroundColor: "transparent" },
  ".cm-activeLineGutter": { backgroundColor: "var(--quiet-soft)" },
  ".cm-placeholder": { color: "var(--text-soft)", fontStyle: "italic" },
  ".cm-matchingBracket, .cm-nonmatchingBracket": { backgroundColor: "transparent" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--quiet-soft)",
    outline: "1px solid var(--line-strong)",
  },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--failed-soft)" },
  ".cm-mistake": {
    textDecoration: "underline wavy var(--failed)",
    textUnderlineOffset: "0.2em",
    textDecorationSkipInk: "none",
  },
  ".cm-warning": { textDecorationColor: "var(--waiting)" },
  ".cm-tooltip": {
    color: "var(--text)",
    backgroundColor: "var(--surface-raised)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius)",
    boxShadow: "var(--shadow)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-code)", maxHeight: "15rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.25rem 0.625rem", lineHeight: "1.4" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--surface-chosen)",
    color: "var(--text)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": { color: "var(--text-soft)", fontStyle: "normal", marginInlineStart: "1rem" },
  ".cm-tooltip.cm-completionInfo": { padding: "0.5rem 0.75rem", maxWidth: "22rem", fontFamily: "var(--font)" },
});

/** One line, as high as other controls. */
const SINGLE_LINE = EditorView.theme({
  ".cm-content": { padding: "0" },
  ".cm-scroller": { minBlockSize: "calc(var(--control) - 2px)", alignItems: "center", overflowX: "auto" },
});

const MULTI_LINE = EditorView.theme({
  ".cm-scroller": { minBlockSize: "var(--editor-min, 4.5rem)", maxBlockSize: "var(--editor-max, 60vh)" },
  ".cm-content, .cm-gutter": { minBlockSize: "var(--editor-min, 4.5rem)" },
});

export const lookOf = (isSingleLine: boolean) => [
  syntaxHighlighting(COLOURS),
  LOOK,
  isSingleLine ? SINGLE_LINE : MULTI_LINE,
];
