/**
 * The panel of one step: its settings, what it sees, and how it went. The owner keeps the draft; each change gives the whole
 * step, with everything that was not changed.
 */
import { useMemo, useRef, useState } from "react";
import type { JsonValue } from "../../../../src/json.ts";
import type { Step } from "../../../../src/workflows/step.ts";
import type { Definition } from "../../../../src/workflows/version.ts";
import type { EditorProblem } from "../code-editor/completion.ts";
import { Tabs } from "../elements/controls/tabs.tsx";
import { FieldNote, type FieldProblem } from "../elements/fields/field-note.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { LabelledField } from "../expressions/labelled-field.tsx";
import { SurroundingsContext, useKnownAround } from "../expressions/surroundings-context.ts";
import type { Surroundings } from "../expressions/variables.ts";
import { useTexts } from "../texts/language.ts";
import { JsonField } from "./controls/json-field.tsx";
import { useRowKeys } from "./controls/row-keys.ts";
import { fieldProblem, type Problem, problemFinder } from "./kind-props.ts";
import { KindFields } from "./kinds/kind-fields.tsx";
import { isStep, mergedStep } from "./merged-step.ts";
import { type NextSteps, NextStepsContext } from "./next-steps-context.ts";
import { useReachedProblem } from "./reached-problem.ts";
import { DataTab } from "./runs/data-tab.tsx";
import { LastRunsTab } from "./runs/last-runs-tab.tsx";
import { AutoSection } from "./sections/auto-section.tsx";
import { ErrorsSection } from "./sections/errors-section.tsx";
import { LookSection, NextSection } from "./sections/look-section.tsx";
import { Section } from "./sections/section.tsx";
import { isExecuted, WhenSection } from "./sections/when-section.tsx";
import { useLastRuns, useMe, useRun, useServices } from "./server-data.ts";
import { hasShape } from "./step-change.ts";
import { isForbiddenKey } from "./step-key.ts";
import "./step-editor.css";

export interface StepEditorProps {
  readonly appId: string;
  readonly workflowId: string;
  /** The draft, with the step. */
  readonly definition: Definition;
  readonly stepKey: string;
  /** What is wrong with the step. Pointers are relative to it. */
  readonly problems: readonly Problem[];
  readonly onChange: (step: Step) => void;
  readonly onRename: (key: string) => void;
  /** The run whose values are shown; null for the last one. */
  readonly runId: string | null;
  /** Pins an output of the step for runs of the draft; undefined takes it away. Without it, there are no buttons. */
  readonly onPin?: (output: JsonValue | undefined) => void;
  /** The problem whose field takes the focus; null for none. */
  readonly reached: Problem | null;
  /** The field has the focus. */
  readonly onReached: () => void;
  /** Adds and connects what comes next. */
  readonly next: NextSteps;
}

const TABS = ["settings", "data", "runs"] as const;
type TabName = (typeof TABS)[number];

export default function StepEditor(props: StepEditorProps) {
  const { workflowId, definition, stepKey } = props;
  const { steps: texts } = useTexts();
  const [tab, setTab] = useTab(props);
  const room = useRef<HTMLDivElement>(null);
  useReachedProblem(room, props.reached, props.problems, props.onReached);
  const known = useKnownAround(useAround(props), useLocatedProblems(props.problems));
  const identities = useRowKeys();
  const step = definition.steps.find(({ key }) => key === stepKey);
  if (step === undefined) return <EmptyState title={texts.noStep} />;
  return (
    <SurroundingsContext value={known}>
      <NextStepsContext value={props.next}>
        <div ref={room} className="step-editor">
          <Tabs
            label={texts.tabsOf(step.key)}
            tabs={TABS.map((name) => ({ name, label: texts.tabs[name] }))}
            chosen={tab}
            onChoose={setTab}
          >
            {tab === "settings" ? (
              <Settings
                key={identities.keyOf(step.key)}
                {...props}
                step={step}
                onRename={(key) => {
                  identities.rename(step.key, key);
                  props.onRename(key);
                }}
              />
            ) : tab === "data" ? (
              <DataTab key={identities.keyOf(step.key)} step={step} workflowId={workflowId} onPin={props.onPin} />
            ) : (
              <LastRunsTab step={step} workflowId={workflowId} />
            )}
          </Tabs>
        </div>
      </NextStepsContext>
    </SurroundingsContext>
  );
}

/** The tab that was chosen last, also for other steps; at its settings opens a step that was added since then, or has a problem. */
function useTab({ definition: { steps }, stepKey, reached }: StepEditorProps) {
  const choose = (tab: TabName) => ({ tab, known: steps.map(({ key }) => key) });
  const [{ tab, known }, setChosen] = useState(() => choose("settings"));
  if (reached !== null && tab !== "settings") setChosen(choose("settings"));
  // A step with a new name is no new step.
  const isNew = steps.length > known.length && !known.includes(stepKey);
  return [isNew ? "settings" : tab, (next: TabName) => setChosen(choose(next))] as const;
}

function useAround({ appId, workflowId, definition, stepKey, runId }: StepEditorProps): Surroundings {
  const services = useServices(appId);
  const last = useLastRuns(appId, workflowId).find(({ status }) => status !== "queued");
  const run = useRun(appId, runId ?? last?.id ?? null);
  const name = useMe(appId)?.app.name ?? "";
  return useMemo(
    () => ({ definition, stepKey, services, run, app: { id: appId, name }, workflowId }),
    [definition, stepKey, services, run, appId, name, workflowId],
  );
}

function useLocatedProblems(problems: StepEditorProps["problems"]): readonly EditorProblem[] {
  return useMemo(
    () => problems.map(({ message, at, end, isWarning }) => ({ message, from: at, to: end, isWarning })),
    [problems],
  );
}

function Settings({ step, definition, problems, onChange, onRename }: StepEditorProps & { readonly step: Step }) {
  const { steps: texts } = useTexts();
  const problemAt = useMemo(() => problemFinder(problems), [problems]);
  const whole = problems.filter(({ pointer }) => !isAtField(pointer));
  const shared = { onChange, problemAt };
  return (
    <div className="step-settings">
      {whole.map((problem) => (
        <FieldNote key={problem.message} problem={fieldProblem([problem])} />
      ))}
      <KeyField
        stepKey={step.key}
        error={problemAt("/key")}
        isTaken={(key) => key !== step.key && definition.steps.some((one) => one.key === key)}
        onRename={onRename}
      />
      {hasShape(step) ? (
        <>
          <KindFields step={step} {...shared} />
          {step.type === "note" ? null : <WhenSection step={step} {...shared} />}
          {step.type === "note" ? null : <ErrorsSection step={step} {...shared} />}
          {step.type === "note" ? null : <NextSection step={step} {...shared} />}
          {isExecuted(step) || step.auto !== undefined ? <AutoSection step={step} {...shared} /> : null}
          <LookSection step={step} {...shared} />
        </>
      ) : (
        <p className="notice">{texts.unusualStep}</p>
      )}
      <WholeStep step={step} isOpen={!hasShape(step)} onChange={onChange} />
    </div>
  );
}

/** Fields of steps that have a control. Other problems stand on top. */
const FIELDS: ReadonlySet<string> = new Set([
  ...["key", "conditional", "loop", "loop_delay", "for_each", "throw_on_error", "retry", "timeout", "on_error"],
  ...["destinations", "input_connected", "display", "position", "size", "auto", "note", "input", "webhook"],
  ...["conditions", "else", "code", "output", "url", "method", "headers", "body", "strip_html", "wait_for_selector"],
  ...["service", "workflow_id", "workflow_version_id", "step_key", "provider"],
]);
/** Containers whose fields have controls, but which have none themselves. */
const CONTAINERS: ReadonlySet<string> = new Set(["conditions", "service", "provider", "retry", "for_each", "on_error"]);

function isAtField(pointer: string): boolean {
  const [, name = "", ...rest] = pointer.split("/");
  return FIELDS.has(name) && (rest.length > 0 || !CONTAINERS.has(name));
}

interface WholeStepProps {
  readonly step: Step;
  readonly isOpen: boolean;
  readonly onChange: (step: Step) => void;
}

/** Everything that a step has, as it stands. */
function WholeStep({ step, isOpen, onChange }: WholeStepProps) {
  const { steps: texts } = useTexts();
  return (
    <Section title={texts.wholeStep} isOpen={isOpen}>
      <JsonField
        label={texts.wholeStep}
        hint={texts.wholeStepHint}
        type="object"
        isOptional={false}
        value={JSON.parse(JSON.stringify(step))}
        merge={(before, typed) => mergedStep(before, typed, step)}
        onChange={(value) => {
          const next: unknown = value;
          if (isStep(next)) onChange(next);
        }}
      />
    </Section>
  );
}

interface KeyFieldProps {
  readonly stepKey: string;
  readonly error: FieldProblem | null;
  readonly isTaken: (key: string) => boolean;
  readonly onRename: (key: string) => void;
}

const MAX_KEY_CHARS = 128;

/** Renames when the control is left, or with Enter. A key that cannot be is kept with what is wrong with it. */
function KeyField({ stepKey, error, isTaken, onRename }: KeyFieldProps) {
  const { steps: texts, editor } = useTexts();
  const [text, setText] = useState(stepKey);
  const isForbidden = isForbiddenKey(text);
  const isWrong = text === "" || isForbidden || isTaken(text);
  const problem = `${isForbidden ? editor.renameForbidden(text) : texts.nameTaken} ${texts.keptName(stepKey)}`;
  function rename(): void {
    if (!isWrong && text !== stepKey) onRename(text);
  }
  return (
    <LabelledField label={texts.key} hint={texts.keyHint} error={isWrong ? problem : error}>
      {({ id, describedBy, isInvalid }) => (
        <input
          {...{ id, value: text, "aria-describedby": describedBy, "aria-invalid": isInvalid }}
          maxLength={MAX_KEY_CHARS}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
          onBlur={rename}
          onKeyDown={({ key, nativeEvent }) => {
            if (key === "Enter" && !nativeEvent.isComposing) rename();
          }}
        />
      )}
    </LabelledField>
  );
}
