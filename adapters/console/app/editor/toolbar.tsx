/** The bar of the editor: views, adding, undoing, finding, problems, running and deploying. */
import { memo } from "react";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { Button, IconButton } from "../elements/controls/button.tsx";
import { Menu, type MenuItem } from "../elements/controls/menu.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { saveText } from "../elements/save-as.ts";
import { runCommand } from "../frame/commands.ts";
import { navigate, useNavigateFromHere } from "../routing/location.ts";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import type { History } from "./draft/history.ts";
import type { EditorActions } from "./editor-actions.ts";
import type { DraftSession } from "./saving/draft-session.ts";
import { countOf, useDeployedVersion, useDraftChanges } from "./use-changes.ts";

export const VIEWS = ["canvas", "outline", "json"] as const;
export type View = (typeof VIEWS)[number];

interface ToolbarProps {
  readonly workflow: Workflow;
  readonly session: DraftSession;
  readonly history: History;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly problems: number;
  readonly warnings: number;
  readonly isProblemListOpen: boolean;
  readonly onProblems: () => void;
  readonly actions: EditorActions;
  readonly chosen: string | null;
  /** Whether the JSON has something that the draft has not. */
  readonly isJsonUnsaved: boolean;
}

/** Not drawn anew with each letter that is typed into the panel. */
export const Toolbar = memo(function Toolbar(props: ToolbarProps) {
  const { history, view, onView, actions, chosen } = props;
  const { editor: texts } = useTexts();
  const refusal = useScopeRefusal("workflows:write");
  return (
    <div className="editor-toolbar" role="toolbar" aria-label={texts.toolbar}>
      <div className="view-switch" role="group" aria-label={texts.view}>
        {VIEWS.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === view}
            data-word={texts.views[one]}
            onClick={() => onView(one)}
          >
            {texts.views[one]}
          </button>
        ))}
      </div>
      <Button
        icon="plus"
        refusal={refusal}
        title={refusal ?? texts.addKeys}
        onClick={() =>
          actions.ask({
            kind: "add",
            target: chosen === null ? lastOf(history) : { kind: "behind", key: chosen },
          })
        }
      >
        <Face text={texts.add} />
      </Button>
      <span className="signs">
        <IconButton icon="undo" label={texts.undo} aria-disabled={history.past.length === 0} onClick={actions.undo} />
        <IconButton icon="redo" label={texts.redo} aria-disabled={history.future.length === 0} onClick={actions.redo} />
        <IconButton icon="search" label={texts.find} onClick={() => actions.ask({ kind: "find" })} />
      </span>
      {view === "canvas" ? (
        <Button kind="quiet" icon="tidyUp" refusal={refusal} title={refusal ?? texts.tidyUp} onClick={actions.tidyUp}>
          <Face text={texts.tidyUp} isRare />
        </Button>
      ) : null}
      {history.present.steps.length === 0 ? null : <ProblemButton {...props} />}
      <DraftButtons {...props} />
    </div>
  );
});

/** What a button says beside its sign. Where there is little room, only the sign is seen, first of what is used rarely. */
function Face({ text, isRare = false }: { readonly text: string; readonly isRare?: boolean }) {
  return <span className={isRare ? "face rare" : "face"}>{text}</span>;
}

/** Without a chosen step, the end of the list. */
const lastOf = ({ present }: History) => {
  const last = present.steps.at(-1);
  return present.steps.length === 1 && last !== undefined
    ? ({ kind: "behind", key: last.key } as const)
    : ({ kind: "end" } as const);
};

function ProblemButton({ problems, warnings, isProblemListOpen, onProblems, isJsonUnsaved }: ToolbarProps) {
  const { editor: texts } = useTexts();
  const format = useFormat();
  const isClean = problems + warnings === 0;
  const counts = [problems > 0 ? texts.problems(problems) : "", warnings > 0 ? texts.warnings(warnings) : ""];
  const clean = isJsonUnsaved ? texts.jsonUnsaved : texts.noProblems;
  const face = isClean ? clean : counts.filter((count) => count !== "").join(" · ");
  return (
    <Button
      kind="quiet"
      icon={problems > 0 || (isClean && isJsonUnsaved) ? "error" : isClean ? "check" : "warning"}
      className={problems === 0 ? "problem-button" : "problem-button some"}
      title={face}
      aria-expanded={isProblemListOpen}
      disabled={isClean}
      onClick={onProblems}
    >
      {isClean ? null : (
        <span className="count" aria-hidden="true">
          {format.number(problems + warnings)}
        </span>
      )}
      <Face text={face} isRare />
    </Button>
  );
}

function DraftButtons(props: ToolbarProps) {
  const navigateFromHere = useNavigateFromHere();
  const { workflow, session, actions, isJsonUnsaved } = props;
  const { editor: texts } = useTexts();
  const needed = useScopeRefusal("runs:write");
  const refusal = needed ?? (isJsonUnsaved ? texts.jsonUnsavedWhy : undefined);
  const { dialog, attempt } = useProblemDialog();
  const base = `/apps/${workflow.app_id}/workflows/${workflow.id}`;
  const deployed = useDeployedVersion(workflow);
  /** What is deployed, if the draft is the same: pinned outputs are for runs of the draft. */
  function versionToRun(): string {
    const { pinned = {}, ...draft } = session.draft.present();
    const isSame = deployed.data !== undefined && countOf(deployed.data, draft) === 0;
    return isSame && Object.keys(pinned).length === 0 ? "latest" : "draft";
  }
  return (
    <span className="draft-buttons">
      <Button
        icon="runs"
        data-command={runCommand(workflow.id)}
        refusal={refusal}
        title={refusal ?? texts.run}
        onClick={() =>
          void session.autosave.flush().then(() => navigateFromHere(`${base}/new-run?version=${versionToRun()}`))
        }
      >
        <Face text={texts.run} />
      </Button>
      <DeployButton {...props} />
      <Menu label={texts.more} items={useMenuItems({ workflow, session, actions, base, attempt })} />
      {dialog}
    </span>
  );
}

function DeployButton({ workflow, history, problems, actions, isJsonUnsaved }: ToolbarProps) {
  const { editor: texts } = useTexts();
  const needed = useScopeRefusal("workflows:write");
  const changes = useDraftChanges(workflow, history.present);
  const version = (workflow.latest_version ?? 0) + 1;
  const isSame = changes.kind === "deployed" && changes.count === 0;
  const refusal = needed ?? reason();

  function reason(): string | undefined {
    if (isJsonUnsaved) return texts.jsonUnsavedWhy;
    if (history.present.steps.length === 0) return texts.deployNoSteps;
    if (problems > 0) return texts.deployProblems;
    return isSame ? texts.deploySame(changes.version) : undefined;
  }

  return (
    <Button kind={isSame ? "plain" : "primary"} refusal={refusal} onClick={() => actions.ask({ kind: "deploy" })}>
      {texts.deploy(version)}
    </Button>
  );
}

interface MenuParts extends Pick<ToolbarProps, "workflow" | "session" | "actions"> {
  readonly base: string;
  /** Does something, and says so if it fails. */
  readonly attempt: (act: () => Promise<unknown>) => Promise<void>;
}

function useMenuItems({ workflow, session, actions, base, attempt }: MenuParts): MenuItem[] {
  const { editor: texts } = useTexts();
  const refusal = useScopeRefusal("workflows:write");
  const runsRefusal = useScopeRefusal("runs:read");
  const file = fileNameOf(workflow.name);
  /** Makes a file of the draft as the server has it, and lets the browser save it. */
  const download = (save: () => Promise<void>) =>
    void attempt(async () => {
      await session.autosave.flush();
      await save();
    });
  const draw = () => client.workflows.diagram(workflow.app_id, workflow.id, "draft");
  return [
    { label: texts.versions, icon: "history", onChoose: () => navigate(`${base}/versions`) },
    {
      label: texts.runs,
      icon: "runs",
      refusal: runsRefusal,
      onChoose: () => navigate(`/apps/${workflow.app_id}/runs?workflow=${workflow.id}`),
    },
    { label: texts.inputDefinition, icon: "input", refusal, onChoose: () => actions.ask({ kind: "input" }) },
    { label: texts.settings, icon: "settings", refusal, onChoose: () => actions.ask({ kind: "settings" }) },
    { label: texts.workflowDetails, icon: "edit", refusal, onChoose: () => actions.ask({ kind: "workflow" }) },
    { label: texts.paste, icon: "copy", refusal, onChoose: () => actions.ask({ kind: "paste" }) },
    {
      label: texts.exportDefinition,
      icon: "download",
      onChoose: () => {
        // With the name: imports, and workflow files of the command line, have it.
        const named = { name: workflow.name, ...session.draft.present() };
        saveText(`${JSON.stringify(named, null, 2)}\n`, `${file}.json`, "application/json");
      },
    },
    {
      label: texts.exportBundle,
      icon: "download",
      onChoose: () =>
        download(async () => {
          const bundle = await client.workflows.export(workflow.app_id, workflow.id, "draft");
          saveText(`${JSON.stringify(bundle, null, 2)}\n`, `${file}.stepwell.json`, "application/json");
        }),
    },
    {
      label: texts.diagramSvg,
      icon: "download",
      onChoose: () => download(async () => saveText((await draw()).svg, `${file}.svg`, "image/svg+xml")),
    },
    {
      label: texts.diagramMermaid,
      icon: "download",
      onChoose: () => download(async () => saveText((await draw()).mermaid, `${file}.mmd`, "text/plain")),
    },
  ];
}

/** A name for a file, from the name of a workflow. */
const fileNameOf = (name: string): string => name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) || "workflow";
