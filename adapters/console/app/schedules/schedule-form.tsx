/** Creates or changes a schedule. */
import { useState } from "react";
import type { JsonObject } from "../../../../src/json.ts";
import type { Schedule } from "../../../../src/schedules/schedule.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { JsonField } from "../elements/fields/json-field.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { WorkflowPicker } from "../workflows/workflow-picker.tsx";
import { draftOf, type ScheduleDraft, timingOf } from "./schedule-draft.ts";
import { TimingFields } from "./timing-fields.tsx";

interface ScheduleFormProps {
  readonly appId: string;
  /** Null for a new one. */
  readonly schedule: Schedule | null;
  readonly onSaved: (schedule: Schedule) => void;
  readonly onClose: () => void;
}

const POINTERS = ["/name", "/workflow_id", "/version", "/input", "/cron", "/timezone", "/every", "/at"];
const POLICIES = ["skip", "once", "all"] as const;

export function ScheduleForm({ appId, schedule, onSaved, onClose }: ScheduleFormProps) {
  const { schedules: texts, general } = useTexts();
  const [draft, setDraft] = useState(() => draftOf(schedule));
  const change = (changes: Partial<ScheduleDraft>) => setDraft({ ...draft, ...changes });
  const save = async () => {
    const { workflow_id, name, version, input, missed } = draft;
    const settings = { name: name === "" ? null : name, version, input, missed, ...timingOf(draft) };
    onSaved(
      schedule === null
        ? await client.schedules.create(appId, { workflow_id, ...settings })
        : await client.schedules.update(appId, schedule.id, { ...settings, expected_revision: schedule.revision }),
    );
  };
  return (
    <FormDialog
      title={schedule === null ? texts.create : (schedule.name ?? schedule.id)}
      action={general.save}
      onSubmit={save}
      onClose={onClose}
      pointers={POINTERS}
    >
      {(error) => (
        <>
          <Field label={general.name} isOptional error={fieldError(error, "/name")}>
            {(attributes) => (
              <input
                {...attributes}
                maxLength={256}
                value={draft.name}
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
          </Field>
          {schedule === null ? (
            <WorkflowPicker
              appId={appId}
              label={texts.workflow}
              value={draft.workflow_id}
              onChange={(workflow_id) => change({ workflow_id })}
              error={fieldError(error, "/workflow_id")}
            />
          ) : null}
          <TimingFields draft={draft} onChange={change} error={error} />
          <JsonField
            label={texts.input}
            hint={texts.inputHint}
            error={fieldError(error, "/input")}
            value={draft.input}
            onChange={(input) => {
              if (isObject(input)) change({ input });
            }}
          />
          <Field label={texts.version} hint={texts.versionHint} error={fieldError(error, "/version")}>
            {(attributes) => (
              <input
                {...attributes}
                required
                value={draft.version}
                onChange={({ target }) => change({ version: target.value })}
              />
            )}
          </Field>
          <Field label={texts.missed} hint={texts.missedHint}>
            {(attributes) => (
              <select
                {...attributes}
                value={draft.missed}
                onChange={({ target }) =>
                  change({ missed: POLICIES.find((one) => one === target.value) ?? draft.missed })
                }
              >
                {POLICIES.map((policy) => (
                  <option key={policy} value={policy}>
                    {texts.policies[policy]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
