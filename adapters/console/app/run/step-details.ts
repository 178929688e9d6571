/** The details of a step of a run. Of a long value, only its start is read. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type JsonValue, omitUndefined } from "../../../../src/json.ts";
import type { StepDetails } from "../../../../src/runs/inspection/step-details.ts";
import type { RunStep } from "../../../../src/runs/run-step.ts";
import { client } from "../server/client.ts";
import { useShownRun } from "./run-context.ts";

/** Bytes of JSON of a value that are read at first. */
export const PREVIEW_BYTES = 262_144;

/** A value, or the start of one. */
export interface LoadedValue {
  readonly value: JsonValue;
  /** The start of a value that was left out, as JSON. A value that was left out has at least its length. */
  readonly preview?: string | undefined;
  readonly bytes?: number | undefined;
}

type Output = Pick<StepDetails, "output" | "output_preview" | "output_bytes">;

export const outputOf = ({ output, output_preview, output_bytes }: Output): LoadedValue => ({
  value: output,
  preview: output_preview,
  bytes: output_bytes,
});

type Input = Pick<StepDetails, "input" | "input_preview" | "input_bytes">;

export const inputOf = ({ input, input_preview, input_bytes }: Input): LoadedValue => ({
  value: input,
  preview: input_preview,
  bytes: input_bytes,
});

/** A step, or one of its items or repetitions. */
const partKey = (appId: string, runId: string, key: string, item: number | null) =>
  [appId, "runs", runId, "steps", key, item] as const;

/** @param item Index of an item or a repetition; null for the whole step. */
export function stepDetailsQuery(appId: string, runId: string, step: RunStep, item: number | null) {
  const { key, status, attempts, finished_at } = step;
  return queryOptions({
    // The details change with these only.
    queryKey: [...partKey(appId, runId, key, item), status, attempts, finished_at],
    queryFn: ({ signal }) =>
      client
        .with({ signal })
        .runs.getStep(appId, runId, key, omitUndefined({ item: item ?? undefined, preview: PREVIEW_BYTES })),
    staleTime: 60_000,
    retry: false,
  });
}

export function useStepDetails(step: RunStep, item: number | null, enabled = true) {
  const { appId, live } = useShownRun();
  const shown = partKey(appId, live.run.id, step.key, item);
  return useQuery({
    ...stepDetailsQuery(appId, live.run.id, step, item),
    enabled,
    // While the state of the same part changes, what was read of it stays.
    placeholderData: (before, query) => (shown.every((part, at) => part === query?.queryKey[at]) ? before : undefined),
  });
}
