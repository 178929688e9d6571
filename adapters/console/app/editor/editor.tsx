/** The editor of a draft: three views of one definition, one history, and the panel of the chosen step. */
import { useEffect, useMemo, useState } from "react";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { announce } from "../elements/announced.tsx";
import { usePhone } from "../elements/media-queries.ts";
import { useStable } from "../elements/use-stable.ts";
import { mayLeave, useQueryParams } from "../routing/location.ts";
import { useMay } from "../session/session-context.ts";
import { useSettings } from "../settings/use-settings.ts";
import { useTexts } from "../texts/language.ts";
import { clipboardKeys } from "./clipboard-keys.ts";
import { stepOf } from "./draft/operations.ts";
import type { Problem } from "./draft/problems.ts";
import type { Question } from "./editor-actions.ts";
import { EditorDialogs } from "./editor-dialogs.tsx";
import { EditorHead } from "./editor-head.tsx";
import { EditorView } from "./editor-view.tsx";
import { StepPanel } from "./panel/step-panel.tsx";
import { ProblemList } from "./problems/problem-list.tsx";
import { useProblems } from "./problems/use-problems.ts";
import { Said } from "./said.tsx";
import type { DraftSession } from "./saving/draft-session.ts";
import { Toolbar, VIEWS, type View } from "./toolbar.tsx";
import { useChosenStep } from "./use-chosen-step.ts";
import { useHistory, useHistoryAtRest, useLeavingGuard } from "./use-draft.ts";
import { useEditorActions, useSaid } from "./use-editor-actions.ts";
import { useEditorKeys } from "./use-editor-keys.ts";
import "./editor.css";

interface EditorProps {
  readonly workflow: Workflow;
  readonly session: DraftSession;
}

export function Editor({ workflow, session }: EditorProps) {
  const { editor: texts } = useTexts();
  const history = useHistory(session);
  const rested = useHistoryAtRest(session);
  const problems = useProblems(session, history.present);
  const isEditable = useMay("workflows:write");
  const [view, setView] = useView();
  const [question, setQuestion] = useState<Question | null>(null);
  const [isListOpen, setListOpen] = useState(false);
  const [isJsonUnsaved, setJsonUnsaved] = useState(false);
  const [selection, setSelection] = useSelection();
  const steps = useChosenStep((step) => stepOf(session.draft.present(), step) !== undefined);
  const { chosen } = steps;
  const { said, say, closeSaid } = useSaid(session);
  const actions = useEditorActions(session, steps, say, setQuestion);
  const { list, warnings } = problems;
  const all = useMemo(() => [...list, ...warnings], [list, warnings]);
  const [reached, setReached] = useState<Problem | null>(null);
  const forgetReached = useStable(() => setReached(null));
  const toggleList = useStable(() => setListOpen(!isListOpen));
  const addFirst = useStable(() => actions.ask({ kind: "add", target: { kind: "end" } }));
  useEditorKeys({
    ...{ actions, chosen, isEditable },
    problems: all,
    onProblem: reachProblem,
    onNoProblem() {
      if (problems.areCurrent) say(texts.noProblems);
    },
  });
  usePanelLoaded();
  useLeavingGuard(session);

  function reachProblem(problem: Problem): void {
    announce(problem.message);
    if (problem.step === null) setView("json");
    else if (isEditable) {
      if (steps.show(problem.step)) setReached(problem);
    } else steps.open(problem.step);
  }

  const copied = selection.length > 0 || chosen === null ? selection : [chosen];
  const shown = steps.isOpen ? history.present.steps.find(({ key }) => key === chosen) : undefined;
  return (
    <div className="editor" ref={steps.room} {...clipboardKeys(actions, copied, isEditable)}>
      <EditorHead {...{ workflow, session, isJsonUnsaved }} />
      <Toolbar
        {...{ workflow, session, view, actions, chosen, isJsonUnsaved }}
        history={rested}
        onView={setView}
        problems={list.length}
        warnings={warnings.length}
        isProblemListOpen={isListOpen}
        onProblems={toggleList}
      />
      {isListOpen && all.length > 0 ? (
        <ProblemList problems={list} warnings={warnings} isTruncated={problems.isTruncated} onChoose={reachProblem} />
      ) : null}
      <div className={shown === undefined ? "editor-body" : "editor-body with-panel"}>
        <div className="editor-view">
          <EditorView
            {...{ view, workflow, session, problems, chosen, actions, isEditable, setSelection }}
            definition={rested.present}
            onOpen={steps.open}
            onAdd={addFirst}
            onUnsaved={setJsonUnsaved}
          />
          <Said said={said} workflow={workflow} onClose={closeSaid} />
        </div>
        {shown === undefined ? null : (
          <StepPanel
            {...{ problems: list, warnings, actions, isEditable }}
            appId={session.appId}
            workflowId={session.workflowId}
            definition={history.present}
            step={shown}
            panel={steps.panel}
            reached={reached}
            onReached={forgetReached}
            onLeave={() => steps.leave(shown.key)}
            onClose={() => steps.close(shown.key)}
          />
        )}
      </div>
      {question === null ? null : (
        <EditorDialogs
          {...{ question, session, workflow, actions }}
          problems={list.length}
          warnings={warnings}
          onDeployed={(version) => say(texts.deployed(version), version)}
          onClose={() => setQuestion((now) => (now === question ? null : now))}
        />
      )}
    </div>
  );
}

/** Steps that are selected on the canvas, by their keys. It says them again whenever it is drawn. */
function useSelection(): [readonly string[], (steps: readonly string[]) => void] {
  const [selection, setSelected] = useState<readonly string[]>([]);
  const select = useStable((next: readonly string[]) =>
    setSelected((before) => (before.join("\n") === next.join("\n") ? before : next)),
  );
  return [selection, select];
}

/** The view of the address, else the one that the settings and the screen ask for. */
function useView(): [View, (view: View) => void] {
  const [params, setParams] = useQueryParams();
  const { prefersOutline } = useSettings();
  const isPhone = usePhone();
  const wanted = VIEWS.find((one) => one === params.get("view"));
  const view = wanted ?? (prefersOutline || isPhone ? "outline" : "canvas");
  const change = useStable((next: View) => {
    if (next !== view && mayLeave("part")) setParams({ view: next });
  });
  return [view, change];
}

/** The form of a step is loaded before one is chosen, so that it is there when the server is not. */
function usePanelLoaded(): void {
  useEffect(() => {
    import("../steps/step-editor.tsx").catch(() => {});
  }, []);
}
