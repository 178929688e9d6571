/** The input of a workflow within another form, by the fields of one of its versions. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { inputModel } from "../../../../src/forms/model/input-model.ts";
import { definitionAt } from "../../../../src/workflows/start-step.ts";
import type { Version } from "../../../../src/workflows/version.ts";
import { Loading } from "../elements/loading.tsx";
import { FormPart } from "../forms/parts/form-part.tsx";
import type { FormPartState } from "../forms/parts/use-form-part.ts";
import { readVersion } from "./read-version.ts";

interface WorkflowInputProps {
  readonly part: FormPartState;
  readonly appId: string;
  /** Empty until one is chosen. */
  readonly workflowId: string;
  /** `latest`, `draft`, an id or a number. */
  readonly version: string;
  /** Key of the input step that runs start at. @default the first one */
  readonly start?: string | null | undefined;
  /** Fields that get their values elsewhere. @default none */
  readonly without?: readonly string[];
  readonly label: string;
  readonly hint?: ReactNode;
}

export function WorkflowInput({
  part,
  appId,
  workflowId,
  version,
  start,
  without = [],
  label,
  hint,
}: WorkflowInputProps) {
  const found = useQuery({
    queryKey: [appId, "workflows", workflowId, "versions", version, "input"],
    queryFn: ({ signal }) => readVersion({ appId, workflowId, version, signal }),
    enabled: workflowId !== "",
    // The form must not change while somebody fills it in.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (workflowId === "") return null;
  if (found.isPending) return <Loading />;
  const data = found.data ?? undefined;
  // Without the version, such as before the first deployment, any values can be written.
  const makeModel = () => (data === undefined ? inputModel({}) : modelOf(data, start, without));
  return (
    <FormPart
      key={`${workflowId} ${data?.id ?? ""} ${start ?? ""}`}
      part={part}
      makeModel={makeModel}
      appId={appId}
      label={label}
      hint={hint}
    />
  );
}

function modelOf(version: Version, start: string | null | undefined, without: readonly string[]) {
  const { input_default: defaults, input_options: options, steps } = version;
  const first = start ?? steps.find(({ type }) => type === "input")?.key ?? null;
  const all = Object.entries(definitionAt(version, first));
  const definition = Object.fromEntries(all.filter(([key]) => !without.includes(key)));
  return inputModel(definition, { defaults, options });
}
