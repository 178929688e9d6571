/** A version that is ready to run. Types only. */
import type { JsonValue } from "../../json.ts";
import type { Step } from "../../workflows/step.ts";
import type { Executable } from "../execution/step-context.ts";
import type { Evaluate } from "../expressions/cel.ts";
import type { Pace } from "../expressions/event-loop-pace.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import type { Spending } from "../expressions/operation-budget.ts";
import type { StepPolicies } from "./compile-policies.ts";
import type { RunGraph } from "./visible-steps.ts";

/** A step that is ready to run. */
export interface CompiledStep {
  readonly step: Step;
  /** The step's key, percent-encoded for use in an HTTP header. */
  readonly headerKey: string;
  readonly executable: Executable;
  /** Indexes of the other steps whose results this step reads in runs from this start, in version order. */
  reads(graph: RunGraph): readonly number[];
  readonly policies: StepPolicies;
  /** Evaluates to whether the step runs. */
  readonly conditional: Evaluate | undefined;
  /** Evaluates to whether the loop is finished. The iterations of a run share one budget. */
  readonly loop: ((scope: ExpressionScope, earlier: Spending) => JsonValue) | undefined;
}

/** A version as seen by a run that starts at a given input step. */
export interface Plan {
  readonly graph: RunGraph;
  readonly steps: readonly CompiledStep[];
  /** Indexes of the steps without destinations that produce output. The run's output consists of theirs. */
  readonly leaves: readonly number[];
  /** Such steps that only catch routes lead to. Their outputs count only if they ran. */
  readonly caughtLeaves: readonly number[];
  /** Decides when evaluation yields to the event loop. */
  readonly pace: Pace;
}
