/** Creates or changes a schedule. */
import { useState } from "react";
import type { JsonObject } from "../../../../src/json.ts";
import type { Schedule } from "../../../../src/schedules/schedule.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { ChoiceField } from "../elements/fields/choice-field.tsx";
import { Field } from "../elements/fields/field.tsx";
import { useFormPart } from "../forms/parts/use-form-part.ts";
import { useMergedSave } from "../merging/use-merged-save.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { VersionField } from "../workflows/version-field.tsx";
import { WorkflowInput } from "../workflows/workflow-input.tsx";
import { WorkflowPicker } from "../workflows/workflow-picker.tsx";
import { type ChosenTiming, chosenTiming, draftOf, type ScheduleDraft, timingOf } from "./schedule-draft.ts";
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

interface ScheduleFields extends Pick<ScheduleDraft, "name" | "version" | "missed"> {
  readonly timing: ChosenTiming;
  readonly input: JsonObject;
}

const fieldsOf = (draft: ScheduleDraft, input: JsonObject): ScheduleFields => {
  const { name, version, missed } = draft;
  return { name, version, missed, timing: chosenTiming(draft), input };
};

export function ScheduleForm({ appId, schedule, onSaved, onClose }: ScheduleFormProps) {
  const { schedules: texts, newRun, general } = useTexts();
  const part = useFormPart(schedule?.input ?? {});
  const [draft, setDraft] = useState(() => draftOf(schedule));
  const change = (changes: Partial<ScheduleDraft>) => setDraft({ ...draft, ...changes });
  const merging = useMergedSave<Schedule, ScheduleFields>({
    first: schedule,
    fieldsOf: (stored) => fieldsOf(draftOf(stored), stored.input),
    revisionOf: ({ revision }) => revision,
    isWhole: (name) => name === "timing",
    names: {
      name: { label: general.name },
      version: { label: texts.version },
      missed: { label: texts.missed, values: texts.policies },
      timing: { label: texts.timing, isOne: true },
      input: { label: texts.input },
    },
    read: ({ id }) => client.schedules.get(appId, id),
    write({ name, timing, ...rest }, base) {
      const settings = { ...rest, name: name === "" ? null : name, ...timingOf(timing) };
      return base === null
        ? client.schedules.create(appId, { workflow_id: draft.workflow_id, ...settings })
        : client.schedules.update(appId, base.id, { ...settings, expected_revision: base.revision });
    },
    current: () => fieldsOf(draft, part.peek()),
    show({ timing, input, ...rest }, before) {
      change({ ...rest, ...timing });
      part.change(before.input, input);
    },
  });
  const save = async () => {
    const input = part.read();
    if (input === null) return false;
    try {
      const saved = await merging.save(fieldsOf(draft, input));
      if (saved !== null) onSaved(saved.stored);
      return saved !== null;
    } catch (error) {
      part.refuse(error, "/input");
      throw error;
    }
  };
  return (
    <FormDialog
      title={schedule === null ? texts.create : (schedule.name ?? general.edit)}
      action={schedule === null ? general.create : general.save}
      onSubmit={save}
      onClose={onClose}
      pointers={POINTERS}
    >
      {(error) => (
        <>
          {merging.note}
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
              isExecuted
              label={texts.workflow}
              value={draft.workflow_id}
              onChange={(workflow_id) => change({ workflow_id })}
              error={fieldError(error, "/workflow_id")}
            />
          ) : null}
          <TimingFields draft={draft} onChange={change} error={error} />
          <VersionField
            appId={appId}
            workflowId={draft.workflow_id}
            label={texts.version}
            error={fieldError(error, "/version")}
            value={draft.version}
            names={() => [
              { value: "latest", label: texts.latest },
              { value: "draft", label: newRun.draft },
            ]}
            onChange={(version) => change({ version })}
          />
          <ChoiceField
            label={texts.missed}
            hint={texts.missedHint}
            values={POLICIES}
            names={texts.policies}
            value={draft.missed}
            onChange={(missed) => change({ missed })}
          />
          <WorkflowInput
            part={part}
            appId={appId}
            workflowId={draft.workflow_id}
            version={draft.version}
            start={schedule?.step_key}
            label={texts.input}
            hint={texts.inputHint}
          />
        </>
      )}
    </FormDialog>
  );
}
