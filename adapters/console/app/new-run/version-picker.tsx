/** Which version is run, and where it starts. Both stand in the address. */
import type { Version } from "../../../../src/workflows/version.ts";
import { Field } from "../elements/fields/field.tsx";
import { useQueryParams } from "../routing/location.ts";
import { useTexts } from "../texts/language.ts";
import { VersionField } from "../workflows/version-field.tsx";

interface VersionPickerProps {
  readonly appId: string;
  readonly workflowId: string;
  readonly version: Version;
  readonly wanted: string;
  readonly onLatest: () => void;
}

export function VersionPicker({ appId, workflowId, version, wanted, onLatest }: VersionPickerProps) {
  const { newRun } = useTexts();
  const [, setQuery] = useQueryParams();
  const isNamed = wanted === "latest" || wanted === "draft";
  return (
    <VersionField
      appId={appId}
      workflowId={workflowId}
      label={newRun.version}
      value={isNamed ? wanted : String(version.version)}
      names={(latest) => [
        ...(latest === undefined && wanted !== "latest"
          ? []
          : [{ value: "latest", label: newRun.latest(wanted === "latest" ? version.version : (latest ?? 0)) }]),
        { value: "draft", label: newRun.draft },
      ]}
      onChange={(chosen) => {
        setQuery({ version: chosen === "latest" ? null : chosen, start: null }, { replace: true });
        if (chosen === "latest") onLatest();
      }}
    />
  );
}

/** Nothing to choose where the version has one input step, or none. */
export function StartPicker({ keys, chosen }: { readonly keys: readonly string[]; readonly chosen: string | null }) {
  const { newRun } = useTexts();
  const [, setQuery] = useQueryParams();
  if (keys.length < 2) return null;
  return (
    <Field label={newRun.startsAt} hint={newRun.startsAtHint}>
      {(attributes) => (
        <select
          {...attributes}
          value={chosen ?? ""}
          onChange={({ target }) =>
            setQuery({ start: target.value === keys[0] ? null : target.value }, { replace: true })
          }
        >
          {keys.map((key) => (
            <option key={key}>{key}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
