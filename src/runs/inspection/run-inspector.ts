/** What the engine tells about the steps of a run. Types only. */
import type { Page } from "../../documents/pagination.ts";
import type { JsonValue } from "../../json.ts";
import type { Run } from "../run.ts";
import type { RunEvaluate, RunEvaluation } from "./evaluation.ts";
import type { StepDetails, StepPart, StepPartsQuery } from "./step-details.ts";

/** A part of a step, and how much of it to show. */
export interface StepSelection {
  readonly item?: number | undefined;
  readonly preview?: number | undefined;
}

export interface RunInspector {
  /** @throws StepwellError `not_found` for an unknown step, item or repetition */
  step(runId: string, stepKey: string, selection: StepSelection): Promise<StepDetails>;
  /** None of a step that is executed once. @throws StepwellError `not_found` for an unknown step */
  parts(runId: string, stepKey: string, query: StepPartsQuery): Promise<Page<StepPart>>;
  /** The whole output. @throws StepwellError as {@link RunInspector.step} */
  output(runId: string, stepKey: string, selection: Pick<StepSelection, "item">): Promise<JsonValue>;
  /** @throws StepwellError `not_found` for an unknown step; `conflict` if the version no longer exists */
  evaluate(runId: string, given: RunEvaluate): Promise<RunEvaluation>;
  /** The run without what is longer than this as JSON, in bytes. */
  preview(runId: string, bytes: number): Promise<Run>;
}
