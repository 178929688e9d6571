/** A run without its long values. Those of an ended run that are documents of their own are not read. */
import { type JsonValue, omitUndefined } from "../../json.ts";
import type { Run } from "../../runs/run.ts";
import { summaryOf } from "../../runs/run.ts";
import type { RunStep } from "../../runs/run-step.ts";
import { charsOf, isLargeValue } from "../state/large-values.ts";
import type { StoredStep } from "../state/run-document.ts";
import { showEnded } from "../state/run-view.ts";
import type { InspectedRun, InspectRun } from "./inspected-run.ts";

export function createPreviewRun(inspect: InspectRun) {
  return async (runId: string, limit: number): Promise<Run> => {
    const run = await inspect(
      runId,
      (_plan, _keys, steps) => steps.flatMap((step, index) => (isLonger(step, limit) ? [] : [index])),
      // The results of items say how many there are.
      (_plan, steps) =>
        steps.flatMap((step, index) => (hasItems(step) && isLonger(step, limit) ? [{ index, limit }] : [])),
    );
    return run.progress === null ? endedPreview(run, limit) : openPreview(run, limit);
  };
}

const hasItems = ({ has_items }: StoredStep) => has_items === true;

/** Whether an output, or the results of items, need not be read as a whole. */
const isLonger = ({ output }: StoredStep, limit: number): boolean =>
  isLargeValue(output) && (output.chars ?? 0) > limit;

/** The length of an output that was not read. */
function unreadChars(run: InspectedRun, index: number, limit: number): number | undefined {
  const { [index]: step } = run.document.steps ?? [];
  if (step === undefined || !isLonger(step, limit)) return undefined;
  if (hasItems(step)) return run.start(index)?.bytes;
  return isLargeValue(step.output) ? step.output.chars : undefined;
}

function openPreview(run: InspectedRun, limit: number): Run {
  const { document, keys } = run;
  const steps = keys.map((_, index) => cutStep(run.shown(index), limit, undefined));
  return { ...summaryOf(document), trigger: document.trigger, ...cutInput(document.input, limit), output: null, steps };
}

function endedPreview(inspected: InspectedRun, limit: number): Run {
  const { document, shown } = inspected;
  const { steps: stored = [], leaves = [] } = document;
  const unread = stored.map((_, index) => unreadChars(inspected, index, limit));
  const whole = stored.map((_, index) => shown(index));
  const run = showEnded(
    { ...document, steps: stored.map(({ has_items: _, ...step }) => step) },
    whole.map(({ output }) => output),
  );
  const unreadOutput = leaves.reduce((sum, index) => sum + (unread[index] ?? 0), 0);
  const outputBytes = run.status === "succeeded" ? unreadOutput || charsOf(run.output) : 0;
  const isCut = outputBytes > limit;
  return {
    ...run,
    ...cutInput(run.input, limit),
    ...(isCut ? { output: null, output_bytes: outputBytes } : undefined),
    steps: whole.map((step, index) => cutStep(step, limit, unread[index])),
  };
}

function cutInput(input: Run["input"], limit: number): Pick<Run, "input" | "input_bytes"> {
  const bytes = charsOf(input);
  return bytes > limit ? { input: {}, input_bytes: bytes } : { input };
}

/** @param unread Length of an output that was not read. */
function cutStep({ logs, log_parts, errors, ...step }: RunStep, limit: number, unread: number | undefined): RunStep {
  const bytes = unread ?? charsOf(step.output);
  const hasLogs = logs === undefined || logs.reduce((sum, line) => sum + line.length, 0) <= limit;
  const hasErrors = errors === undefined || charsOf(errors as unknown as JsonValue) <= limit; // lists of JSON
  const omitted = [...(hasLogs ? [] : ["logs" as const]), ...(hasErrors ? [] : ["errors" as const])];
  return {
    ...step,
    ...(bytes > limit ? { output: null, output_bytes: bytes } : undefined),
    ...omitUndefined({
      logs: hasLogs ? logs : undefined,
      log_parts: hasLogs ? log_parts : undefined,
      errors: hasErrors ? errors : undefined,
      omitted: omitted.length === 0 ? undefined : omitted,
    }),
  };
}
