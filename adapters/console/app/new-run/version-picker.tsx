/** Which version is run, and where it starts. Both stand in the address. */
import { useQuery } from "@tanstack/react-query";
import type { Version } from "../../../../src/workflows/version.ts";
import { Field } from "../elements/fields/field.tsx";
import { useQueryParams } from "../routing/location.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface VersionPickerProps {
  readonly appId: string;
  readonly workflowId: string;
  readonly version: Version;
  readonly wanted: string;
}

const VERSIONS = 50;

export function VersionPicker({ appId, workflowId, version, wanted }: VersionPickerProps) {
  const { newRun } = useTexts();
  const [, setQuery] = useQueryParams();
  const versions = useQuery({
    queryKey: [appId, "workflows", workflowId, "versions", "numbers"],
    queryFn: () => client.workflows.listVersions(appId, workflowId, { take: VERSIONS }),
  });
  const numbers = (versions.data?.items ?? []).map(({ version: number }) => number);
  const [latest] = numbers;
  const isNamed = wanted === "latest" || wanted === "draft";
  const chosen = isNamed ? wanted : String(version.version);
  const others = isNamed || numbers.includes(version.version) ? numbers : [version.version, ...numbers];
  return (
    <Field label={newRun.version}>
      {(attributes) => (
        <select
          {...attributes}
          value={chosen}
          onChange={({ target }) =>
            setQuery({ version: target.value === "latest" ? null : target.value, start: null }, { replace: true })
          }
        >
          {latest === undefined && wanted !== "latest" ? null : (
            <option value="latest">{newRun.latest(latest ?? version.version)}</option>
          )}
          <option value="draft">{newRun.draft}</option>
          {others.map((number) => (
            <option key={number} value={String(number)}>
              {newRun.versionNumber(number)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Nothing to choose where the version has one input step, or none. */
export function StartPicker({ keys, chosen }: { readonly keys: readonly string[]; readonly chosen: string | null }) {
  const { newRun } = useTexts();
  const [, setQuery] = useQueryParams();
  if (keys.length < 2) return null;
  return (
    <Field label={newRun.startsAt}>
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
