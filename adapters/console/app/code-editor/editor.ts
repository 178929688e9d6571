/**
 * The editor of texts: CodeMirror in a shadow root, where its styles are constructed style sheets, which the policy of
 * the page allows. A chunk of its own, loaded with the first editor of the page.
 */
import {
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
} from "@codemirror/autocomplete";
import {
  defaultKeymap,
  history,
  historyField,
  historyKeymap,
  indentWithTab,
  isolateHistory,
  redo,
  redoDepth,
  undo,
  undoDepth,
} from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { Compartment, EditorSelection, EditorState, type Extension, Prec } from "@codemirror/state";
import { EditorView, type KeyBinding, keymap, lineNumbers, placeholder } from "@codemirror/view";
import type { Complete, EditorProblem } from "./completion.ts";
import { type EditorLanguage, languageOf } from "./editor-language.ts";
import { lookOf } from "./editor-theme.ts";
import { lineDirection } from "./line-direction.ts";
import { showMistakes, showsMistakes } from "./mistakes.ts";
import { offerCompletions } from "./offer-completions.ts";
import { outsideChange, textChanges, withLineFeeds } from "./outside-change.ts";
import { typeOver } from "./type-over.ts";

/** What may change while the editor is open. */
export interface EditorSettings {
  readonly value: string;
  /** For screen readers. */
  readonly label: string;
  readonly problems: readonly EditorProblem[];
  readonly isReadOnly: boolean;
  readonly isInvalid: boolean;
  readonly complete: Complete | undefined;
  readonly onChange: (value: string) => void;
}

export interface EditorShape {
  readonly language: EditorLanguage;
  readonly isSingleLine: boolean;
  readonly placeholder: string;
  /** Id, within the shadow root, of the text that describes the editor. */
  readonly descriptionId: string;
  /** Said when Escape was pressed: the next Tab leaves the editor. */
  readonly leaveText: string;
}

export interface Editor {
  update(settings: EditorSettings): void;
  focus(): void;
  /** Replaces the selection. */
  insert(text: string): void;
  /** Replaces the whole text. Unlike a new value, it is a change of the person, who can undo it here. */
  write(text: string): void;
  select(from: number, to: number): void;
  destroy(): void;
}

/** @returns Null if its place is gone: its styles would then go into the page. */
export function createEditor(parent: HTMLElement, shape: EditorShape, first: EditorSettings): Editor | null {
  const root = parent.getRootNode();
  if (!parent.isConnected || !(root instanceof ShadowRoot)) return null;
  let settings = first;
  const completions = offerCompletions(shape.isSingleLine, () => settings.complete);
  const attributes = new Compartment();
  const view = new EditorView({
    parent,
    root,
    state: EditorState.create({
      doc: first.value,
      extensions: [
        behaviourOf(shape),
        languageOf(shape.language),
        lineDirection(shape.language),
        lookOf(shape.isSingleLine),
        completions.extension,
        attributes.of(attributesOf(shape, first)),
        EditorView.updateListener.of(({ docChanged, state }) => {
          const text = state.doc.toString();
          if (docChanged && text !== settings.value) settings.onChange(text);
        }),
      ],
    }),
  });
  showMistakes(view, first.problems);
  // The shadow root gives the focus to the first element that can have it, where nobody can type.
  view.scrollDOM.addEventListener("focus", () => view.focus());

  return {
    update(next) {
      const before = settings;
      settings = next;
      // An owner that has not changed its text does not know of the last keystroke yet.
      const isChanged = next.value !== before.value;
      const outside = isChanged ? outsideChange(view.state, next.value) : null;
      if (outside !== null) view.dispatch(outside);
      if (hasOtherAttributes(before, next))
        view.dispatch({ effects: attributes.reconfigure(attributesOf(shape, next)) });
      const hasProblems = before.problems.length > 0 || next.problems.length > 0;
      if (before.problems !== next.problems || (hasProblems && before.value !== next.value))
        showMistakes(view, next.problems);
      if (before.complete !== next.complete) completions.refresh(view);
    },
    focus: () => view.focus(),
    insert(text) {
      view.dispatch(view.state.replaceSelection(shape.isSingleLine ? inOneLine(text) : text), { userEvent: "input" });
      view.focus();
    },
    write(given) {
      const text = withLineFeeds(given);
      const changes = textChanges(view.state.doc.toString(), text);
      view.dispatch({ changes, selection: { anchor: text.length }, annotations: isolateHistory.of("full") });
      view.focus();
    },
    select(from, to) {
      const { length } = view.state.doc;
      const selection = EditorSelection.range(Math.min(from, length), Math.min(to, length));
      view.dispatch({ selection, scrollIntoView: true });
    },
    destroy: () => view.destroy(),
  };
}

function hasOtherAttributes(before: EditorSettings, next: EditorSettings): boolean {
  return before.label !== next.label || before.isReadOnly !== next.isReadOnly || before.isInvalid !== next.isInvalid;
}

/** Not that of the selection. */
const isUndo = ({ run }: KeyBinding) => run === undo || run === redo;

/** In a text of a few lines, numbers would only take room. */
const NUMBERED: ReadonlySet<EditorLanguage> = new Set(["json", "javascript", "typescript"]);

function behaviourOf({ language, isSingleLine, leaveText, placeholder: hint }: EditorShape): Extension {
  return [
    history(),
    bracketMatching(),
    closeBrackets(),
    typeOver,
    showsMistakes,
    placeholder(hint),
    Prec.highest(onEscape(isSingleLine, leaveText)),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap.filter((key) => !isUndo(key))]),
    // Where nothing was typed, the keys are for what is around the editor, such as the history of a whole draft.
    keymap.compute([historyField], (state) =>
      undoDepth(state) + redoDepth(state) > 0 ? historyKeymap.filter(isUndo) : [],
    ),
    isSingleLine
      ? [EditorState.transactionFilter.of(keepOneLine), Prec.low(keymap.of(defaultKeymap))]
      : [
          NUMBERED.has(language) ? lineNumbers() : [],
          EditorView.lineWrapping,
          // Without `indentOnInput`: it parses a text that is not there yet, which leaves places outside of the present one
          // in what the parser keeps of a text longer than the screen. The editor then refuses all typing.
          keymap.of([...defaultKeymap, indentWithTab]),
        ],
  ];
}

/**
 * Escape closes the list of completions first. In several lines, where Tab indents, it then lets Tab leave; the next Escape
 * is for what is around the editor.
 */
function onEscape(isSingleLine: boolean, leaveText: string): Extension {
  let mayTabLeave = false;
  const letTabLeave = (view: EditorView, mayLeave: boolean) => {
    mayTabLeave = mayLeave;
    view.setTabFocusMode(mayLeave);
  };
  return EditorView.domEventHandlers({
    keydown(event, view) {
      if (event.key !== "Escape") {
        if (event.key !== "Tab" && event.key !== "Shift") letTabLeave(view, false);
        return false;
      }
      if (completionStatus(view.state) === "active") {
        event.stopPropagation();
        return closeCompletion(view);
      }
      if (isSingleLine || mayTabLeave) return false;
      event.stopPropagation();
      letTabLeave(view, true);
      view.dispatch({ effects: EditorView.announce.of(leaveText) });
      return true;
    },
    blur: (_, view) => letTabLeave(view, false),
  });
}

const inOneLine = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .join(" ");

/** Enter does nothing in a single line, and pasted lines become one. */
const keepOneLine: Parameters<typeof EditorState.transactionFilter.of>[0] = (transaction) => {
  if (!transaction.docChanged || transaction.newDoc.lines <= 1 || !transaction.isUserEvent("input")) return transaction;
  const text = inOneLine(transaction.newDoc.toString());
  const position = inOneLine(transaction.newDoc.sliceString(0, transaction.newSelection.main.head)).length;
  const changes = { from: 0, to: transaction.startState.doc.length, insert: text.trimEnd() };
  return { changes, selection: { anchor: Math.min(position, text.trimEnd().length) } };
};

function attributesOf({ descriptionId, isSingleLine }: EditorShape, settings: EditorSettings): Extension {
  return [
    EditorState.readOnly.of(settings.isReadOnly),
    EditorView.contentAttributes.of({
      "aria-label": settings.label,
      "aria-describedby": descriptionId,
      "aria-multiline": String(!isSingleLine),
      "aria-invalid": String(settings.isInvalid),
      "aria-readonly": String(settings.isReadOnly),
      // Editable elements can have the focus without it, but checkers do not know that.
      tabindex: "0",
      autocapitalize: "off",
      autocorrect: "off",
      spellcheck: "false",
    }),
  ];
}
