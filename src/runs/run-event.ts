/** The events of a run, as subscribers receive them. */
import * as v from "valibot";
import { jsonValue, list } from "../schema.ts";
import { RunError } from "./run.ts";

const eventFields = {
  /** Id of the run. */
  run_id: v.string(),
} as const;

const stepFields = {
  ...eventFields,
  /** Key of the step. */
  step: v.string(),
} as const;

/** Fields of events that are not stored. */
const transientFields = {
  ...stepFields,
  /** When it happened, ISO 8601. */
  at: v.string(),
} as const;

const itemField = {
  /** With `for_each`: index of the item. */
  item: v.exactOptional(v.number()),
} as const;

/** Fields of events that are stored. */
const storedFields = {
  /**
   * Number of the event, from 1. Numbers ascend, possibly with gaps, and are never reused, so you can resume after any of
   * them. They are the same for every subscriber. A retry continues the numbering: Stepwell publishes the outcomes that
   * the retry keeps under new numbers and no longer delivers the earlier ones.
   */
  id: v.number(),
  /** When it happened, ISO 8601; null for a step that never became ready. */
  at: v.nullable(v.string()),
} as const;

const outputField = {
  /** Output of the step or run. Absent if it is longer than 16 KiB; read the run instead. */
  output: v.exactOptional(jsonValue),
} as const;

const TRANSIENT = [
  v.object({
    /** An attempt of a step started. */
    type: v.literal("step.started"),
    ...transientFields,
    ...itemField,
  }),
  v.object({
    /** A step waits for input, an event or a point in time. May be repeated. */
    type: v.literal("step.waiting"),
    ...transientFields,
  }),
  v.object({
    /**
     * An attempt of a step failed, and another one follows. Attempts of a model's responses and tool calls count as
     * attempts of its step.
     */
    type: v.literal("step.retrying"),
    ...transientFields,
    ...itemField,
    /** Number of the attempt that failed, from 1. */
    attempt: v.number(),
    /** Why it failed. */
    error: RunError,
    /** When the next attempt starts, ISO 8601. */
    next_at: v.string(),
  }),
  v.object({
    /** A step logged lines. */
    type: v.literal("step.log"),
    ...transientFields,
    ...itemField,
    /** New log lines. */
    lines: list(v.string()),
  }),
  v.object({
    /** A model with `features.stream` wrote text. */
    type: v.literal("step.delta"),
    ...transientFields,
    ...itemField,
    /** Next part of the text of a model; append it to the earlier text. */
    text: v.string(),
  }),
] as const;

const STORED = [
  v.object({
    /** A step succeeded. */
    type: v.literal("step.succeeded"),
    ...stepFields,
    ...storedFields,
    ...outputField,
  }),
  v.object({
    /** A step failed. */
    type: v.literal("step.failed"),
    ...stepFields,
    ...storedFields,
    /** Why the step failed. */
    error: RunError,
  }),
  v.object({
    /** A step was skipped. */
    type: v.literal("step.skipped"),
    ...stepFields,
    ...storedFields,
  }),
  v.object({
    /** The run ended before the step did. */
    type: v.literal("step.canceled"),
    ...stepFields,
    ...storedFields,
  }),
  v.object({
    /** The run succeeded. This is its last event. */
    type: v.literal("run.succeeded"),
    ...eventFields,
    ...storedFields,
    ...outputField,
  }),
  v.object({
    /** The run failed. This is its last event. */
    type: v.literal("run.failed"),
    ...eventFields,
    ...storedFields,
    /** Why the run failed. */
    error: RunError,
  }),
  v.object({
    /** The run was canceled. This is its last event. */
    type: v.literal("run.canceled"),
    ...eventFields,
    ...storedFields,
  }),
] as const;

export const TransientRunEvent = v.variant("type", [...TRANSIENT]);
export const RunEvent = v.variant("type", [...TRANSIENT, ...STORED]);

type StoredEvent = Readonly<v.InferOutput<(typeof STORED)[number]>>;
type TransientEvent = Readonly<
  v.InferOutput<(typeof TRANSIENT)[number]> & {
    /** Absent, because the event is not stored. */
    id?: undefined;
  }
>;

/** An event of a run or of one of its steps. `type` determines the other fields. */
export type RunEvent = TransientEvent | StoredEvent;

export function isEnd({ type }: Pick<RunEvent, "type">): boolean {
  return type.startsWith("run.");
}
