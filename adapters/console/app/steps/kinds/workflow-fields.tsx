/** A workflow to run: which version, from which input step, and its input as a form. */
import { isRecord, type JsonObject } from "../../../../../src/json.ts";
import type { InputDefinition } from "../../../../../src/workflows/input/input-field.ts";
import { inputSchema } from "../../../../../src/workflows/input/json-schema.ts";
import type { WorkflowStep } from "../../../../../src/workflows/step.ts";
import type { Version } from "../../../../../src/workflows/version.ts";
import { ExpressionEditor } from "../../expressions/expression-editor.tsx";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { ValueField } from "../../expressions/value-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { ArgumentFields } from "../arguments/argument-fields.tsx";
import { Choice, ChoiceField, type Option } from "../controls/plain-fields.tsx";
import type { KindProps } from "../kind-props.ts";
import { useVersion, useVersions, useWorkflows } from "../server-data.ts";
import { withField } from "../step-change.ts";

export function WorkflowFields({ step, onChange, problemAt }: KindProps<WorkflowStep>) {
  const { steps: texts } = useTexts();
  const { app } = useSurroundings();
  const workflows = useWorkflows(app.id);
  const workflowId = idOf(step.workflow_id);
  const version = useVersion(app.id, workflowId, String(step.workflow_version_id ?? "latest"));
  return (
    <>
      <ValueField
        label={texts.workflow}
        value={step.workflow_id}
        error={problemAt("/workflow_id")}
        onChange={(value) => onChange(withField(step, "workflow_id", typeof value === "string" ? value : undefined))}
        plain={({ id, describedBy, isInvalid }) => (
          <Choice
            {...{ id, describedBy, isInvalid }}
            value={step.workflow_id}
            none={texts.none}
            options={workflows.map((one) => ({ value: one.id, label: one.name }))}
            onChange={(value) => onChange(withField(step, "workflow_id", value))}
          />
        )}
      />
      <VersionField step={step} onChange={onChange} problemAt={problemAt} />
      <ChoiceField
        label={texts.startsAt}
        value={step.step_key ?? undefined}
        none={texts.firstInput}
        error={problemAt("/step_key")}
        options={inputStepsOf(version)}
        onChange={(value) => onChange(withField(step, "step_key", value))}
      />
      <InputFields step={step} onChange={onChange} problemAt={problemAt} definition={definitionFor(version, step)} />
    </>
  );
}

/** Null for a workflow that only the run knows. */
const idOf = (text: string | undefined) => (text === undefined || text === "" || text.includes("{{") ? null : text);

const inputStepsOf = (version: Version | null): readonly Option[] =>
  (version?.steps ?? []).filter(({ type }) => type === "input").map(({ key }) => ({ value: key, label: key }));

/** The fields that a run which begins there asks for. */
function definitionFor(version: Version | null, { step_key }: WorkflowStep): InputDefinition | null {
  if (version === null) return null;
  const inputs = version.steps.flatMap((one) => (one.type === "input" ? [one] : []));
  const start = inputs.find(({ key }) => key === step_key) ?? inputs[0];
  return { ...version.input, ...start?.input };
}

function VersionField({ step, onChange, problemAt }: KindProps<WorkflowStep>) {
  const { steps: texts } = useTexts();
  const { app } = useSurroundings();
  const versions = useVersions(app.id, idOf(step.workflow_id));
  const chosen = step.workflow_version_id;
  const numbers = versions.map(({ version }) => String(version));
  return (
    <ChoiceField
      label={texts.version}
      value={chosen === undefined ? undefined : String(chosen)}
      none={texts.byDefault(texts.latestVersion)}
      error={problemAt("/workflow_version_id")}
      options={[
        { value: "latest", label: texts.latestVersion },
        { value: "draft", label: texts.draftVersion },
        ...numbers.map((value) => ({ value, label: texts.versionNumber(value) })),
      ]}
      onChange={(value) => {
        const next = value !== undefined && numbers.includes(value) ? Number(value) : value;
        onChange(withField(step, "workflow_version_id", next));
      }}
    />
  );
}

interface InputFieldsProps extends KindProps<WorkflowStep> {
  readonly definition: InputDefinition | null;
}

function InputFields({ step, onChange, problemAt, definition }: InputFieldsProps) {
  const { steps: texts } = useTexts();
  const { input } = step;
  const form = input === null ? "none" : typeof input === "string" ? "expression" : "object";
  const set = (next: WorkflowStep["input"]) => onChange({ ...step, input: next });
  return (
    <>
      <ChoiceField
        label={texts.childInput}
        value={form}
        options={[
          { value: "object", label: texts.inputForms.object },
          { value: "expression", label: texts.inputForms.expression },
          { value: "none", label: texts.inputForms.none },
        ]}
        onChange={(value) => {
          if (value === form) return;
          set(value === "none" ? null : value === "expression" ? "{{ input }}" : {});
        }}
      />
      {typeof input === "string" ? (
        <LabelledField label={texts.inputForms.expression} error={problemAt("/input")}>
          {() => (
            <ExpressionEditor
              label={texts.inputForms.expression}
              syntax="template"
              value={input}
              error={problemAt("/input")}
              placeholder="{{ input }}"
              onChange={set}
            />
          )}
        </LabelledField>
      ) : input === null ? null : (
        <ArgumentFields
          key={`${step.workflow_id ?? ""} ${step.step_key ?? ""}`}
          label={texts.inputForms.object}
          schema={definition === null ? null : schemaOf(definition)}
          modes={definition === null ? {} : modesOf(definition)}
          value={input}
          at="/input"
          problemAt={problemAt}
          hasAuto={false}
          onChange={set}
        />
      )}
    </>
  );
}

/** Files and connections are ids, and most often expressions. */
function schemaOf(definition: InputDefinition): JsonObject | null {
  const schema = inputSchema(definition);
  return isRecord(schema["properties"]) && Object.keys(schema["properties"]).length > 0 ? schema : null;
}

function modesOf(definition: InputDefinition): Readonly<Record<string, readonly ("value" | "expression")[]>> {
  const limited = Object.entries(definition).flatMap(([name, field]) =>
    (field.type === "boolean" || field.type === "select") &&
    field.allowed_modes !== undefined &&
    field.allowed_modes.length > 0
      ? [[name, field.allowed_modes] as const]
      : [],
  );
  return Object.fromEntries(limited);
}
