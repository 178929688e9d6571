/**
 * What happens at a start before other runs go on: runs that may have killed the process more than once are tried alone.
 * One trial for each start, so that nobody is held up for longer than it lasts.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Key, Store } from "../../ports/store.ts";
import type { Execution } from "../execution/execution-types.ts";
import { type CulpritSearch, judge, type Verdict } from "./culprit-search.ts";
import type { RunQueue } from "./run-queue.ts";

export interface Quarantine {
  /**
   * Finds out whether anybody is tried; until then no run begins. Rejects when the storage does not answer, and can be
   * called again then.
   */
  plan(): Promise<void>;
  /** Whether {@link plan} has succeeded: saves who creates many runs from waiting for nothing. */
  isPlanned(): boolean;
  /** Tries who is suspected, then lets the others begin. May be called again after it failed. */
  carryOut(): Promise<void>;
  /** A run has made progress, waits or has ended: its trial is over. */
  passed(runId: string): void;
  /** Ends a trial without a result. */
  close(): void;
}

const SEARCH: Key = "runs:culprit-search";

export function createQuarantine(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  queue: RunQueue;
  /** Runs that were taken up at an earlier start and have made no progress since. */
  suspects(): Promise<readonly string[]>;
  /** Brings a run into memory with a slot of its own; null when it has ended, or cannot be read. */
  open(runId: string): Promise<Execution | null>;
  /** Lets such a run go on. */
  begin(execution: Execution): void;
  /** Ends a run as the one that kills the process. */
  convict(runId: string): Promise<void>;
}): Quarantine {
  const { store, clock, logger, queue, suspects, open, begin, convict } = parts;
  let isPlanned = false;
  let isOver = false;
  let isClosed = false;
  let verdict: Verdict | undefined;
  /** Whether there is an earlier search to remove. */
  let isStored = false;
  let isTried = false;
  /** Those on trial that have not passed. */
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

  /** Judged once for each process: the same death must not count twice where a commit has to be repeated. */
  async function decide(): Promise<void> {
    if (verdict === undefined) {
      const before = await store.get<CulpritSearch>(SEARCH);
      isStored = before !== null;
      verdict = judge(before?.document ?? null, await suspects());
    }
    const { convicted, search } = verdict;
    if (convicted !== null) await convict(convicted);
    if (search === null) {
      if (isStored) await put(null);
      finish();
    }
    isPlanned = true;
  }

  async function tryAlone(search: CulpritSearch): Promise<void> {
    const opened = await Promise.all(search.tried.map(async (id) => ({ id, execution: await open(id) })));
    await put(search);
    const { tried, trial_ms, strikes } = search;
    const fields = { tried: tried.length, suspects: search.suspects.length, strikes, trial_ms };
    logger.warn("runs that may have crashed the process are tried first, isolated from other runs", fields);
    const ended = new Promise<void>((resolve) => {
      endTrial = resolve;
    });
    const cancelTimer = clock.after(trial_ms, endTrial);
    for (const { id, execution } of opened) if (execution !== null) onTrial.add(id);
    if (onTrial.size === 0 || isClosed) endTrial();
    for (const { execution } of opened) if (execution !== null) begin(execution);
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
    isPlanned: () => isPlanned,

    async carryOut() {
      await plan();
      const search = verdict?.search ?? null;
      if (isOver || search === null) return;
      if (!isTried) await tryAlone(search);
      isTried = true;
      if (isClosed) return;
      await put({ ...search, isOnTrial: false });
      finish();
    },

    passed(runId) {
      if (onTrial.delete(runId) && onTrial.size === 0) endTrial();
    },

    close() {
      isClosed = true;
      endTrial();
    },
  };
}
