/**
 * Executes the rules of a record: starts a run of each rule's workflow, and writes its result to the record.
 *
 * Pending results are stored with the record, and a run is stored in the same commit as its id in the result. So each rule
 * runs once per evaluation, wherever a process ends. Another write or the deletion of the record ends the evaluation.
 */

import { rowIds, updateDocument } from "../../../documents/documents.ts";
import { isStepwellError } from "../../../errors.ts";
import { type JsonObject, omitUndefined } from "../../../json.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Hash } from "../../../ports/hash.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { Change, Store, Stored } from "../../../ports/store.ts";
import { createSemaphore, type Semaphore } from "../../../queues/semaphore.ts";
import { createSerialQueue, type RunSerially } from "../../../queues/serial-queue.ts";
import type { PrepareRun } from "../../../runs/prepare-run.ts";
import type { Run } from "../../../runs/run.ts";
import type { Executor } from "../../../runs/run-executor.ts";
import type { Background } from "../../../time/background.ts";
import { instant } from "../../../time/iso.ts";
import { atMoment } from "../../../time/system-clock.ts";
import { MINUTE_MS } from "../../../time/units.ts";
import type { Collection } from "../../collection.ts";
import type { Rule } from "../../rule.ts";
import { type CollectionRecord, isPending, type RecordDocument, type StoredResult } from "../record.ts";
import { EVALUATING_LIST, evaluatingRow, recordKey } from "../record-rows.ts";
import { createRetryWhileQueueIsFull } from "./retry-while-queue-is-full.ts";
import { createBasisOf } from "./rule-basis.ts";
import { EXECUTION_ORDER, errorOutcome, outcomeOf, type RuleOutcome, refusedOutcome } from "./rule-result.ts";

export interface RuleRunner {
  /** Executes the pending rules of a record, unless that is in progress. Resolves when none is pending. Never rejects. */
  evaluate(document: RecordDocument): Promise<void>;
  /** Resumes the work of earlier processes. */
  resume(): Promise<void>;
  /** Starts no more rules. Resolves when current evaluations have stopped. Their runs continue. */
  stop(): Promise<void>;
}

/** Time limit of a rule's workflow. A slower run is canceled. */
const RULE_TIMEOUT_MS = 10 * MINUTE_MS;
/** Maximum nesting of rules whose workflows write records with rules. Deeper nesting means that a rule triggers itself. */
const MAX_DEPTH = 16;
/**
 * Records of an app on one level whose rules run at once. An import can leave more than fit into memory. Rules wait only for
 * those of records on deeper levels, so no turn waits for itself.
 */
const RECORDS_AT_ONCE = 1_000;

/** The evaluation that results belong to. If the record has another one, they are discarded. */
type Evaluation = Pick<RecordDocument, "id" | "evaluation">;

export function createRuleRunner(parts: {
  store: Store;
  clock: Clock;
  hash: Pick<Hash, "sha256">;
  logger: Logger;
  background: Background;
  prepare: PrepareRun;
  executor: Pick<Executor, "start" | "waitForEnd" | "get" | "cancel">;
  /** @throws StepwellError `not_found` */
  getCollection(appId: string, collectionId: string): Promise<Collection>;
  /** The record as input for the workflows of rules. */
  view(document: RecordDocument): Promise<CollectionRecord>;
}): RuleRunner {
  const { store, clock, hash, logger, background, prepare, executor, getCollection, view } = parts;
  const evaluations = new Map<string, Promise<void>>();
  /** By app and level. */
  const turns = new Map<string, Semaphore>();
  const stopping = new AbortController();
  const retryWhileQueueIsFull = createRetryWhileQueueIsFull({ clock, stopping: stopping.signal });

  /** Null if the record has another evaluation or was deleted. */
  function ifCurrent(found: Stored<RecordDocument> | null, { evaluation }: Evaluation): Stored<RecordDocument> | null {
    return found?.document.evaluation === evaluation ? found : null;
  }
  const find = async (of: Evaluation) => ifCurrent(await store.get<RecordDocument>(recordKey(of.id)), of);

  function withResult(document: RecordDocument, key: string, change: Partial<StoredResult>): RecordDocument {
    const changed = ({ superseded_run_id: _canceled, ...result }: StoredResult) => ({ ...result, ...change });
    return { ...document, rule_results: document.rule_results.map((one) => (one.key === key ? changed(one) : one)) };
  }

  function resultChange(
    { document, version }: Stored<RecordDocument>,
    key: string,
    result: Partial<StoredResult>,
  ): Change {
    const after = withResult(document, key, result);
    const rows = isPending(after) ? [] : [evaluatingRow(after)];
    return { key: recordKey(document.id), document: after, expected: version, rows };
  }

  const basisOf = ({ data }: RecordDocument, rule: Rule) =>
    omitUndefined({ basis: createBasisOf(data, hash.sha256)(rule) });

  const finish = (of: Evaluation, key: string, outcome: RuleOutcome & Pick<StoredResult, "basis">) =>
    updateDocument<RecordDocument, void>(store, recordKey(of.id), (found) => {
      const now = ifCurrent(found, of);
      const finished = { ...outcome, finished_at: instant(clock.now()) };
      // Another process of a cluster may evaluate the record, too, and be faster.
      const isOpen = now?.document.rule_results.find((one) => one.key === key)?.result === "PENDING";
      return { changes: now === null || !isOpen ? [] : [resultChange(now, key, finished)], result: undefined };
    });

  /** If the rule was changed after its run started, its result has no basis, so that the next write runs it again. */
  function withCurrentBasis(document: RecordDocument, result: StoredResult, rule: Rule): StoredResult {
    const { basis = "" } = basisOf(document, rule);
    return (result.basis ?? "") === basis ? result : { ...result, basis: "" };
  }

  /** The result with its run; null if there is nothing to wait for. */
  async function startUnlessStarted(of: Evaluation, rule: Rule): Promise<StoredResult | null> {
    for (;;) {
      const found = await find(of);
      const result = found?.document.rule_results.find(({ key }) => key === rule.key);
      if (found === null || result?.result !== "PENDING") return null;
      if (result.run_id !== null) return withCurrentBasis(found.document, result, rule);
      try {
        return await start(found, rule);
      } catch (error) {
        if (isStepwellError(error, "conflict") && error.key === recordKey(of.id)) continue;
        if (isTransient(error)) throw error;
        const outcome = refusedOutcome(error);
        if (outcome.error?.code === "internal")
          logger.error("could not run a rule", { record: of.id, rule: rule.key, error });
        await finish(of, rule.key, outcome);
        return null;
      }
    }
  }

  async function start(found: Stored<RecordDocument>, rule: Rule): Promise<StoredResult | null> {
    const { document } = found;
    if (document.nesting.depth >= MAX_DEPTH) {
      const message = `Rules whose workflows write records must not be nested deeper than ${MAX_DEPTH} levels.`;
      await finish(document, rule.key, errorOutcome("depth_limit", message));
      return null;
    }
    const record: JsonObject = JSON.parse(JSON.stringify(await view(document))); // a plain copy for the run
    const create = {
      version: rule.workflow_use_latest ? "latest" : (rule.workflow_version_id ?? "latest"),
      input: { ...rule.workflow_input_default, record },
      ...omitUndefined({ step_key: rule.step_key }),
    };
    const prepared = await prepare(document.app_id, rule.workflow_id, create, { type: "rule", id: document.id });
    const { nesting } = document;
    const started = {
      run_id: prepared.id,
      started_at: instant(clock.now()),
      nesting: { ...nesting, root_run_id: nesting.root_run_id ?? prepared.id },
      ...basisOf(document, rule),
    };
    const after = withResult(document, rule.key, started);
    await executor.start({ ...prepared, nesting }, () => [
      { key: recordKey(document.id), document: after, expected: found.version },
    ]);
    return after.rule_results.find(({ key }) => key === rule.key) ?? null;
  }

  /** The run when it has ended; null if it took too long and was canceled. */
  async function waitForRun(runId: string, until: number): Promise<Run | null> {
    const time = new AbortController();
    const disarm = atMoment(clock, until, () => time.abort());
    try {
      const run = await executor.waitForEnd(runId, AbortSignal.any([time.signal, stopping.signal]));
      return run ?? (await executor.get(runId));
    } catch (error) {
      if (!time.signal.aborted && clock.now() < until) throw error;
      await executor.cancel(runId);
      // It may have ended in time, although no message of that arrived.
      const run = await executor.get(runId);
      return run.finished_at !== null && Date.parse(run.finished_at) < until ? run : null;
    } finally {
      disarm();
    }
  }

  async function runRule(of: Evaluation, rule: Rule, inTurn: RunSerially): Promise<void> {
    const pending = await retryWhileQueueIsFull(() => inTurn(() => startUnlessStarted(of, rule)));
    if (pending === null || pending.run_id === null || pending.started_at === null) return;
    const outcome = await waitForOutcome(pending.run_id, Date.parse(pending.started_at) + RULE_TIMEOUT_MS, rule);
    await inTurn(() => finish(of, rule.key, { ...outcome, ...omitUndefined({ basis: pending.basis }) }));
  }

  async function waitForOutcome(runId: string, until: number, rule: Rule): Promise<RuleOutcome> {
    try {
      const run = await waitForRun(runId, until);
      if (run !== null) return outcomeOf(rule, run);
      return errorOutcome(
        "timeout",
        `The rule took longer than ${RULE_TIMEOUT_MS / MINUTE_MS} minutes. Its run was canceled.`,
      );
    } catch (error) {
      if (isStepwellError(error, "not_found")) return errorOutcome(error.code, error.message);
      throw error;
    }
  }

  /** Retries while the storage does not respond, until stopped. */
  function retryUntilStopped(act: () => Promise<void>): Promise<void> {
    const unlessStopping = async () => {
      try {
        if (!stopping.signal.aborted) await act();
      } catch (error) {
        if (!stopping.signal.aborted) throw error;
      }
    };
    return background.retryUntilDone("record rules", unlessStopping).done;
  }

  async function rulesOf({ app_id, collection_id }: RecordDocument): Promise<readonly Rule[]> {
    try {
      return (await getCollection(app_id, collection_id)).config.rules;
    } catch (error) {
      if (isStepwellError(error, "not_found")) return []; // the app was deleted
      throw error;
    }
  }

  async function runPendingRules(of: Evaluation): Promise<void> {
    const document = (await find(of))?.document;
    if (document === undefined) return;
    const rules = await rulesOf(document);
    const known = new Set(rules.map(({ key }) => key));
    // All rules of a record write to its one document: of several concurrent writes, all but one would be repeated.
    const runSerially = createSerialQueue();
    for (const { key } of document.rule_results.filter((one) => one.result === "PENDING" && !known.has(one.key))) {
      await finish(document, key, errorOutcome("not_found", "The rule was removed from the collection."));
    }
    const outdated = document.rule_results.flatMap(({ superseded_run_id = [] }) => superseded_run_id);
    await Promise.all(outdated.map(cancelRun));
    for (const group of EXECUTION_ORDER) {
      const here = rules.filter((rule) => rule.execution_order === group);
      await Promise.all(here.map((rule) => retryUntilStopped(() => runRule(document, rule, runSerially))));
    }
  }

  async function cancelRun(runId: string): Promise<void> {
    try {
      await executor.cancel(runId);
    } catch (error) {
      if (!isStepwellError(error, "not_found")) throw error;
    }
  }

  function turnsOf({ app_id, nesting }: RecordDocument): Semaphore {
    const key = `${app_id}/${nesting.depth}`;
    const known = turns.get(key) ?? createSemaphore(RECORDS_AT_ONCE);
    turns.set(key, known);
    return known;
  }

  function evaluate(document: RecordDocument): Promise<void> {
    if (!isPending(document) || stopping.signal.aborted) return Promise.resolve();
    const { id, evaluation } = document;
    const which = `${id}/${evaluation}`;
    let running = evaluations.get(which);
    if (running === undefined) {
      // The document is read when its turn comes: only its id stays in memory.
      const run = () => retryUntilStopped(() => runPendingRules({ id, evaluation }));
      running = turnsOf(document)
        .run(run)
        .finally(() => {
          evaluations.delete(which);
          if (evaluations.size === 0) turns.clear();
        });
      evaluations.set(which, running);
    }
    return running;
  }

  return {
    evaluate,

    async resume() {
      for await (const id of rowIds(store, EVALUATING_LIST)) {
        const found = await store.get<RecordDocument>(recordKey(id));
        if (found !== null) void evaluate(found.document);
      }
    },

    async stop() {
      stopping.abort();
      await Promise.all(evaluations.values());
    },
  };
}

/** Whether the storage does not respond or the queue is full. */
function isTransient(error: unknown): boolean {
  return isStepwellError(error, "unavailable") || isStepwellError(error, "too_many_requests");
}
