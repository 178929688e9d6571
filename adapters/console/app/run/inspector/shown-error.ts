/** The error that is shown of a step, or of its chosen item, and the line of code that it names. */
import type { RunStep, StepFailure } from "../../../../../src/runs/run-step.ts";
import { useShownRun } from "../run-context.ts";
import { useStepDetails } from "../step-details.ts";

/** Null if there is none, or it has not been read yet. */
export function useShownError(step: RunStep): { readonly error: StepFailure | null; readonly isLoading: boolean } {
  const { at } = useShownRun();
  const { data: details, isLoading } = useStepDetails(step, at, at !== null);
  if (at === null) return { error: step.error ?? step.errors?.[0] ?? null, isLoading: false };
  const error = details?.error ?? step.errors?.find(({ index }) => index === at) ?? null;
  return { error, isLoading: isLoading && error === null };
}

/** As the sandbox says it, behind what the code has thrown. */
const PLACE = /\(line (\d{1,9})(?:, column \d{1,9})?\)/g;

/** Line of the code of the step, from 1. Null if the message names none. */
export function failedLine({ code, message }: Pick<StepFailure, "code" | "message">): number | null {
  if (code !== "code_failed" && code !== "code_limit") return null;
  const line = [...message.matchAll(PLACE)].at(-1)?.[1];
  return line === undefined ? null : Number(line);
}
