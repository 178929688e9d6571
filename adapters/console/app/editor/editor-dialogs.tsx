/** The dialogs of the editor: what is asked at the moment. */
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { AddStepDialog } from "./dialogs/add-step-dialog.tsx";
import { ConnectDialog } from "./dialogs/connect-dialog.tsx";
import { DeployDialog } from "./dialogs/deploy-dialog.tsx";
import { DetailsDialog } from "./dialogs/details-dialog.tsx";
import { FindStepDialog } from "./dialogs/find-step-dialog.tsx";
import { InputDialog } from "./dialogs/input-dialog.tsx";
import { PasteDialog } from "./dialogs/paste-dialog.tsx";
import { RenameDialog } from "./dialogs/rename-dialog.tsx";
import { SettingsDialog } from "./dialogs/settings-dialog.tsx";
import type { Problem } from "./draft/problems.ts";
import type { EditorActions, Question } from "./editor-actions.ts";
import type { DraftSession } from "./saving/draft-session.ts";
import { useHistory } from "./use-draft.ts";

interface EditorDialogsProps {
  readonly question: Question;
  readonly session: DraftSession;
  readonly workflow: Workflow;
  readonly problems: number;
  readonly warnings: readonly Problem[];
  readonly actions: EditorActions;
  readonly onDeployed: (version: number) => void;
  /** Closes the dialog of the question, and none that was opened after it. */
  readonly onClose: () => void;
}

export function EditorDialogs(props: EditorDialogsProps) {
  const { question, session, workflow, problems, warnings, actions, onDeployed, onClose } = props;
  const { present } = useHistory(session);
  /** Closes the dialog, then acts: the dialog gives the focus back first. */
  const then =
    <Given extends readonly unknown[]>(act: (...given: Given) => void) =>
    (...given: Given) => {
      onClose();
      act(...given);
    };
  switch (question.kind) {
    case "add":
      return (
        <AddStepDialog
          appId={session.appId}
          definition={present}
          target={question.target}
          onAdd={then((kind, target) => actions.add(kind, target, question.position))}
          onClose={onClose}
        />
      );
    case "connect":
      return (
        <ConnectDialog
          definition={present}
          from={question.from}
          way={question.way}
          onConnect={then(actions.connect)}
          onClose={onClose}
        />
      );
    case "rename":
      return (
        <RenameDialog
          definition={present}
          step={question.step}
          onRename={then((key) => actions.rename(question.step, key))}
          onClose={onClose}
        />
      );
    case "find":
      return <FindStepDialog definition={present} onChoose={then(actions.reach)} onClose={onClose} />;
    case "paste":
      return <PasteDialog onPaste={then(actions.paste)} onClose={onClose} />;
    case "settings":
      return (
        <SettingsDialog
          appId={session.appId}
          settings={present.settings}
          onChange={(settings) =>
            actions.replace(({ settings: _, ...others }) => (settings === undefined ? others : { ...others, settings }))
          }
          onClose={onClose}
        />
      );
    case "input":
      return (
        <InputDialog
          definition={present}
          onChange={(input) => actions.replace((before) => ({ ...before, input }), "input")}
          onClose={onClose}
        />
      );
    case "workflow":
      return <DetailsDialog workflow={workflow} onClose={onClose} />;
    case "deploy":
      return (
        <DeployDialog
          session={session}
          workflow={workflow}
          problems={problems}
          warnings={warnings}
          onDeployed={then(onDeployed)}
          onClose={onClose}
        />
      );
  }
}
