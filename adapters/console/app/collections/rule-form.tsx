/** Creates or changes a rule. */
import { useState } from "react";
import type { Rule } from "../../../../src/collections/rule.ts";
import { type JsonObject, omitUndefined } from "../../../../src/json.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { ChoiceField } from "../elements/fields/choice-field.tsx";
import { Field } from "../elements/fields/field.tsx";
import { NameField } from "../elements/fields/name-field.tsx";
import { useFormPart } from "../forms/parts/use-form-part.ts";
import { setOf, type TextSet } from "../merging/three-way.ts";
import { useMergedSave } from "../merging/use-merged-save.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { WorkflowInput } from "../workflows/workflow-input.tsx";
import { WorkflowPicker } from "../workflows/workflow-picker.tsx";
import { linesOf } from "./field-paths.ts";
import { ruleKeyOf } from "./rule-key.ts";

interface RuleFormProps {
  readonly appId: string;
  readonly collectionId: string;
  /** Null for a new one. */
  readonly rule: Rule | null;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

const OUTCOMES = ["PASS", "WARN", "FAIL"] as const;
const ORDERS = ["before-all", "default", "after-all"] as const;
const POINTERS = ["/name", "/key", "/workflow_id", "/when", "/workflow_input_default"];

type RuleSettings = Pick<Rule, "name" | "workflow_id" | "on_success" | "on_fail" | "execution_order">;

interface RuleDraft extends RuleSettings {
  /** Null until somebody writes one: it follows the name. */
  readonly key: string | null;
  /** One field on each line. */
  readonly when: string;
}

interface RuleFields extends RuleSettings {
  readonly key: string;
  /** Fields whose changes run it; all if there are none. */
  readonly when: TextSet;
  readonly input: JsonObject;
}

const NEW: RuleSettings = {
  name: "",
  workflow_id: "",
  on_success: "PASS",
  on_fail: "WARN",
  execution_order: "default",
};

const settingsOf = ({ name, workflow_id, on_success, on_fail, execution_order }: Rule): RuleSettings => ({
  name,
  workflow_id,
  on_success,
  on_fail,
  execution_order,
});

const draftOf = (rule: Rule | null): RuleDraft =>
  rule === null
    ? { ...NEW, key: null, when: "" }
    : { ...settingsOf(rule), key: rule.key, when: rule.when?.join("\n") ?? "" };

const fieldsOf = (rule: Rule): RuleFields => ({
  ...settingsOf(rule),
  key: rule.key,
  when: setOf(rule.when ?? []),
  input: rule.workflow_input_default,
});

function store(
  appId: string,
  collectionId: string,
  { when, input, ...settings }: RuleFields,
  base: Rule | null,
): Promise<Rule> {
  const fields = Object.keys(when);
  const some = fields.length === 0 ? null : fields;
  const given = { ...settings, workflow_input_default: input };
  return base === null
    ? client.rules.create(appId, collectionId, { ...given, ...omitUndefined({ when: some ?? undefined }) })
    : client.rules.update(appId, collectionId, base.key, { ...given, when: some });
}

export function RuleForm({ appId, collectionId, rule, onSaved, onClose }: RuleFormProps) {
  const { collections: texts, records, general } = useTexts();
  const [draft, setDraft] = useState(() => draftOf(rule));
  const { name, workflow_id: workflowId, when } = draft;
  const change = (changes: Partial<RuleDraft>) => setDraft({ ...draft, ...changes });
  const key = draft.key ?? ruleKeyOf(name);
  const part = useFormPart(rule?.workflow_input_default ?? {});
  const fields = (input: JsonObject): RuleFields => ({ ...draft, key, when: setOf(linesOf(when)), input });
  const merging = useMergedSave<Rule, RuleFields>({
    first: rule,
    fieldsOf,
    revisionOf: () => null,
    names: {
      name: { label: general.name },
      key: { label: texts.ruleKey },
      workflow_id: { label: texts.workflow },
      on_success: { label: texts.onSuccess, values: records.outcomes },
      on_fail: { label: texts.onFail, values: records.outcomes },
      execution_order: { label: texts.order, values: texts.orders },
      when: { label: texts.when, isOne: true },
      input: { label: texts.inputDefault },
    },
    read: (base) => client.rules.get(appId, collectionId, base.key),
    write: (next, base) => store(appId, collectionId, next, base),
    current: () => fields(part.peek()),
    show({ input, when: paths, ...rest }, before) {
      change({ ...rest, when: Object.keys(paths).join("\n") });
      part.change(before.input, input);
    },
  });
  const save = async () => {
    const input = part.read();
    if (input === null) return false;
    try {
      if ((await merging.save(fields(input))) === null) return false;
    } catch (error) {
      part.refuse(error, "/workflow_input_default");
      throw error;
    }
    onSaved();
    return true;
  };
  return (
    <FormDialog
      title={rule === null ? texts.newRule : rule.name}
      action={rule === null ? general.create : general.save}
      onSubmit={save}
      onClose={onClose}
      pointers={POINTERS}
    >
      {(error) => (
        <>
          {merging.note}
          <NameField value={name} onChange={(next) => change({ name: next })} error={error} />
          <KeyField value={key} onChange={(next) => change({ key: next })} error={fieldError(error, "/key")} />
          <WorkflowPicker
            appId={appId}
            isExecuted
            label={texts.workflow}
            hint={texts.workflowHint}
            value={workflowId}
            onChange={(next) => change({ workflow_id: next })}
            error={fieldError(error, "/workflow_id")}
          />
          <OutcomeField
            label={texts.onSuccess}
            value={draft.on_success}
            onChange={(next) => change({ on_success: next })}
          />
          <OutcomeField label={texts.onFail} value={draft.on_fail} onChange={(next) => change({ on_fail: next })} />
          <ChoiceField
            label={texts.order}
            values={ORDERS}
            names={texts.orders}
            value={draft.execution_order}
            onChange={(next) => change({ execution_order: next })}
          />
          <Field label={texts.when} hint={texts.whenHint} isOptional error={fieldError(error, "/when")}>
            {(attributes) => (
              <textarea
                {...attributes}
                spellCheck={false}
                value={when}
                onChange={({ target }) => change({ when: target.value })}
              />
            )}
          </Field>
          <WorkflowInput
            part={part}
            appId={appId}
            workflowId={workflowId}
            version={rule?.workflow_use_latest === false ? (rule.workflow_version_id ?? "latest") : "latest"}
            start={rule?.step_key}
            without={["record"]}
            label={texts.inputDefault}
            hint={texts.inputDefaultHint}
          />
        </>
      )}
    </FormDialog>
  );
}

interface KeyFieldProps {
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (key: string) => void;
}

function KeyField({ value, error, onChange }: KeyFieldProps) {
  const { collections: texts } = useTexts();
  return (
    <Field label={texts.ruleKey} hint={texts.ruleKeyHint} error={error}>
      {(attributes) => (
        <input
          {...attributes}
          required
          maxLength={128}
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

type Outcome = (typeof OUTCOMES)[number];

interface OutcomeFieldProps {
  readonly label: string;
  readonly value: Outcome;
  readonly onChange: (outcome: Outcome) => void;
}

function OutcomeField(props: OutcomeFieldProps) {
  const { records } = useTexts();
  return <ChoiceField {...props} values={OUTCOMES} names={records.outcomes} />;
}
