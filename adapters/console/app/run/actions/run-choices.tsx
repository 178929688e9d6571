/** What is chosen before a run is retried or replayed: its version, and the step from which it runs. */
import { Field } from "../../elements/fields/field.tsx";
import { useTexts } from "../../texts/language.ts";
import { VersionField } from "../../workflows/version-field.tsx";
import { useShownRun } from "../run-context.ts";

/** The version of the run. */
export const SAME = "same";

/** As the server takes it; undefined for that of the run. */
export function givenVersion(chosen: string): string | number | undefined {
  if (chosen === SAME) return undefined;
  return /^\d+$/.test(chosen) ? Number(chosen) : chosen;
}

interface VersionChoiceProps {
  /** `same`, `latest`, `draft`, or a number. */
  readonly value: string;
  readonly onChange: (version: string) => void;
}

export function VersionChoice({ value, onChange }: VersionChoiceProps) {
  const { run: texts } = useTexts();
  const { run } = useShownRun().live;
  return (
    <VersionField
      appId={run.app_id}
      workflowId={run.workflow_id}
      label={texts.retryVersion}
      value={value}
      names={() => [
        { value: SAME, label: texts.sameVersion(texts.version(run.version)) },
        { value: "latest", label: texts.latestVersion },
        { value: "draft", label: texts.draftVersion },
      ]}
      onChange={onChange}
    />
  );
}

interface FromStepProps {
  /** Null for the first choice. */
  readonly value: string | null;
  /** Names the first choice. */
  readonly otherwise: string;
  readonly onChange: (step: string | null) => void;
}

export function FromStep({ value, otherwise, onChange }: FromStepProps) {
  const { run: texts } = useTexts();
  const { run } = useShownRun().live;
  const keys = run.steps.filter(({ type }) => type !== "note").map(({ key }) => key);
  const failed = run.error?.step;
  return (
    <Field label={texts.fromStep}>
      {(attributes) => (
        <select
          {...attributes}
          value={value ?? ""}
          onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
        >
          <option value="">{otherwise}</option>
          {failed === undefined || !keys.includes(failed) ? null : (
            <option value={failed}>{texts.fromFailedStep(failed)}</option>
          )}
          {keys
            .filter((key) => key !== failed)
            .map((key) => (
              <option key={key} value={key}>
                {key}
              </option>
            ))}
        </select>
      )}
    </Field>
  );
}
