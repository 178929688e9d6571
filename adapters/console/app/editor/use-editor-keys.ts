/** The keys of the whole editor. Those of its views are theirs. */
import { useEffect, useRef } from "react";
import { useStable } from "../elements/use-stable.ts";
import { isTyping } from "../shortcuts/page-keys.ts";
import { actionOf } from "../shortcuts/shortcut-table.ts";
import type { Problem } from "./draft/problems.ts";
import type { EditorActions } from "./editor-actions.ts";
import { EDITOR_SHORTCUTS } from "./editor-shortcuts.ts";

interface EditorKeys {
  readonly actions: EditorActions;
  readonly problems: readonly Problem[];
  readonly chosen: string | null;
  readonly isEditable: boolean;
  readonly onProblem: (problem: Problem) => void;
  /** The next problem is asked for, and there is none. */
  readonly onNoProblem: () => void;
}

export function useEditorKeys(keys: EditorKeys): void {
  const newest = useRef(keys);
  newest.current = keys;
  const at = useRef(-1);
  const isTypedIn = useTypedIn();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { actions, problems, chosen, isEditable, onProblem } = newest.current;
      const action = event.defaultPrevented ? undefined : actionOf(EDITOR_SHORTCUTS, event, true);
      if (action === undefined || action === "leavePanel") return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (action === "nextProblem" || action === "previousProblem") {
        event.preventDefault();
        if (problems.length === 0) {
          newest.current.onNoProblem();
          return;
        }
        const next = action === "nextProblem" ? at.current + 1 : Math.max(0, at.current) - 1;
        at.current = (next + problems.length) % problems.length;
        const problem = problems[at.current];
        if (problem !== undefined) onProblem(problem);
        return;
      }
      if (!isEditable || (action === "duplicate" ? isText(event.target) : isTypedIn(event.target))) return;
      if (action === "undo") actions.undo();
      else if (action === "redo") actions.redo();
      else if (chosen !== null) actions.duplicate(chosen);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [isTypedIn]);
}

/** Nobody types into a list to choose from. */
const isText = (target: EventTarget | null) => isTyping(target) && !(target instanceof HTMLSelectElement);

/**
 * Whether something was typed into a field since it has the focus, so that the browser undoes that. All else is undone in the
 * draft. An editor of code keeps the keys to itself while it can undo something.
 */
function useTypedIn(): (target: EventTarget | null) => boolean {
  const field = useRef<EventTarget | null>(null);
  useEffect(() => {
    const note = ({ target }: Event) => {
      field.current = target;
    };
    const forget = () => {
      field.current = null;
    };
    addEventListener("input", note, true);
    addEventListener("focusin", forget, true);
    return () => {
      removeEventListener("input", note, true);
      removeEventListener("focusin", forget, true);
    };
  }, []);
  return useStable((target) => isText(target) && target === field.current && !isCodeEditor(target));
}

const isCodeEditor = (target: EventTarget | null) => target instanceof HTMLElement && target.shadowRoot !== null;
