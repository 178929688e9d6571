/** The panel of the chosen step. */
import { type KeyboardEvent, type RefObject, useMemo, useState } from "react";
import type { Step } from "../../../../../src/workflows/step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { IconButton } from "../../elements/controls/button.tsx";
import { Menu } from "../../elements/controls/menu.tsx";
import { useCopy } from "../../elements/controls/use-copy.tsx";
import { Icon } from "../../elements/icons.tsx";
import { part } from "../../loading/part.tsx";
import { actionOf } from "../../shortcuts/shortcut-table.ts";
import { ShownSettings } from "../../steps/shown-settings.tsx";
import { useTexts } from "../../texts/language.ts";
import type { Problem } from "../draft/problems.ts";
import type { EditorActions } from "../editor-actions.ts";
import { EDITOR_SHORTCUTS } from "../editor-shortcuts.ts";
import { StepConnections } from "./step-connections.tsx";
import { usePanelTop } from "./use-panel-top.ts";
import "./step-panel.css";

const StepEditor = part(() => import("../../steps/step-editor.tsx"));

export interface StepPanelProps {
  readonly appId: string;
  readonly workflowId: string;
  readonly definition: Definition;
  readonly step: Step;
  /** Those of the whole draft. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly actions: EditorActions;
  readonly isEditable: boolean;
  /** The problem whose field takes the focus; null for none. */
  readonly reached: Problem | null;
  readonly onReached: () => void;
  /** Takes the focus when the step is opened. */
  readonly panel: RefObject<HTMLElement | null>;
  /** Escape: the focus goes back to the step, and the panel stays open. */
  readonly onLeave: () => void;
  readonly onClose: () => void;
}

export function StepPanel(props: StepPanelProps) {
  const { definition, step, problems, warnings, actions, isEditable, panel, onLeave, onClose } = props;
  const { editor: texts, canvas } = useTexts();
  const rename = usePanelTop(panel, step.key);
  const own = useMemo(
    () =>
      [
        ...problems,
        ...warnings.map((warning) => ({
          ...warning,
          message: texts.warning(warning.message),
          isWarning: true,
        })),
      ]
        .filter((problem) => problem.step === step.key)
        .map(({ pointer: whole, within, ...problem }) => ({ ...problem, whole, pointer: within })),
    [problems, warnings, texts, step.key],
  );

  function leave(event: KeyboardEvent): void {
    if (actionOf(EDITOR_SHORTCUTS, event, false) !== "leavePanel") return;
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    // The browser closes dialogs and menus itself.
    if (event.target instanceof Element && event.target.closest("dialog, :popover-open") !== null) return;
    event.preventDefault();
    onLeave();
  }

  return (
    <aside ref={panel} className="step-panel" aria-label={texts.panel(step.key)} tabIndex={-1} onKeyDown={leave}>
      <header>
        <Icon name={step.type} />
        <h2>
          <bdi>{step.key}</bdi>
        </h2>
        <span className="type">{canvas.types[step.type]}</span>
        {isEditable ? <StepMenu step={step} actions={actions} /> : null}
        <IconButton icon="close" label={texts.closePanel} onClick={onClose} />
      </header>
      {isEditable ? (
        <StepEditor
          appId={props.appId}
          workflowId={props.workflowId}
          definition={definition}
          stepKey={step.key}
          problems={own}
          reached={reachedOf(own, props.reached, step.key)}
          onReached={props.onReached}
          runId={null}
          onChange={(next) => actions.set(step.key, next)}
          onRename={(key) => {
            rename(key);
            actions.renameInPanel(step.key, key);
          }}
          next={{
            add: (way) => actions.ask({ kind: "add", target: { kind: "from", key: step.key, way } }),
            connect: (way) => actions.ask({ kind: "connect", from: step.key, way }),
          }}
          onPin={(output) => actions.pin(step.key, output)}
        />
      ) : (
        <ShownSettings key={step.key} step={step} />
      )}
      {step.type === "note" ? null : (
        <StepConnections
          definition={definition}
          step={step}
          onReach={actions.reach}
          actions={isEditable ? actions : null}
        />
      )}
    </aside>
  );
}

/** The same problem among those that the panel shows. */
function reachedOf<One extends { readonly whole: string; readonly at?: number; readonly end?: number }>(
  own: readonly One[],
  reached: Problem | null,
  key: string,
): One | null {
  if (reached === null || reached.step !== key) return null;
  return own.find(({ whole, at }) => whole === reached.pointer && at === reached.at) ?? null;
}

function StepMenu({ step, actions }: Pick<StepPanelProps, "step" | "actions">) {
  const { editor: texts } = useTexts();
  const [copied, setCopied] = useState(false);
  const { copy, dialog } = useCopy();
  const { general } = useTexts();
  return (
    <>
      <Menu
        label={texts.actionsOf(step.key)}
        items={[
          { label: texts.rename, icon: "edit", onChoose: () => actions.ask({ kind: "rename", step: step.key }) },
          { label: texts.duplicate, icon: "copy", onChoose: () => actions.duplicate(step.key) },
          {
            label: texts.copySteps,
            icon: "copy",
            onChoose: () => void copy(actions.copiedText([step.key])).then(setCopied),
          },
          {
            label: texts.removeStep,
            icon: "trash",
            isDangerous: true,
            onChoose: () => actions.remove([step.key]),
          },
        ]}
      />
      <span role="status" className="visually-hidden">
        {copied ? general.copied : ""}
      </span>
      {dialog}
    </>
  );
}
