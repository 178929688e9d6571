/** Creates or changes a rule. */
import { useState } from "react";
import type { Rule, RuleInput } from "../../../../src/collections/rule.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { ChoiceField } from "../elements/fields/choice-field.tsx";
import { Field } from "../elements/fields/field.tsx";
import { NameField } from "../elements/fields/name-field.tsx";
import { useFormPart } from "../forms/parts/use-form-part.ts";
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

export function RuleForm({ appId, collectionId, rule, onSaved, onClose }: RuleFormProps) {
  const { collections: texts, general } = useTexts();
  const [name, setName] = useState(rule?.name ?? "");
  // Until somebody writes a key, it follows the name.
  const [typedKey, setKey] = useState(rule?.key ?? null);
  const key = typedKey ?? ruleKeyOf(name);
  const [workflowId, setWorkflowId] = useState(rule?.workflow_id ?? "");
  const [onSuccess, setOnSuccess] = useState(rule?.on_success ?? "PASS");
  const [onFail, setOnFail] = useState(rule?.on_fail ?? "WARN");
  const [order, setOrder] = useState(rule?.execution_order ?? "default");
  const [when, setWhen] = useState(rule?.when?.join("\n") ?? "");
  const part = useFormPart(rule?.workflow_input_default ?? {});
  const save = async () => {
    const input = part.read();
    if (input === null) return false;
    const settings = {
      name,
      key,
      workflow_id: workflowId,
      on_success: onSuccess,
      on_fail: onFail,
      execution_order: order,
      workflow_input_default: input,
    };
    try {
      await store(appId, collectionId, rule, settings, linesOf(when));
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
          <NameField value={name} onChange={setName} error={error} />
          <KeyField value={key} onChange={setKey} error={fieldError(error, "/key")} />
          <WorkflowPicker
            appId={appId}
            isExecuted
            label={texts.workflow}
            hint={texts.workflowHint}
            value={workflowId}
            onChange={setWorkflowId}
            error={fieldError(error, "/workflow_id")}
          />
          <OutcomeField label={texts.onSuccess} value={onSuccess} onChange={setOnSuccess} />
          <OutcomeField label={texts.onFail} value={onFail} onChange={setOnFail} />
          <ChoiceField label={texts.order} values={ORDERS} names={texts.orders} value={order} onChange={setOrder} />
          <Field label={texts.when} hint={texts.whenHint} isOptional error={fieldError(error, "/when")}>
            {(attributes) => (
              <textarea
                {...attributes}
                spellCheck={false}
                value={when}
                onChange={({ target }) => setWhen(target.value)}
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

type RuleSettings = Omit<RuleInput, "when">;

/** @param when Fields whose changes run it; all if there are none. */
async function store(
  appId: string,
  collectionId: string,
  rule: Rule | null,
  settings: RuleSettings,
  when: readonly string[],
): Promise<void> {
  if (rule === null) {
    await client.rules.create(appId, collectionId, when.length === 0 ? settings : { ...settings, when });
  } else {
    await client.rules.update(appId, collectionId, rule.key, { ...settings, when: when.length === 0 ? null : when });
  }
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
