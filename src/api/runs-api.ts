/** The functions of `stepwell.runs`. */
import type { Page } from "../documents/pagination.ts";
import type { Job } from "../jobs/job.ts";
import type { JsonInputObject } from "../json.ts";
import type { RunEvaluate, RunEvaluation } from "../runs/inspection/evaluation.ts";
import type { RunQuery, StepDetails, StepPart, StepPartStatus, StepQuery } from "../runs/inspection/step-details.ts";
import type { Run, RunCreate, RunReplay, RunRetry, RunSummary, StepTest } from "../runs/run.ts";
import type { RunEvent } from "../runs/run-event.ts";
import type { RunLink, RunLinkCreate } from "../runs/run-links.ts";
import type {
  AllOptions,
  FollowOptions,
  ListOptions,
  RunListOptions,
  RunsBulkOptions,
  WaitOptions,
  WorkflowRunListOptions,
} from "./list-options.ts";

/** Selects one page of the items or repetitions of a step. */
export interface StepPartListOptions extends ListOptions {
  /** Only those in this status, or in one of several. @default all */
  status?: StepPartStatus | readonly StepPartStatus[];
}

/** Runs of workflows. */
export interface RunsApi {
  /**
   * Validates the input and starts a run. Resolves once the run is stored and survives crashes.
   * @param input `version` defaults to the latest version, `input` to an empty object.
   * @throws StepwellError `conflict` if the workflow has no deployed version; `too_many_requests` if the queue is full
   * (`limits.queuedRuns`); `invalid` with a JSON Pointer for each invalid input field
   */
  create(appId: string, workflowId: string, input?: RunCreate): Promise<Run>;
  /**
   * Starts a run that executes one step of the draft. Earlier steps are not executed: their outputs come from `steps`,
   * else from `pinned` in the draft, else they are null. The rest of the draft may be invalid.
   * @throws StepwellError `not_found` for an unknown step; `invalid` for a note, an input step, an invalid step, and
   * outputs of steps that don't run before it
   * @example
   * ```ts
   * const run = await stepwell.runs.testStep(app.id, workflow.id, "total", { steps: { fetch: { output: { prices: [1, 2] } } } });
   * const { output, error } = await stepwell.runs.wait(app.id, run.id);
   * ```
   */
  testStep(appId: string, workflowId: string, stepKey: string, input?: StepTest): Promise<Run>;
  /** Lists the runs of an app, newest first by default, without input, output and steps. */
  list(appId: string, options?: RunListOptions): Promise<Page<RunSummary>>;
  /**
   * Iterates over all runs, as {@link list} lists them, page by page.
   * @example `for await (const run of stepwell.runs.listAll(app.id, { status: "failed" })) console.log(run.id, run.error)`
   */
  listAll(appId: string, options?: AllOptions<RunListOptions>): AsyncIterable<RunSummary>;
  /** Lists the runs of one workflow, newest first by default, without input, output and steps. */
  listOfWorkflow(appId: string, workflowId: string, options?: WorkflowRunListOptions): Promise<Page<RunSummary>>;
  /** Iterates over all runs of a workflow, as {@link listOfWorkflow} lists them, page by page. */
  listAllOfWorkflow(
    appId: string,
    workflowId: string,
    options?: AllOptions<WorkflowRunListOptions>,
  ): AsyncIterable<RunSummary>;
  /**
   * Returns a run with the current state of its steps.
   * @param options `preview`: bytes. Inputs, outputs, logs and lists of errors that are longer as JSON are left out;
   * `output_bytes` says how long they are.
   * @example `const run = await stepwell.runs.get(app.id, id, { preview: 16_384 })`
   */
  get(appId: string, runId: string, options?: RunQuery): Promise<Run>;
  /**
   * Returns a step of a run in depth: what it got, its last attempts, and the conditions that decided how the run went on.
   * The input is computed from what is stored, without credentials.
   * @param options `item`: index of an item of `for_each` or a repetition of `loop`. `preview`: bytes of JSON, at which the
   * input and the output are cut.
   * @throws StepwellError `not_found` for an unknown step, item or repetition
   * @example `const { input, latest_attempts } = await stepwell.runs.getStep(app.id, run.id, "fetch", { preview: 262_144 })`
   */
  getStep(appId: string, runId: string, stepKey: string, options?: StepQuery): Promise<StepDetails>;
  /**
   * Lists the items of a step with `for_each`, or the repetitions of one with `loop`, in their order. A step that is executed
   * once has none.
   * @throws StepwellError `not_found` for an unknown step
   * @example `const { items } = await stepwell.runs.listItems(app.id, run.id, "each", { status: "failed" })`
   */
  listItems(appId: string, runId: string, stepKey: string, options?: StepPartListOptions): Promise<Page<StepPart>>;
  /** Iterates over all items or repetitions, as {@link listItems} lists them, page by page. */
  listAllItems(
    appId: string,
    runId: string,
    stepKey: string,
    options?: AllOptions<StepPartListOptions>,
  ): AsyncIterable<StepPart>;
  /**
   * Evaluates a CEL expression, a template with `{{ }}`, or several of them on what a run has stored. Changes nothing. An
   * expression that is invalid or fails resolves with `error`; `error.invalid` tells which.
   * @param input `before_step`: the step whose variables it has. `item`: an item or repetition of that step. `expressions`:
   * several at once, each with its `place` in the step; `results` has their results.
   * @throws StepwellError `not_found` for an unknown step; `conflict` if the version of the run no longer exists
   * @example `const { value } = await stepwell.runs.evaluate(app.id, run.id, { expression: "steps.fetch.output.total > 100" })`
   */
  evaluate(appId: string, runId: string, input: RunEvaluate): Promise<RunEvaluation>;
  /**
   * Waits until the run has succeeded, failed or been canceled, or until `timeoutMs`, and returns it. A run that waits
   * for input has not ended: set `timeoutMs`, or follow `events` until `step.waiting`.
   * @throws StepwellError `unavailable` if the instance closes first; the run resumes at the next start
   */
  wait(appId: string, runId: string, options?: WaitOptions): Promise<Run>;
  /**
   * Iterates over the events of a run: first the past ones, then new ones as they happen, until the run has ended.
   * @example `for await (const event of stepwell.runs.events(app.id, run.id)) console.log(event.type, event.step)`
   */
  events(appId: string, runId: string, options?: FollowOptions): AsyncIterable<RunEvent>;
  /**
   * Retries a failed or canceled run from where it stopped. Completed steps are not re-executed.
   * @param input `version`: another version to continue on. `from_step`: the step to re-execute, with all steps after
   * it.
   * @example `await stepwell.runs.retry(app.id, run.id, { version: "latest" })`
   * @throws StepwellError `conflict` for a run in another status, or if executed steps differ in the other version;
   * `invalid` for an unknown step; `too_many_requests` if the queue is full
   */
  retry(appId: string, runId: string, input?: RunRetry): Promise<Run>;
  /**
   * Starts a new run with the same tags and metadata.
   * @param input `input` and `version` default to those of the run. With `from_step`, the new run keeps the outcomes of
   * the steps before it.
   * @throws StepwellError as {@link create}
   */
  replay(appId: string, runId: string, input?: RunReplay): Promise<Run>;
  /**
   * Starts a job that retries, replays, cancels or deletes many runs. It survives restarts and handles each run once.
   * @param input `filter` selects runs as {@link list} does; `ids` are the runs themselves. Without both, `all` must be true.
   * @example `const job = await stepwell.runs.bulk(app.id, { action: "retry", filter: { status: ["failed"] } })`
   * @throws StepwellError `invalid` for an empty filter; `not_found` for an unknown workflow; `too_many_requests` for
   * more than 20 running jobs of the app
   */
  bulk(appId: string, input: RunsBulkOptions): Promise<Job>;
  /** Cancels a run. Does not change a run that has ended. */
  cancel(appId: string, runId: string): Promise<Run>;
  /**
   * Deletes an ended run with its outputs.
   * @throws StepwellError `conflict` if the run or its parent run has not ended
   */
  remove(appId: string, runId: string): Promise<void>;
  /**
   * Provides the values that a waiting input step needs. The run resumes.
   * @param values Values by the names of the step's input fields.
   * @throws StepwellError `conflict` if the step is not waiting; `invalid` with a JSON Pointer for each invalid value
   */
  provide(appId: string, runId: string, stepKey: string, values: JsonInputObject): Promise<Run>;
  /**
   * Creates a read-only link through which a browser follows the run without an API key: the statuses of the run and
   * its steps, as JSON or as server-sent events. With `output: true`, it also shows the output of the run.
   * @param input `expires_in` is in seconds, by default 604,800 (7 days).
   * @example `const { url } = await stepwell.runs.createLink(app.id, run.id, { expires_in: 3_600 })`
   */
  createLink(appId: string, runId: string, input?: RunLinkCreate): Promise<RunLink>;
  /** Revokes a link. */
  removeLink(appId: string, runId: string, linkId: string): Promise<void>;
}
