/** What is chosen before a run is retried or replayed: its version, and the step from which it runs. */
import { Field } from "../../elements/fields/field.tsx";
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";

export const VERSIONS = ["same", "latest", "draft"] as const;
export type GivenVersion = (typeof VERSIONS)[number];

interface VersionChoiceProps {
  readonly value: GivenVersion;
  readonly onChange: (version: GivenVersion) => void;
}

export function VersionChoice({ value, onChange }: VersionChoiceProps) {
  const { run: texts } = useTexts();
  const { run } = useShownRun().live;
  const words = {
    same: texts.sameVersion(texts.version(run.version)),
    latest: texts.latestVersion,
    draft: texts.draftVersion,
  };
  return (
    <Field label={texts.retryVersion}>
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          onChange={(event) => onChange(VERSIONS.find((one) => one === event.target.value) ?? "same")}
        >
          {VERSIONS.map((name) => (
            <option key={name} value={name}>
              {words[name]}
            </option>
          ))}
        </select>
      )}
    </Field>
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
  return (
    <Field label={texts.fromStep}>
      {(attributes) => (
        <select
          {...attributes}
          value={value ?? ""}
          onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
        >
          <option value="">{otherwise}</option>
          {run.steps
            .filter(({ type }) => type !== "note")
            .map(({ key }) => (
              <option key={key} value={key}>
                {key}
              </option>
            ))}
        </select>
      )}
    </Field>
  );
}
