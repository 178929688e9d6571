/** The keys of the whole editor. Those of its views are theirs. */
import { useEffect, useRef } from "react";
import type { Problem } from "./draft/problems.ts";
import type { EditorActions } from "./editor-actions.ts";

interface EditorKeys {
  readonly actions: EditorActions;
  readonly problems: readonly Problem[];
  readonly chosen: string | null;
  readonly isEditable: boolean;
  readonly onProblem: (problem: Problem) => void;
}

const TYPING = "input, textarea, select, [contenteditable], .code-editor, dialog";

export function useEditorKeys(keys: EditorKeys): void {
  const newest = useRef(keys);
  newest.current = keys;
  const at = useRef(-1);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { actions, problems, chosen, isEditable, onProblem } = newest.current;
      if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
      if (event.key === "F8" && problems.length > 0) {
        event.preventDefault();
        at.current = (at.current + (event.shiftKey ? problems.length - 1 : 1)) % problems.length;
        const problem = problems[at.current];
        if (problem !== undefined) onProblem(problem);
        return;
      }
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null;
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping || !isEditable) return;
      const key = event.key.toLowerCase();
      if (key === "z" && !event.shiftKey) actions.undo();
      else if (key === "y" || key === "z") actions.redo();
      else if (key === "d" && chosen !== null) actions.duplicate(chosen);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
