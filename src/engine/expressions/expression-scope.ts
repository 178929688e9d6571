/** The variables of expressions and templates. */
import type { JsonObject, JsonValue } from "../../json.ts";
import type { RunMetadata, RunTrigger } from "../../runs/run-labels.ts";
import type { ItemError, StepFailure } from "../../runs/run-step.ts";

/** A settled step as other steps see it, in expressions and in code. */
export interface VisibleStep {
  readonly status: string;
  readonly output: JsonValue;
  /** Why it failed, or null. */
  readonly error: VisibleError | null;
  /** With `for_each`: why items failed, in the order of the items. */
  readonly errors?: readonly ItemError[];
  readonly attempts: number;
  /** ISO 8601, or null for a step that was never reached. */
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** The error of a step, with what its type adds. */
export interface VisibleError extends StepFailure {
  readonly attempts: number;
}

export interface ExpressionScope {
  /** The input of the run. */
  readonly input: JsonObject;
  /**
   * Settled steps by key, without a prototype because users choose the keys. Contains only steps that settle before
   * this one in every run, so that the result doesn't depend on timing (engine/compile/visible-steps.ts).
   */
  readonly steps: Readonly<Record<string, VisibleStep>>;
  readonly run: {
    readonly id: string;
    readonly workflow_id: string;
    readonly version: number;
    readonly trigger: RunTrigger;
    readonly tags: readonly string[];
    readonly metadata: RunMetadata;
  };
  readonly app: { readonly id: string; readonly name: string };
  /** When the step became ready. The same after a crash. */
  readonly now: Date;
  /** Number of the iteration, from 1. Only in a step with a loop. */
  readonly iteration?: number;
  /** Output of the previous iteration, or null in the first. Only in a step with a loop. */
  readonly previous?: JsonValue;
  /** The item. Only in a step with `for_each`. */
  readonly item?: JsonValue;
  /** Its index, from 0. Only in a step with `for_each`. */
  readonly index?: number;
  /** Why the step failed. Only in the condition of a catch route. */
  readonly error?: VisibleError;
  /** An event that has arrived. Only in a condition for events. */
  readonly event?: JsonValue;
  /** Values of `auto` fields that a model has provided, in the order of the fields. */
  readonly auto?: readonly JsonValue[];
  /** Output of the current iteration. Only in the expression of a loop. */
  readonly output?: JsonValue;
}

/** What doesn't depend on the progress of a run. */
export type BaseScope = Omit<ExpressionScope, "steps" | "now">;

/** Variables of every expression, besides `now`. */
const NAMES = ["input", "steps", "run", "app"] as const;
/** Further variables, by where an expression stands. */
const VARIABLES = {
  anywhere: [],
  loop: ["iteration", "previous", "output"],
  for_each: ["item", "index"],
  on_error: ["error"],
  event: ["event"],
  start_on: ["event"],
} as const;

/** Where an expression stands. */
export type Place = keyof typeof VARIABLES;

/** The variables of an expression, besides `now`. Where a workflow starts on an event, there is no run yet. */
export const namesAt = (place: Place): readonly string[] =>
  place === "start_on" ? VARIABLES[place] : [...NAMES, ...VARIABLES[place]];
