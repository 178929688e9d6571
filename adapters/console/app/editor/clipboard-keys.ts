/** The keys of the browser for copying, cutting and pasting steps, unless somebody is typing. */
import type { ClipboardEvent } from "react";
import { stepsOfText } from "./draft/clipboard.ts";
import type { EditorActions } from "./editor-actions.ts";

const ELSEWHERE = "input, textarea, select, [contenteditable], .code-editor, dialog, .step-panel";

const isElsewhere = ({ target }: ClipboardEvent): boolean =>
  (target instanceof Element && target.closest(ELSEWHERE) !== null) || getSelection()?.isCollapsed === false;

/** @param steps Keys of the steps that are copied or cut. */
export function clipboardKeys(actions: EditorActions, steps: readonly string[], isEditable: boolean) {
  const copy = (event: ClipboardEvent): boolean => {
    if (isElsewhere(event) || steps.length === 0) return false;
    event.preventDefault();
    event.clipboardData.setData("text/plain", actions.copiedText(steps));
    return true;
  };
  return {
    onCopy(event: ClipboardEvent) {
      if (copy(event)) actions.sayCopied(steps);
    },
    onCut(event: ClipboardEvent) {
      if (isEditable && copy(event)) actions.remove(steps);
    },
    onPaste(event: ClipboardEvent) {
      if (!isEditable || isElsewhere(event)) return;
      const pasted = stepsOfText(event.clipboardData.getData("text/plain"));
      if (pasted === null) return;
      event.preventDefault();
      actions.paste(pasted);
    },
  };
}
