/**
 * Before other runs resume, tries half of the runs that may have crashed the process more than once, isolated from all
 * others. Each start runs at most one trial, so other runs wait no longer than one trial lasts.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Key, Store } from "../../ports/store.ts";
import { runKey } from "../../runs/run-rows.ts";
import type { Execution } from "../execution/execution-types.ts";
import type { RunRegistry } from "../run-registry.ts";
import { crashMessage } from "../state/crash-message.ts";
import { readJournal } from "../state/read-journal.ts";
import type { Replay } from "../state/replay.ts";
import { isEnded, type RunDocument } from "../state/run-document.ts";
import { getRun } from "../state/run-snapshot.ts";
import { type CulpritSearch, MAX_STRIKES, nextSearch, type SearchDecision } from "./culprit-search.ts";
import type { EndAsFailed } from "./end-as-failed.ts";
import type { ExecuteRuns } from "./execute-runs.ts";
import type { RunQueue } from "./run-queue.ts";
import { findSuspects } from "./suspects.ts";

export interface Quarantine {
  /**
   * Decides whether runs are tried. No run begins before this resolves. Rejects if the storage doesn't answer; call it
   * again then.
   */
  plan(): Promise<void>;
  /** {@link plan}, or null once it has finished: awaiting a promise for each of many runs would cost time. */
  untilPlanned(): Promise<void> | null;
  /** Tries the suspects, then lets other runs begin. May be called again after a failure. */
  runTrial(): Promise<void>;
  /** Ends a run's trial because the run has stored an outcome or left memory. */
  endTrialOf(runId: string): void;
  /** Ends the trial without a result. */
  close(): void;
}

/** In a cluster, suspects are tried one at a time by each worker (src/engine/placement/run-jobs.ts). */
export const NO_QUARANTINE: Quarantine = {
  plan: async () => undefined,
  untilPlanned: () => null,
  runTrial: async () => undefined,
  endTrialOf: () => undefined,
  close: () => undefined,
};

const CRASHES = `The process crashed ${MAX_STRIKES} times while this run was the only active one and made no progress.`;
const SEARCH: Key = "runs:culprit-search";

export function createQuarantine(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  queue: RunQueue;
  runs: RunRegistry;
  replay: Replay;
  endAsFailed: EndAsFailed;
  execute: ExecuteRuns["execute"];
}): Quarantine {
  const { store, clock, logger, queue, runs, replay, endAsFailed, execute } = parts;
  let isPlanned = false;
  let isOver = false;
  let isClosed = false;
  let decision: SearchDecision | undefined;
  /** Whether the storage holds an earlier search that must be removed. */
  let isStored = false;
  let isTried = false;
  /** IDs of the runs on trial that have not passed yet. */
  const onTrial = new Set<string>();
  let endTrial = () => {};
  let planning: Promise<void> | undefined;
  queue.pause();

  async function put(search: CulpritSearch | null): Promise<void> {
    const found = await store.get<CulpritSearch>(SEARCH);
    await store.commit([{ key: SEARCH, document: search, expected: found?.version ?? null }]);
  }

  function plan(): Promise<void> {
    planning ??= decide().catch((error: unknown) => {
      planning = undefined;
      throw error;
    });
    return planning;
  }

  /** Decides once per process. If a commit must be repeated, the same crash must not count twice. */
  async function decide(): Promise<void> {
    if (decision === undefined) {
      const before = await store.get<CulpritSearch>(SEARCH);
      isStored = before !== null;
      decision = nextSearch(before?.document ?? null, await findSuspects(store, replay));
    }
    const { culprit, search } = decision;
    if (culprit !== null) await failCulprit(culprit);
    if (search === null) {
      if (isStored) await put(null);
      finish();
    }
    isPlanned = true;
  }

  /**
   * Loads a run while no other run may begin, in a slot that the limits do not count. A run that cannot be read is resumed later.
   */
  async function loadAlone(runId: string): Promise<Execution | null> {
    let execution: Execution | null = null;
    try {
      runs.setQueueEntry(runId, queue.enterWithSlot((await getRun(store, runId)).document));
      execution = await runs.load(runId);
    } catch (error) {
      logger.warn("could not isolate a suspect run", { run: runId, error });
    }
    if (execution === null) runs.releaseSlot(runId);
    return execution;
  }

  async function failCulprit(runId: string): Promise<void> {
    const found = await store.get<RunDocument>(runKey(runId));
    if (found === null || isEnded(found.document)) return;
    const journal = await readJournal(store, runId);
    const replayed = await replay.run(found.document, journal.entries);
    if (!replayed.ok) return endAsFailed(found, journal, replayed.error);
    const error = { code: "poison_run", message: crashMessage(replayed, CRASHES) };
    await endAsFailed(found, journal, error, replayed);
  }

  async function tryAlone(search: CulpritSearch): Promise<void> {
    const opened = await Promise.all(search.tried.map(async (id) => ({ id, execution: await loadAlone(id) })));
    await put(search);
    const { tried, trial_ms, strikes } = search;
    const fields = { tried: tried.length, suspects: search.suspects.length, strikes, trial_ms };
    logger.warn("retrying runs that may have crashed the process, isolated from other runs", fields);
    const ended = new Promise<void>((resolve) => {
      endTrial = resolve;
    });
    const cancelTimer = clock.after(trial_ms, endTrial);
    for (const { id, execution } of opened) if (execution !== null) onTrial.add(id);
    if (onTrial.size === 0 || isClosed) endTrial();
    for (const { execution } of opened) if (execution !== null) execute(execution);
    await ended;
    cancelTimer();
    onTrial.clear();
  }

  function finish(): void {
    isOver = true;
    queue.resume();
  }

  return {
    plan,
    untilPlanned: () => (isPlanned || isClosed ? null : plan()),

    async runTrial() {
      await plan();
      const search = decision?.search ?? null;
      if (isOver || search === null) return;
      if (!isTried) await tryAlone(search);
      isTried = true;
      if (isClosed) return;
      await put({ ...search, isOnTrial: false });
      finish();
    },

    endTrialOf(runId) {
      if (onTrial.delete(runId) && onTrial.size === 0) endTrial();
    },

    close() {
      isClosed = true;
      endTrial();
    },
  };
}
