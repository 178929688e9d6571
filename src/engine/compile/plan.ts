import type { Step } from "../../workflows/step.ts";
import type { Executable } from "../execution/step-context.ts";
import type { Evaluate } from "../expressions/cel.ts";
import type { Pace } from "../expressions/event-loop-pace.ts";
import type { RunGraph } from "./visible-steps.ts";

/** A version that is ready to run. Types only. */
export interface CompiledStep {
  readonly step: Step;
  /** Its key as it can stand in a header. */
  readonly headerKey: string;
  readonly executable: Executable;
  /** Places of the other steps whose results it reads in runs from this start, in the order of the version. */
  reads(graph: RunGraph): readonly number[];
  /** Whether the step is on. */
  readonly conditional: Evaluate | undefined;
  /** Whether it has repeated often enough. */
  readonly loop: Evaluate | undefined;
}

/** A version as a run that starts at a certain input step sees it. */
export interface Plan {
  readonly graph: RunGraph;
  readonly steps: readonly CompiledStep[];
  /** Steps that lead nowhere and give something: what a run's output is made of. */
  readonly leaves: readonly number[];
  /** Of its expressions. */
  readonly pace: Pace;
}
