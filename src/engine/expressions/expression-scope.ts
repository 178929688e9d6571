/** The variables of expressions and templates. */
import type { JsonObject, JsonValue } from "../../json.ts";
import type { RunError } from "../../runs/run.ts";

/** A settled step as other steps see it, in expressions and in code. */
export interface VisibleStep {
  readonly status: string;
  readonly output: JsonValue;
  readonly error: RunError | null;
  readonly attempts: number;
  /** ISO 8601, or null for a step that was never reached. */
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export interface ExpressionScope {
  /** The input of the run. */
  readonly input: JsonObject;
  /**
   * Settled steps by key, without a prototype because users choose the keys. Contains only steps that settle before
   * this one in every run, so that the result doesn't depend on timing. See {@link file://./compile/visible-steps.ts}.
   */
  readonly steps: Readonly<Record<string, VisibleStep>>;
  readonly run: { readonly id: string; readonly workflow_id: string; readonly version: number };
  readonly app: { readonly id: string; readonly name: string };
  /** When the step became ready. The same after a crash. */
  readonly now: Date;
  /** Number of the iteration, from 1. Only in a step with a loop. */
  readonly iteration?: number;
  /** Output of the previous iteration, or null in the first. Only in a step with a loop. */
  readonly previous?: JsonValue;
  /** Values of `auto` fields that a model has provided, in the order of the fields. */
  readonly auto?: readonly JsonValue[];
  /** Output of the current iteration. Only in the expression of a loop. */
  readonly output?: JsonValue;
}

export const NAMES = ["input", "steps", "run", "app"] as const;
export const LOOP_NAMES = ["iteration", "previous", "output"] as const;
