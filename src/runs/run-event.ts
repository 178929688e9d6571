/** The events of a run, as subscribers receive them. */
import * as v from "valibot";
import { jsonValue, list } from "../schema.ts";
import { RunError } from "./run.ts";

export const RUN_EVENTS = [
  "step.started",
  "step.waiting",
  "step.log",
  "step.delta",
  "step.succeeded",
  "step.failed",
  "step.skipped",
  "step.canceled",
  "run.succeeded",
  "run.failed",
  "run.canceled",
] as const;

export const RunEvent = v.object({
  /**
   * Number of a stored event, from 1. Numbers ascend, possibly with gaps, and are never reused, so you can resume after
   * any of them. They are the same for every subscriber. A retry continues the numbering: Stepwell publishes the
   * outcomes that the retry keeps under new numbers and no longer delivers the earlier ones. Absent for transient
   * events: `step.started`, `step.waiting`, `step.log` and `step.delta`.
   */
  id: v.exactOptional(v.number()),
  /** Type of the event. */
  type: v.picklist(RUN_EVENTS),
  /** Id of the run. */
  run_id: v.string(),
  /** Key of the step. Only in step events. */
  step: v.exactOptional(v.string()),
  /** With `for_each`: index of the item. Only in `step.started`, `step.log` and `step.delta`. */
  item: v.exactOptional(v.number()),
  /** When it happened, ISO 8601; null for a step that never became ready. */
  at: v.nullable(v.string()),
  /** Output of the step or run that succeeded. Absent if it is longer than 16 KiB; read the run instead. */
  output: v.exactOptional(jsonValue),
  /** Why the step or run failed. */
  error: v.exactOptional(RunError),
  /** New log lines. Only in `step.log`. */
  lines: v.exactOptional(list(v.string())),
  /** Next part of the text of a model; append it to the earlier text. Only in `step.delta`. */
  text: v.exactOptional(v.string()),
});
/** An event of a run or of one of its steps. */
export interface RunEvent extends Readonly<v.InferOutput<typeof RunEvent>> {
  /** Why the step or run failed. */
  readonly error?: RunError;
}

export function isEnd({ type }: RunEvent): boolean {
  return type.startsWith("run.");
}
