/** What happens in a run, as its subscribers receive it. */
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
   * Counts what has happened for good, from 1: the same numbers again for whoever follows later. Left out for what only
   * passes by: a start, a wait, a line of a log, a piece of a text.
   */
  id: v.exactOptional(v.number()),
  type: v.picklist(RUN_EVENTS),
  run_id: v.string(),
  /** Its key; on events of steps only. */
  step: v.exactOptional(v.string()),
  /** When it happened; null for a step that never became ready. */
  at: v.nullable(v.string()),
  /** Of what succeeded; left out when it is longer than 16 KiB: read the run then. */
  output: v.exactOptional(jsonValue),
  error: v.exactOptional(RunError),
  /** Of `step.log`. */
  lines: v.exactOptional(list(v.string())),
  /** Of `step.delta`: what a model has just written, to be put behind what it wrote before. */
  text: v.exactOptional(v.string()),
});
export type RunEvent = Readonly<v.InferOutput<typeof RunEvent>>;

export function isEnd({ type }: RunEvent): boolean {
  return type.startsWith("run.");
}
