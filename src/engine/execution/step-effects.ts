/** What steps may use: the guarded fetch, the sandbox, files of their app, and runs of other workflows. */

import type { OpenConnection } from "../../connections/connections.ts";
import { noReceipt } from "../../documents/receipt.ts";
import { isStepwellError } from "../../errors.ts";
import type { ExtractContents } from "../../files/extract-contents.ts";
import type { ReadFile } from "../../files/read-file.ts";
import { isRecord, type JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Logger } from "../../ports/logger.ts";
import type { DescribeWorkflow } from "../../runs/describe-workflow.ts";
import type { PrepareRun } from "../../runs/prepare-run.ts";
import type { Run } from "../../runs/run.ts";
import type { Executor, NewRun } from "../../runs/run-executor.ts";
import type { ActionContext } from "../../services/service.ts";
import type { Background } from "../../time/startup-tasks.ts";
import type { ChildCall, Effects } from "../compile/step-kind.ts";
import { hiddenCause, STOPPED, StepError } from "../step-error.ts";
import { childFailure } from "../steps/child-failure.ts";
import { type RetryOptions, retryWhileUnavailable } from "./retry-storage.ts";

/** Runs within runs; more is a workflow that calls itself. */
const MAX_RUN_DEPTH = 16;

export function createEffects(parts: {
  executor: Executor;
  background: Background;
  clock: Clock;
  logger: Logger;
  prepare: PrepareRun;
  hash: Hash;
  fetch: GuardedFetch;
  fileContents: ExtractContents;
  readFile: ReadFile;
  describeWorkflow: DescribeWorkflow;
  getWorkflow(appId: string, workflowId: string): Promise<{ readonly name: string }>;
  openConnection: OpenConnection;
  stepwell(depth: number): ActionContext["stepwell"];
}): Effects {
  const {
    executor,
    background,
    clock,
    logger,
    prepare,
    hash,
    fetch,
    fileContents,
    readFile,
    describeWorkflow,
    getWorkflow,
    openConnection,
  } = parts;

  async function prepareChild({ attempt, workflow_id, version, input, step_key }: ChildCall): Promise<NewRun> {
    if (attempt.depth >= MAX_RUN_DEPTH) {
      throw new StepError("depth_limit", `Workflows must not be nested deeper than ${MAX_RUN_DEPTH} levels.`);
    }
    const prepared = await prepare(attempt.app_id, workflow_id, {
      version,
      input: isRecord(input) ? input : {},
      ...(step_key === undefined ? {} : { step_key }),
    });
    const id = `run_${hash.sha256(attempt.idempotencyKey).slice(0, 26)}`;
    const { run_id, root_run_id, depth } = attempt;
    return { ...prepared, id, parent: { run_id, root_run_id, depth: depth + 1 } };
  }

  /**
   * The id follows from the step, so that a step that runs again finds the child that it started: before a crash, or
   * just now, when the storage took the child and could not say so any more.
   */
  async function startChild(child: NewRun): Promise<void> {
    try {
      await executor.start(child, noReceipt);
    } catch (error) {
      if (!isStepwellError(error, "conflict")) throw error;
      await executor.takeUp(child.id);
    }
  }

  async function child(call: ChildCall): Promise<JsonValue> {
    const { run_id, signal } = call.attempt;
    const failed = (error: unknown) => logger.warn("could not read a child run; retrying", { run: run_id, error });
    const patience: RetryOptions = { clock, isInHurry: () => signal.aborted, failed };

    const prepared = await retryWhileUnavailable(() => prepareChild(call), patience);
    await retryWhileUnavailable(async () => {
      signal.throwIfAborted();
      await startChild(prepared);
    }, patience);
    try {
      await retryWhileUnavailable(() => executor.ended(prepared.id, signal), patience);
    } catch (error) {
      const isUnwanted = signal.aborted && signal.reason !== STOPPED;
      if (isUnwanted) void background.keepTrying("child runs", () => executor.cancel(prepared.id));
      throw error;
    }
    const run = await retryWhileUnavailable(() => executor.get(prepared.id), patience);
    if (run.status === "succeeded") return run.output;
    throw childFailure(await nameOf(run), run);
  }

  /** Also of a workflow that is gone by now. */
  async function nameOf({ app_id, workflow_id }: Run): Promise<string> {
    try {
      return (await getWorkflow(app_id, workflow_id)).name;
    } catch {
      return workflow_id; // a failure is told in any case
    }
  }

  function logCause(runId: string, stepError: StepError): void {
    const error = hiddenCause(stepError);
    if (error !== null) logger.warn("an attempt of a step failed because of the storage", { run: runId, error });
  }

  const { stepwell } = parts;
  const now = () => clock.now();
  return { now, fetch, fileContents, readFile, describeWorkflow, openConnection, child, logCause, stepwell };
}
