/** Chooses a version of a workflow: by a name, or one of the latest by number. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Field } from "../elements/fields/field.tsx";
import type { FieldProblem } from "../elements/fields/field-note.tsx";
import { LIVE_QUERY } from "../live/live-query.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

const VERSIONS = 50;

interface VersionFieldProps {
  readonly appId: string;
  readonly workflowId: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: FieldProblem | null;
  /** A name, or a number as text. */
  readonly value: string;
  /** Names with their labels. @param latest Number of the latest version; undefined until it is known, and without one. */
  readonly names: (latest: number | undefined) => readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (version: string) => void;
}

export function VersionField({ appId, workflowId, label, hint, error, value, names, onChange }: VersionFieldProps) {
  const { newRun } = useTexts();
  const versions = useQuery({
    queryKey: [appId, "workflows", workflowId, "versions", "numbers"],
    queryFn: ({ signal }) => client.with({ signal }).workflows.listVersions(appId, workflowId, { take: VERSIONS }),
    enabled: workflowId !== "",
    ...LIVE_QUERY,
  });
  const numbers = (versions.data?.items ?? []).map(({ version }) => version);
  const named = names(numbers[0]);
  const isKnown = named.some((one) => one.value === value) || numbers.includes(Number(value));
  return (
    <Field label={label} hint={hint} error={error ?? null}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={({ target }) => onChange(target.value)}>
          {named.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
          {isKnown ? null : (
            <option value={value}>{/^\d+$/.test(value) ? newRun.versionNumber(Number(value)) : value}</option>
          )}
          {numbers.map((number) => (
            <option key={number} value={String(number)}>
              {newRun.versionNumber(number)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
