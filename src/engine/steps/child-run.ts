/** Runs a workflow within a step of another run and waits for its output. */
import { noReceipt } from "../../documents/receipt.ts";
import { isStepwellError } from "../../errors.ts";
import { isRecord, omitUndefined } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Logger } from "../../ports/logger.ts";
import { createSemaphore } from "../../queues/semaphore.ts";
import type { PrepareRun } from "../../runs/prepare-run.ts";
import { hasEnded, type Run } from "../../runs/run.ts";
import type { Executor, NewRun } from "../../runs/run-executor.ts";
import type { Background } from "../../time/background.ts";
import { atMoment } from "../../time/system-clock.ts";
import { type RetryOptions, retryWhileUnavailable } from "../execution/retry-storage.ts";
import type { ChildCall, Effects } from "../execution/step-context.ts";
import { isInstance, STOPPED, StepError, timeoutError } from "../step-error.ts";
import { childFailure } from "./child-failure.ts";

/** Maximum nesting depth of runs. Deeper nesting is usually a workflow that calls itself. */
const MAX_RUN_DEPTH = 16;
/**
 * Child runs of all runs that are started at once. A hundred runs with a hundred items each would otherwise start 10,000 in
 * one turn of the event loop.
 */
const CHILDREN_AT_ONCE = 16;

export function createRunChild(parts: {
  executor: Executor;
  background: Background;
  clock: Clock;
  logger: Logger;
  prepare: PrepareRun;
  hash: Hash;
  getWorkflow(appId: string, workflowId: string): Promise<{ readonly name: string }>;
}): Effects["runChild"] {
  const { executor, background, clock, logger, prepare, hash, getWorkflow } = parts;

  const starts = createSemaphore(CHILDREN_AT_ONCE);

  const idOf = (idempotencyKey: string) => `run_${hash.sha256(idempotencyKey).slice(0, 26)}`;

  /** The child of an attempt that took too long may still be executing. */
  async function cancelEarlierChild({ run_id, previousKey }: ChildCall["attempt"]): Promise<void> {
    if (previousKey !== undefined) await executor.cancelChild(run_id, idOf(previousKey));
  }

  async function prepareChild({ attempt, workflow_id, version, input, step_key }: ChildCall): Promise<NewRun> {
    if (attempt.depth >= MAX_RUN_DEPTH) {
      throw new StepError("depth_limit", `Workflows must not be nested deeper than ${MAX_RUN_DEPTH} levels.`);
    }
    const { run_id, root_run_id, depth, step_key: step } = attempt;
    const create = { version, input: isRecord(input) ? input : {}, ...omitUndefined({ step_key }) };
    const prepared = await prepare(attempt.app_id, workflow_id, create, { type: "workflow", id: run_id, step });
    const id = idOf(attempt.idempotencyKey);
    return { ...prepared, id, parent: { run_id, root_run_id, depth: depth + 1 } };
  }

  /**
   * Starts the child, or resumes it if it exists. The ID is derived from the step, so a step that is executed again
   * finds its child. The child exists after a crash, or if the storage stored it without acknowledging.
   */
  async function startChild(child: NewRun): Promise<Run> {
    try {
      return await executor.start(child, noReceipt);
    } catch (error) {
      if (!isStepwellError(error, "conflict")) throw error;
      await executor.resume(child.id);
      return executor.get(child.id);
    }
  }

  /**
   * Resolves when the child has ended. Its time limit counts from its creation, also while its parent is not in memory.
   * @throws StepError `timeout`
   */
  async function untilEnded(
    { id, created_at }: Run,
    attempt: ChildCall["attempt"],
    options: RetryOptions,
  ): Promise<Run> {
    const { timeoutMs, signal } = attempt;
    const until = Number.isFinite(timeoutMs) ? Date.parse(created_at) + timeoutMs : undefined;
    attempt.awaitChild({ run_id: id, until });
    const timeUp = new AbortController();
    const cancelTimer =
      until === undefined ? () => {} : atMoment(clock, until, () => timeUp.abort(timeoutError(timeoutMs)));
    const both = until === undefined ? signal : AbortSignal.any([signal, timeUp.signal]);
    try {
      const ended = await retryWhileUnavailable(() => executor.waitForEnd(id, both), options);
      return ended ?? (await retryWhileUnavailable(() => executor.get(id), options));
    } finally {
      cancelTimer();
    }
  }

  /** Works even if the workflow has been deleted. */
  async function nameOf({ app_id, workflow_id }: Run): Promise<string> {
    try {
      return (await getWorkflow(app_id, workflow_id)).name;
    } catch {
      return workflow_id; // the ID is enough to report the failure
    }
  }

  return async (call) => {
    const { attempt } = call;
    const { run_id, signal } = attempt;
    const options: RetryOptions = {
      clock,
      isStopped: () => signal.aborted,
      onFailure: (error) => logger.warn("could not read a child run; retrying", { run: run_id, error }),
    };
    await retryWhileUnavailable(() => cancelEarlierChild(call.attempt), options);
    const prepared = await retryWhileUnavailable(() => prepareChild(call), options);
    attempt.openChild(prepared.id);
    const run = await start()
      .then((child) => (hasEnded(child.status) ? child : untilEnded(child, call.attempt, options)))
      .catch(cancelUnneeded);
    attempt.closeChild(prepared.id);
    if (run.status === "succeeded") return run.output;
    throw childFailure(await nameOf(run), run);

    async function start(): Promise<Run> {
      try {
        return await retryWhileUnavailable(
          () =>
            starts.run(async () => {
              signal.throwIfAborted();
              return startChild(prepared);
            }),
          options,
        );
      } catch (error) {
        if (!signal.aborted) attempt.closeChild(prepared.id); // refused, so it was not stored
        throw error;
      }
    }

    function cancelUnneeded(error: unknown): never {
      const isUnneeded = signal.aborted ? signal.reason !== STOPPED : isInstance(error, StepError);
      if (isUnneeded) {
        const canceled = background.retryUntilDone("child runs", () => executor.cancelChild(run_id, prepared.id));
        void canceled.done.then(() => attempt.closeChild(prepared.id));
      }
      throw error;
    }
  };
}
