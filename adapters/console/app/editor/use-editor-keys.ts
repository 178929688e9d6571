/** The keys of the whole editor. Those of its views are theirs. */
import { useEffect, useRef } from "react";
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
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { actions, problems, chosen, isEditable, onProblem } = newest.current;
      if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
      const action = actionOf(EDITOR_SHORTCUTS, event, true);
      if (action === undefined || action === "leavePanel") return;
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
      // A list to choose from has no undo of its own.
      if ((isTyping(event.target) && !(event.target instanceof HTMLSelectElement)) || !isEditable) return;
      if (action === "undo") actions.undo();
      else if (action === "redo") actions.redo();
      else if (chosen !== null) actions.duplicate(chosen);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
