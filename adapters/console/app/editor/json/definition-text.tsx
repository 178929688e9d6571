/** The whole definition as JSON. What is no definition yet stays in the text, and out of the draft. */
import { useEffect, useRef, useState } from "react";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { CodeEditor, type EditorHandle } from "../../code-editor/code-editor.tsx";
import { rangeOf } from "../../code-editor/json-place.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Icon } from "../../elements/icons.tsx";
import { isSameJson } from "../../merging/same-json.ts";
import { useLeaveGuard } from "../../routing/use-leave-guard.ts";
import { actionOf } from "../../shortcuts/shortcut-table.ts";
import { useTexts } from "../../texts/language.ts";
import { mergedSides } from "../draft/merge-renamed.ts";
import type { Problem } from "../draft/problems.ts";
import type { EditorActions } from "../editor-actions.ts";
import { EDITOR_SHORTCUTS } from "../editor-shortcuts.ts";
import { type ReadText, readDefinition } from "./read-definition.ts";

interface DefinitionTextProps {
  readonly label: string;
  readonly definition: Definition;
  readonly problems: readonly Problem[];
  readonly chosen: string | null;
  /** Null for what only shows. */
  readonly actions: EditorActions | null;
  /** Whether the text has something that the draft has not, because it is no definition. */
  readonly onUnsaved?: (isUnsaved: boolean) => void;
}

const textOf = (definition: Definition) => JSON.stringify(definition, null, 2);

export function DefinitionText(props: DefinitionTextProps) {
  const { label, definition, problems, chosen, actions, onUnsaved } = props;
  const { editor: texts } = useTexts();
  const [text, setText] = useState(() => textOf(definition));
  const [read, setRead] = useState<ReadText>({ definition });
  /** What the text was made of, or the last definition that was read from it. */
  const base = useRef(definition);
  const editor = useRef<EditorHandle>(null);
  const isValid = "definition" in read;
  const isUnsaved = !isValid && actions !== null;
  // The text stays when another step is chosen.
  useLeaveGuard((leaving) => leaving !== "step" && isUnsaved);
  useEffect(() => {
    onUnsaved?.(isUnsaved);
    return () => onUnsaved?.(false);
  }, [isUnsaved, onUnsaved]);

  // A change from elsewhere, such as an undo, is a new text. What a person typed keeps its own form.
  useEffect(() => {
    if ("definition" in read && isSameJson(read.definition, definition)) return;
    if ("problems" in read && actions !== null) return;
    show(definition);
  }, [definition, read, actions]);

  function show(next: Definition): void {
    base.current = next;
    setText(textOf(next));
    setRead({ definition: next });
  }

  function change(next: string): void {
    setText(next);
    const found = readDefinition(next);
    setRead(found);
    if (!("definition" in found)) return;
    let whole = found.definition;
    actions?.replace((theirs) => {
      // Others may have changed it while the text was no definition.
      if (!isSameJson(base.current, theirs))
        whole = mergedSides({ base: base.current, mine: found.definition, theirs }, "mine");
      return whole;
    }, "text");
    if (whole === found.definition) base.current = whole;
    else show(whole);
  }

  const shown = isValid
    ? problems.map(({ pointer, message }) => ({ message, ...rangeOf(text, pointer) }))
    : read.problems;
  useChosenStep(chosen, definition, text, editor);
  return (
    <div
      className="definition-text"
      onKeyDownCapture={(event) => {
        // While the text is a definition, there is one history for all views.
        if (!isValid || actions === null) return;
        const action = actionOf(EDITOR_SHORTCUTS, event, false);
        if (action !== "undo" && action !== "redo") return;
        event.preventDefault();
        event.stopPropagation();
        actions[action]();
      }}
    >
      {isValid ? null : (
        <div className="definition-text-invalid" role="status">
          <Icon name="warning" /> <span>{texts.jsonInvalid}</span>
          <Button onClick={() => show(definition)}>{texts.jsonBack}</Button>
        </div>
      )}
      <CodeEditor
        ref={editor}
        language="json"
        label={label}
        value={text}
        problems={shown}
        isReadOnly={actions === null}
        onChange={change}
      />
    </div>
  );
}

/** Shows a step that was chosen elsewhere. */
function useChosenStep(
  chosen: string | null,
  { steps }: Definition,
  text: string,
  editor: { readonly current: EditorHandle | null },
): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (chosen === null || chosen === shown.current || editor.current === null) return;
    shown.current = chosen;
    const range = rangeOf(text, `/steps/${steps.findIndex(({ key }) => key === chosen)}`);
    if (range !== null) editor.current.select(range.from, range.from);
  });
}
