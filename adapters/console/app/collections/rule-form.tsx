/** Creates or changes a rule. */
import { useState } from "react";
import type { Rule } from "../../../../src/collections/rule.ts";
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
  const { collections: texts, records, general } = useTexts();
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
    const fields = linesOf(when);
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
      if (rule === null) {
        const limited = fields.length === 0 ? settings : { ...settings, when: fields };
        await client.rules.create(appId, collectionId, limited);
      } else {
        const changed = { ...settings, when: fields.length === 0 ? null : fields };
        await client.rules.update(appId, collectionId, rule.key, changed);
      }
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
          <Field label={texts.ruleKey} hint={texts.ruleKeyHint} error={fieldError(error, "/key")}>
            {(attributes) => (
              <input
                {...attributes}
                required
                maxLength={128}
                spellCheck={false}
                value={key}
                onChange={({ target }) => setKey(target.value)}
              />
            )}
          </Field>
          <WorkflowPicker
            appId={appId}
            label={texts.workflow}
            hint={texts.workflowHint}
            value={workflowId}
            onChange={setWorkflowId}
            error={fieldError(error, "/workflow_id")}
          />
          <ChoiceField
            label={texts.onSuccess}
            values={OUTCOMES}
            names={records.outcomes}
            value={onSuccess}
            onChange={setOnSuccess}
          />
          <ChoiceField
            label={texts.onFail}
            values={OUTCOMES}
            names={records.outcomes}
            value={onFail}
            onChange={setOnFail}
          />
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
