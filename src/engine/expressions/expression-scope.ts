/** What expressions and templates see. */
import type { JsonObject, JsonValue } from "../../json.ts";
import type { RunError } from "../../runs/run.ts";

/** A step that has settled, as other steps see it: the same in expressions and in code. */
export interface SeenStep {
  readonly status: string;
  readonly output: JsonValue;
  readonly error: RunError | null;
  readonly attempts: number;
  /** ISO 8601; null for a step that was never reached. */
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export interface ExpressionScope {
  /** The input of the run. */
  readonly input: JsonObject;
  /**
   * By key, without a prototype: keys are the users'. Only steps that settle before this one in every run, so that what
   * a step sees does not depend on timing; see {@link file://./compile/visible-steps.ts}.
   */
  readonly steps: Readonly<Record<string, SeenStep>>;
  readonly run: { readonly id: string; readonly workflow_id: string; readonly version: number };
  readonly app: { readonly id: string; readonly name: string };
  /** When the step became ready: the same again after a crash. */
  readonly now: Date;
  /** In a step with a loop: which repetition this is, from 1. */
  readonly iteration?: number;
  /** In a step with a loop: what the repetition before gave, null in the first. */
  readonly previous?: JsonValue;
  /** What a model has filled in of the step, in the order of its places. */
  readonly auto?: readonly JsonValue[];
  /** In the expression of a loop: what this repetition gave. */
  readonly output?: JsonValue;
}

export const NAMES = ["input", "steps", "run", "app"] as const;
export const LOOP_NAMES = ["iteration", "previous", "output"] as const;
