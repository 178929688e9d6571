/** Offers completions in an editor, and again when more is known than when they were asked for. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionStatus,
  insertCompletionText,
  pickedCompletion,
  selectedCompletionIndex,
  startCompletion,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Complete, Completion, CompletionList } from "./completion.ts";

export interface OfferedCompletions {
  readonly extension: Extension;
  /** Asks again where the open list, or one that had nothing to offer, would be another one now. */
  refresh(view: EditorView): void;
}

/** What was asked last, and what came of it. */
interface Asked {
  readonly text: string;
  readonly position: number;
  readonly found: CompletionList | null;
}

/** @param latest Returns what completes the text at present. */
export function offerCompletions(isSingleLine: boolean, latest: () => Complete | undefined): OfferedCompletions {
  let asked: Asked | null = null;

  function source({ state, pos: position, explicit }: CompletionContext): CompletionResult | null {
    const text = state.doc.toString();
    const found = latest()?.(text, position, explicit) ?? null;
    asked = { text, position, found };
    if (found === null) return null;
    return { from: found.from, options: found.options.map(optionOf), validFor: /^\w*$/ };
  }

  return {
    extension: autocompletion({
      override: [source],
      icons: false,
      // In a single line, Enter and the arrows mean nothing else, so a list that just opened need not be guarded from them.
      ...(isSingleLine ? { interactionDelay: 0 } : undefined),
    }),
    refresh(view) {
      if (asked === null || !view.hasFocus) return;
      const text = view.state.doc.toString();
      const { head } = view.state.selection.main;
      const isOpen = completionStatus(view.state) === "active";
      const hadNothing = isEmpty(asked.found) && asked.text === text && asked.position === head;
      if (!isOpen && !hadNothing) return;
      // Nobody loses what they have moved to.
      if ((selectedCompletionIndex(view.state) ?? 0) > 0) return;
      const found = latest()?.(text, head, false) ?? null;
      if (!isEmpty(found) && JSON.stringify(found) !== JSON.stringify(asked.found)) startCompletion(view);
    },
  };
}

const isEmpty = (found: CompletionList | null) => found === null || found.options.length === 0;

function optionOf({ label, insert, after = "", detail, documentation, kind }: Completion) {
  return {
    label,
    type: kind,
    // What the step sees comes before what is always there.
    boost: kind === "function" || kind === "keyword" ? 0 : 1,
    ...(detail === undefined ? undefined : { detail }),
    ...(documentation === undefined ? undefined : { info: () => textNode(documentation) }),
    apply(view: EditorView, completion: object, from: number, to: number) {
      const text = insert ?? label;
      const transaction = insertCompletionText(view.state, text + after, from, to);
      const inside = text.endsWith("()") ? from + text.length - 1 : from + text.length;
      view.dispatch({
        ...transaction,
        selection: { anchor: inside },
        annotations: pickedCompletion.of({ ...completion, label }),
      });
    },
  };
}

function textNode(text: string): HTMLElement {
  const node = document.createElement("div");
  node.textContent = text;
  return node;
}
