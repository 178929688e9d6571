/** Runs for callers: create, read, list, wait for, retry and cancel them. */
import type { Caller } from "../calls/caller.ts";
import { listPage } from "../documents/documents.ts";
import type { Page } from "../documents/pagination.ts";
import { noReceipt, type Receipt } from "../documents/receipt.ts";
import { urlComponent } from "../encoding/url-component.ts";
import { isStepwellError, notFound, type StepwellError } from "../errors.ts";
import type { ExtractContents } from "../files/extract-contents.ts";
import { type JsonObject, omitUndefined, pointer } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Store } from "../ports/store.ts";
import { within } from "../time/within.ts";
import { definitionAt, noInputStep } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import { withChildRuns } from "./child-runs.ts";
import type { PrepareRun } from "./prepare-run.ts";
import { withContents } from "./read-input-files.ts";
import type { CompleteInput } from "./resolve-input.ts";
import {
  type CheckedRunCreate,
  type CheckedRunReplay,
  type CheckedStepTest,
  hasEnded,
  type Run,
  type RunRetry,
  type RunSummary,
  summaryOf,
} from "./run.ts";
import type { RunEvent } from "./run-event.ts";
import type { Executor, InputWait, NewRun, RetryOptions } from "./run-executor.ts";
import type { RunTrigger } from "./run-labels.ts";
import { isRunId, isSelected, type RunsQuery, rowsOf } from "./run-query.ts";
import { appRuns, runKey, workflowRuns } from "./run-rows.ts";
import { triggeredBy } from "./triggered-by.ts";

/** Whether an error is about a document, not about the storage that contains it. */
const isAboutFile = (error: unknown): error is StepwellError =>
  isStepwellError(error, "too_large") || isStepwellError(error, "unsupported_media_type");

/** Id of the run that `replayOnce` starts for a key. */
export const replayedId = (hash: Hash, key: string) => `run_${hash.sha256(key).slice(0, 26)}`;

export interface Runs {
  /** Validates the input, stores the run and starts it. */
  create(
    appId: string,
    workflowId: string,
    input: CheckedRunCreate,
    trigger: RunTrigger,
    receipt: Receipt,
  ): Promise<Run>;
  /**
   * Starts a run of one step of the draft, with given outputs in place of the steps before it.
   * @throws StepwellError `not_found` for an unknown step; `invalid` for a step that cannot be tested or is invalid
   */
  testStep(
    appId: string,
    workflowId: string,
    stepKey: string,
    test: CheckedStepTest,
    caller: Caller,
    receipt: Receipt,
  ): Promise<Run>;
  /** @throws StepwellError `not_found` */
  get(appId: string, runId: string): Promise<Run>;
  /** Lists the runs of the app that match the query. */
  list(appId: string, query: RunsQuery): Promise<Page<RunSummary>>;
  /**
   * Returns the run when it has ended, or as it is when the time is up.
   * @param timeout Milliseconds. @default no limit
   */
  wait(appId: string, runId: string, timeout?: number, signal?: AbortSignal): Promise<Run>;
  /**
   * The events after the one with this number, past and future, until the run has ended.
   * @throws StepwellError `not_found`
   */
  events(appId: string, runId: string, after?: number, signal?: AbortSignal): Promise<AsyncGenerator<RunEvent>>;
  /**
   * Retries a failed or canceled run from where it stopped. Completed steps are not executed again.
   * @throws StepwellError `conflict` for a run in another status, or if executed steps differ on the other version;
   * `invalid` for an unknown step, or input that the other version does not accept
   */
  retry(appId: string, runId: string, retry: RunRetry): Promise<Run>;
  /** Starts a new run with the same input or another, on the same version or another. */
  replay(appId: string, runId: string, input: CheckedRunReplay, caller: Caller, receipt: Receipt): Promise<Run>;
  /**
   * Starts a new run with the same input on the same version, unless a call with the same key has started it.
   * @param key Decides the id of the new run.
   */
  replayOnce(appId: string, runId: string, key: string, trigger: RunTrigger): Promise<void>;
  /** Cancels a run. Does not change a run that has ended. */
  cancel(appId: string, runId: string): Promise<Run>;
  /**
   * Deletes an ended run with its outputs.
   * @throws StepwellError `conflict` if it has not ended, or its parent has not
   */
  remove(appId: string, runId: string): Promise<void>;
  /**
   * Provides a waiting input step with its values, which resumes the run.
   * @param options.wait The wait that the values are for. @default the current one
   * @param options.keepsNull Whether null for an optional field counts, instead of its default. @default false
   * @throws StepwellError `conflict` if no such step is waiting; `invalid` with every invalid field
   */
  provide(appId: string, runId: string, stepKey: string, values: JsonObject, options?: ProvideOptions): Promise<Run>;
}

export interface ProvideOptions {
  readonly wait?: InputWait;
  readonly keepsNull?: boolean;
}

export function createRuns(parts: {
  store: Store;
  clock: Clock;
  hash: Hash;
  executor: Executor;
  prepare: PrepareRun;
  completeInput: CompleteInput;
  fileContents: ExtractContents;
  findVersion(versionId: string): Promise<Version | null>;
  versionForRun(appId: string, workflowId: string, version: string): Promise<Version>;
  versionForStepTest(
    appId: string,
    workflowId: string,
    stepKey: string,
    outputs: NonNullable<CheckedStepTest["steps"]>,
  ): Promise<Version>;
  /** @throws StepwellError `not_found` */
  requireWorkflow(appId: string, workflowId: string): Promise<unknown>;
}): Runs {
  const { store, clock, hash, executor, prepare, completeInput, fileContents, findVersion, requireWorkflow } = parts;
  const { versionForRun, versionForStepTest } = parts;

  async function summary(appId: string, runId: string): Promise<RunSummary> {
    const found = await store.get<RunSummary>(runKey(runId));
    if (found === null || found.document.app_id !== appId) throw notFound("run", runId);
    return found.document;
  }

  /** The input step that a run started at, and how its input was read, for a replay. */
  async function startOf(
    runId: string,
  ): Promise<{ readonly step_key: string | undefined; readonly keepsNull: boolean }> {
    const found = await store.get<{ start: string | null; keeps_null?: boolean }>(runKey(runId));
    return { step_key: found?.document.start ?? undefined, keepsNull: found?.document.keeps_null === true };
  }

  async function prepareReplay(
    appId: string,
    runId: string,
    { input: given, version, from_step }: CheckedRunReplay,
    trigger: RunTrigger,
  ): Promise<NewRun> {
    if (from_step !== undefined && given !== undefined) {
      throw invalid([
        {
          pointer: "/from_step",
          message: "Must not be combined with input: the kept outcomes depend on the original input.",
        },
      ]);
    }
    const { workflow_id, workflow_version_id, tags, metadata } = await summary(appId, runId);
    const input = given ?? (await get(appId, runId)).input;
    const { step_key, keepsNull } = await startOf(runId);
    const create = { ...omitUndefined({ input, version: version ?? workflow_version_id, step_key }), tags, metadata };
    const prepared = await prepare(appId, workflow_id, create, trigger, {
      keepsNull: keepsNull && given === undefined,
    });
    return from_step === undefined ? prepared : { ...prepared, continues: { run_id: runId, from_step } };
  }

  /** Checks the input of a run again, for another version. */
  async function inputOn(appId: string, runId: string, wanted: string): Promise<RetryOptions["on"]> {
    const { workflow_id } = await summary(appId, runId);
    const { input } = await executor.get(runId);
    const version = await versionForRun(appId, workflow_id, wanted);
    const defaults = version.input_default ?? {};
    const { step_key = null, keepsNull } = await startOf(runId);
    const definition = definitionAt(version, step_key);
    const advice = "Upload the file again, and start a new run.";
    const { values } = await completeInput({ appId, definition, given: input, defaults, advice, keepsNull });
    return { version, values };
  }

  /** A search for an id reads the run itself. */
  async function pageOfOne(appId: string, runId: string, query: RunsQuery): Promise<Page<RunSummary>> {
    const found = await store.get<RunSummary>(runKey(runId));
    const { page, take, workflow_id = found?.document.workflow_id } = query;
    const isFound =
      found?.document.app_id === appId &&
      found.document.workflow_id === workflow_id &&
      isSelected(found.document, query);
    return { items: isFound && page === 1 ? [summaryOf(found.document)] : [], page, take, more: false };
  }

  async function get(appId: string, runId: string): Promise<Run> {
    await summary(appId, runId);
    return withChildRuns(store, await executor.get(runId));
  }

  return {
    create: async (appId, workflowId, input, trigger, receipt) =>
      executor.start(await prepare(appId, workflowId, input, trigger), receipt),

    async testStep(appId, workflowId, stepKey, { input = {}, steps = {} }, caller, receipt) {
      const version = await versionForStepTest(appId, workflowId, stepKey, steps);
      const trigger = { ...triggeredBy(caller), type: "test" } as const;
      return executor.start(await prepare(appId, workflowId, { input }, trigger, { version }), receipt);
    },

    get,

    async list(appId, query) {
      const { page, take, page_token, workflow_id, search } = query;
      if (workflow_id !== undefined) await requireWorkflow(appId, workflow_id);
      const list = workflow_id === undefined ? appRuns(appId) : workflowRuns(workflow_id);
      if (isRunId(search)) return pageOfOne(appId, search, query);
      const rows = { page, take, page_token, search, ...rowsOf(query) };
      return listPage<RunSummary, RunSummary>(store, list, rows, runKey, summaryOf);
    },

    async wait(appId, runId, timeout, signal) {
      if (!executor.isInMemory(appId, runId)) {
        const { status } = await summary(appId, runId);
        if (hasEnded(status)) return get(appId, runId);
      }
      const run = await within(clock, timeout, signal, (until) => executor.waitForEnd(runId, until));
      return run === null ? get(appId, runId) : withChildRuns(store, run);
    },

    async events(appId, runId, after = 0, signal) {
      await summary(appId, runId);
      return executor.events(runId, after, signal);
    },

    async retry(appId, runId, { version, from_step }) {
      await summary(appId, runId);
      const on = version === undefined ? undefined : await inputOn(appId, runId, String(version));
      await executor.retry(runId, { on, from_step });
      return get(appId, runId);
    },

    replay: async (appId, runId, replay, caller, receipt) =>
      executor.start(await prepareReplay(appId, runId, replay, triggeredBy(caller, runId)), receipt),

    async replayOnce(appId, runId, key, trigger) {
      const prepared = await prepareReplay(appId, runId, {}, trigger);
      const id = replayedId(hash, key);
      try {
        await executor.start({ ...prepared, id, hasDerivedId: true }, noReceipt);
      } catch (error) {
        if (!isStepwellError(error, "conflict") || error.key !== runKey(id)) throw error;
      }
    },

    async cancel(appId, runId) {
      await summary(appId, runId);
      await executor.cancel(runId);
      return get(appId, runId);
    },

    async remove(appId, runId) {
      await summary(appId, runId);
      await executor.remove(runId);
    },

    async provide(appId, runId, stepKey, values, { wait, keepsNull = false } = {}) {
      const { workflow_version_id } = await summary(appId, runId);
      const version = await findVersion(workflow_version_id);
      const step = version?.steps.find(({ key }) => key === stepKey);
      if (step?.type !== "input") throw noInputStep(version, stepKey);
      const defaults = version?.input_default ?? {};
      const advice = "Provide the value after the upload.";
      const complete = await completeInput({
        appId,
        definition: step.input,
        given: values,
        defaults,
        advice,
        base: [],
        keepsNull,
      });
      const key = `${runId}/${urlComponent(stepKey)}`;
      const read = withContents(step.input, complete.values, async (fileId, request, path) => {
        try {
          return await fileContents({ appId, fileId, request, key });
        } catch (error) {
          throw isAboutFile(error) ? invalid([{ pointer: pointer(path), message: error.message }]) : error;
        }
      });
      await executor.provide(runId, stepKey, await read, wait);
      return get(appId, runId);
    },
  };
}
