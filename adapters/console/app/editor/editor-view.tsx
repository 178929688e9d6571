/** One of the three views of a draft. */
import { memo, useMemo } from "react";
import type { Definition } from "../../../../src/workflows/version.ts";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { Button } from "../elements/controls/button.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { usePhone } from "../elements/media-queries.ts";
import { part } from "../loading/part.tsx";
import { useSettings } from "../settings/use-settings.ts";
import { useTexts } from "../texts/language.ts";
import type { EditorActions } from "./editor-actions.ts";
import { Outline } from "./outline/outline.tsx";
import type { OpenStep } from "./outline/row-actions.ts";
import type { Problems } from "./problems/use-problems.ts";
import type { DraftSession } from "./saving/draft-session.ts";
import type { View } from "./toolbar.tsx";
import { useHistory } from "./use-draft.ts";

const CanvasView = part(async () => ({ default: (await import("./canvas-view.tsx")).CanvasView }));
const DefinitionText = part(async () => ({ default: (await import("./json/definition-text.tsx")).DefinitionText }));

interface EditorViewProps {
  readonly workflow: Workflow;
  readonly session: DraftSession;
  /** The draft, once nobody types. */
  readonly definition: Definition;
  readonly view: View;
  readonly problems: Problems;
  readonly chosen: string | null;
  readonly actions: EditorActions;
  readonly isEditable: boolean;
  readonly setSelection: (steps: readonly string[]) => void;
  readonly onOpen: OpenStep;
  readonly onAdd: () => void;
  /** Hears whether the JSON has something that the draft has not. */
  readonly onUnsaved: (isUnsaved: boolean) => void;
}

/** Not drawn anew with each letter that is typed into the panel. */
export const EditorView = memo(function EditorView(props: EditorViewProps) {
  const { view, workflow, definition, problems, chosen, actions, isEditable, setSelection, onOpen, onAdd } = props;
  const { editor: texts } = useTexts();
  const { hasShortcuts } = useSettings();
  // There, a step is a page of its own.
  const opensOnClick = usePhone();
  const counts = useMemo(() => countsOf(problems.list), [problems.list]);
  if (view !== "json" && definition.steps.length === 0)
    return (
      <EmptyState title={texts.emptyTitle}>
        <p>{texts.emptyText}</p>
        <Button kind="primary" icon="plus" disabled={!isEditable} onClick={onAdd}>
          {texts.add}
        </Button>
      </EmptyState>
    );
  if (view === "outline")
    return (
      <Outline
        label={texts.outlineLabel(workflow.name)}
        definition={definition}
        chosen={chosen}
        onChoose={actions.choose}
        onOpen={onOpen}
        opensOnClick={opensOnClick}
        problems={counts}
        actions={isEditable ? actions : null}
        hasLetters={hasShortcuts}
      />
    );
  if (view === "canvas")
    return (
      <CanvasView
        label={texts.canvasLabel(workflow.name)}
        definition={definition}
        chosen={chosen}
        onOpen={onOpen}
        opensOnClick={opensOnClick}
        problems={counts}
        actions={actions}
        hasLetters={hasShortcuts}
        onSelection={setSelection}
        isEditable={isEditable}
      />
    );
  return <DraftText {...props} />;
});

/** A field itself: it follows at once. */
function DraftText({ workflow, session, problems, chosen, actions, isEditable, onUnsaved }: EditorViewProps) {
  const { editor: texts } = useTexts();
  const { present } = useHistory(session);
  return (
    <DefinitionText
      label={texts.jsonLabel(workflow.name)}
      definition={present}
      problems={problems.areCurrent ? problems.list : []}
      chosen={chosen}
      actions={isEditable ? actions : null}
      onUnsaved={onUnsaved}
    />
  );
}

function countsOf(list: Problems["list"]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { step } of list) if (step !== null) counts.set(step, (counts.get(step) ?? 0) + 1);
  return counts;
}
