/** The editor of a draft: three views of one definition, one history, and the panel of the chosen step. */

import { type ClipboardEvent, useEffect, useMemo, useRef, useState } from "react";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { announce } from "../elements/announced.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { usePhone } from "../elements/use-narrow.ts";
import { useReach } from "../elements/use-reach.ts";
import { useStable } from "../elements/use-stable.ts";
import { nameOr } from "../elements/values/visible-text.ts";
import { useQueryParams } from "../routing/location.ts";
import { useMay } from "../session/session-context.ts";
import { useSettings } from "../settings/use-settings.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { DeletedNote } from "./deleted-note.tsx";
import { ClashDialog } from "./dialogs/clash-dialog.tsx";
import { stepsOfText } from "./draft/clipboard.ts";
import { DraftSign } from "./draft-sign.tsx";
import { createActions, type EditorActions, type Question } from "./editor-actions.ts";
import { EditorDialogs } from "./editor-dialogs.tsx";
import { EditorView } from "./editor-view.tsx";
import { StepPanel } from "./panel/step-panel.tsx";
import { ProblemList } from "./problems/problem-list.tsx";
import { useProblems } from "./problems/use-problems.ts";
import { Said, type SaidOfDraft } from "./said.tsx";
import type { DraftSession } from "./saving/draft-session.ts";
import { SavedSign } from "./saving/saved-sign.tsx";
import { Toolbar, VIEWS, type View } from "./toolbar.tsx";
import { useHistory, useLeavingGuard, useOthersChanges, useSaving } from "./use-draft.ts";
import { useEditorKeys } from "./use-editor-keys.ts";
import "./editor.css";

interface EditorProps {
  readonly workflow: Workflow;
  readonly session: DraftSession;
}

export function Editor({ workflow, session }: EditorProps) {
  const { editor: texts } = useTexts();
  const format = useFormat();
  const history = useHistory(session);
  const saving = useSaving(session);
  const problems = useProblems(session, history.present);
  const isEditable = useMay("workflows:write");
  const [view, setView] = useView();
  const [params, setParams] = useQueryParams();
  const chosen = params.get("step");
  // There, the panel is a page of its own: only opening a step shows it, and not the focus that passes.
  const isPhone = usePhone();
  const [isOpened, setOpened] = useState(chosen !== null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [isClashOpen, setClashOpen] = useState(true);
  const [isListOpen, setListOpen] = useState(false);
  const [said, setSaid] = useState<SaidOfDraft | null>(null);
  // What was said of an earlier draft holds no longer.
  const shownSaid = said?.draft === history.present ? said : null;
  const [selection, setSelectedSteps] = useState<readonly string[]>([]);
  // The canvas says it again whenever it is drawn.
  const setSelection = useStable((next: readonly string[]) =>
    setSelectedSteps((before) => (before.join("\n") === next.join("\n") ? before : next)),
  );
  const room = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  /** Whether a step gets the focus without being chosen: the outline chooses what is focused. */
  const isQuiet = useRef(false);
  /** The chosen step, before the page is drawn again. */
  const newest = useRef(chosen);
  newest.current = chosen;
  const reach = useReach(room, isQuiet);
  usePanelLoaded();
  useLeavingGuard(session);
  const isDeleted = useOthersChanges(session);
  // The address changes with each step that is passed by the keyboard, so it replaces the one before.
  const choose = useStable((step: string | null) => {
    if (isQuiet.current) return;
    newest.current = step;
    setParams({ step }, { replace: true });
  });
  const actions = useMemo(
    () =>
      createActions({
        draft: session.draft,
        texts: texts.said,
        ask: setQuestion,
        choose,
        reach(step) {
          choose(step);
          reach(step);
        },
        isAmongSteps: () =>
          room.current?.contains(document.activeElement) === true &&
          document.activeElement?.closest(".canvas, .outline") !== null,
        say: (text) => setSaid({ text, draft: session.draft.present() }),
        announce,
      }),
    [session, texts, choose, reach],
  );
  const closeSaid = useStable(() => setSaid(null));
  const open = useStable((step: string, condition?: string) => {
    choose(step);
    setOpened(true);
    requestAnimationFrame(() => {
      const place = condition === undefined ? null : `[data-condition="${CSS.escape(condition)}"]`;
      const field = place === null ? null : panel.current?.querySelector<HTMLElement>(place);
      (field ?? panel.current)?.focus();
    });
  });
  const { list, warnings } = problems;
  const all = useMemo(() => [...list, ...warnings], [list, warnings]);
  const step = isPhone && !isOpened ? undefined : history.present.steps.find(({ key }) => key === chosen);
  useEditorKeys({
    actions,
    problems: all,
    chosen,
    isEditable,
    onProblem: (problem) => reachProblem(problem.step),
  });

  function reachProblem(key: string | null): void {
    if (key === null) setView("json");
    else open(key);
  }

  return (
    <div className="editor" ref={room} {...clipboardOf(actions, selection, chosen, isEditable)}>
      <PageHead
        title={nameOr(workflow.name, workflow.id)}
        beside={
          <>
            <DraftSign workflow={workflow} definition={history.present} />
            <SavedSign saving={saving} onCompare={() => setClashOpen(true)} />
          </>
        }
        {...(session.restoredFrom === null
          ? undefined
          : { below: texts.restored(format.short(new Date(session.restoredFrom).toISOString())) })}
      />
      {isDeleted ? <DeletedNote workflow={workflow} session={session} /> : null}
      <Toolbar
        {...{ workflow, session, history, view, actions, isEditable, chosen }}
        onView={setView}
        problems={list.length}
        warnings={warnings.length}
        isProblemListOpen={isListOpen}
        onProblems={() => setListOpen(!isListOpen)}
      />
      {isListOpen && all.length > 0 ? (
        <ProblemList
          problems={list}
          warnings={warnings}
          isTruncated={problems.isTruncated}
          onChoose={(problem) => reachProblem(problem.step)}
        />
      ) : null}
      <div className={step === undefined ? "editor-body" : "editor-body with-panel"}>
        <div className="editor-view">
          <EditorView
            {...{ view, workflow, session, problems, chosen, actions, isEditable, setSelection }}
            opensOnClick={isPhone}
            onOpen={open}
            onAdd={() => actions.ask({ kind: "add", target: { kind: "end" } })}
          />
          <Said said={shownSaid} workflow={workflow} onClose={closeSaid} />
        </div>
        {step === undefined ? null : (
          <StepPanel
            appId={session.appId}
            workflowId={session.workflowId}
            definition={history.present}
            step={step}
            problems={list}
            warnings={warnings}
            actions={actions}
            isEditable={isEditable}
            panel={panel}
            onLeave={() => {
              // A key that was being changed takes effect.
              if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
              setOpened(false);
              reach(newest.current ?? step.key);
            }}
            onClose={() => {
              setOpened(false);
              if (!isPhone) choose(null);
              reach(step.key, true);
            }}
          />
        )}
      </div>
      {question === null ? null : (
        <EditorDialogs
          {...{ question, session, workflow, actions }}
          problems={problems.list.length}
          onDeployed={(version) => setSaid({ text: texts.deployed(version), draft: session.draft.present(), version })}
          onClose={() => setQuestion((now) => (now === question ? null : now))}
        />
      )}
      {saving.kind === "clash" && isClashOpen ? (
        <ClashDialog
          clash={saving}
          mine={history.present}
          onResolve={session.autosave.resolve}
          onClose={() => setClashOpen(false)}
        />
      ) : null}
    </div>
  );
}

/** The view of the address, else the one that the settings and the screen ask for. */
function useView(): [View, (view: View) => void] {
  const [params, setParams] = useQueryParams();
  const { prefersOutline } = useSettings();
  const isPhone = usePhone();
  const wanted = VIEWS.find((one) => one === params.get("view"));
  const view = wanted ?? (prefersOutline || isPhone ? "outline" : "canvas");
  return [view, (next) => setParams({ view: next })];
}

/** The form of a step is loaded before one is chosen, so that it is there when the server is not. */
function usePanelLoaded(): void {
  useEffect(() => {
    import("../steps/step-editor.tsx").catch(() => {});
  }, []);
}

/** The keys of the browser for copying, cutting and pasting, unless somebody is typing. */
function clipboardOf(actions: EditorActions, selection: readonly string[], chosen: string | null, isEditable: boolean) {
  const steps = selection.length > 0 ? selection : chosen === null ? [] : [chosen];
  const isElsewhere = ({ target }: ClipboardEvent) =>
    (target instanceof Element &&
      target.closest("input, textarea, select, [contenteditable], .code-editor, dialog, .step-panel") !== null) ||
    getSelection()?.isCollapsed === false;
  const copy = (event: ClipboardEvent): boolean => {
    if (isElsewhere(event) || steps.length === 0) return false;
    event.preventDefault();
    event.clipboardData.setData("text/plain", actions.copiedText(steps));
    return true;
  };
  return {
    onCopy: copy,
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
