/** Runs in depth for callers: their steps, the items of these, and expressions that are evaluated on a run. */
import type { Page } from "../../documents/pagination.ts";
import { notFound } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import type { Store } from "../../ports/store.ts";
import { withChildRuns } from "../child-runs.ts";
import type { Run, RunSummary } from "../run.ts";
import type { Executor } from "../run-executor.ts";
import { runKey } from "../run-rows.ts";
import type { RunEvaluate, RunEvaluation } from "./evaluation.ts";
import type { StepSelection } from "./run-inspector.ts";
import type { StepDetails, StepPart, StepPartsQuery } from "./step-details.ts";

export interface Inspections {
  /** @throws StepwellError `not_found` for an unknown run, step, item or repetition */
  step(appId: string, runId: string, stepKey: string, selection: StepSelection): Promise<StepDetails>;
  /** None of a step that is executed once. @throws StepwellError `not_found` */
  parts(appId: string, runId: string, stepKey: string, query: StepPartsQuery): Promise<Page<StepPart>>;
  /** @throws StepwellError `not_found` */
  output(appId: string, runId: string, stepKey: string, selection: Pick<StepSelection, "item">): Promise<JsonValue>;
  /** @throws StepwellError `not_found`; `conflict` if the version of the run no longer exists */
  evaluate(appId: string, runId: string, given: RunEvaluate): Promise<RunEvaluation>;
  /** The run without values that are longer than this as JSON, in bytes. @throws StepwellError `not_found` */
  preview(appId: string, runId: string, bytes: number): Promise<Run>;
}

export function createInspections({ store, executor }: { store: Store; executor: Executor }): Inspections {
  const { inspector } = executor;

  async function check(appId: string, runId: string): Promise<void> {
    const found = await store.get<RunSummary>(runKey(runId));
    if (found === null || found.document.app_id !== appId) throw notFound("run", runId);
  }

  return {
    async step(appId, runId, stepKey, selection) {
      await check(appId, runId);
      const details = await inspector.step(runId, stepKey, selection);
      const [child_runs] = await childRunsOf(appId, details);
      return child_runs === undefined ? details : { ...details, child_runs };
    },
    async parts(appId, runId, stepKey, query) {
      await check(appId, runId);
      return inspector.parts(runId, stepKey, query);
    },
    async output(appId, runId, stepKey, selection) {
      await check(appId, runId);
      return inspector.output(runId, stepKey, selection);
    },
    async evaluate(appId, runId, given) {
      await check(appId, runId);
      return inspector.evaluate(runId, given);
    },
    async preview(appId, runId, bytes) {
      await check(appId, runId);
      return withChildRuns(store, await inspector.preview(runId, bytes));
    },
  };

  async function childRunsOf(appId: string, { run_id: id, input: _, ...step }: StepDetails) {
    const { steps } = await withChildRuns(store, { id, app_id: appId, steps: [step] });
    return steps.map(({ child_runs }) => child_runs);
  }
}
