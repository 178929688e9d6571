/** Moments at which something is to be looked at: rows of a list, and one timer for the earliest. Nothing polls. */

import { rowIds } from "../documents/documents.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { RowChange, Store } from "../ports/store.ts";
import { instant } from "./iso.ts";
import { atMoment } from "./system-clock.ts";

export interface DurableTimers {
  /** To be called when a row with this moment (ISO 8601) is stored. */
  set(due: string): void;
  /**
   * Looks at what fell due while no process was there, and waits for the next. Rejects when that could not be read; it is
   * tried again soon all the same.
   */
  start(): Promise<void>;
  /** Nothing falls due after this; settles when what is being looked at was. */
  stop(): Promise<void>;
}

const RETRY_INTERVAL_MS = 10_000;

/** The row to commit with what is to be looked at; null when it is not any more. */
export function dueRow(list: string, id: string, due: string | null): RowChange {
  return due === null ? { list, take: id } : { list, put: { id, order: due } };
}

export function createDurableTimers(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  /** Of the rows; a list of its own for each kind of thing. */
  list: string;
  /** The moment of a row (a list is ordered by moments and does not tell them); null when it has none any more. */
  dueOf(id: string): Promise<string | null>;
  /** Called for each whose moment has come: takes its row away or moves it. What rejects is tried again soon. */
  onDue(id: string): Promise<void>;
}): DurableTimers {
  const { store, clock, logger, list, dueOf, onDue } = parts;
  let armed: string | undefined;
  let cancel = () => {};
  let isStopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let failure: unknown;

  function arm(due: string): void {
    if (isStopped || (armed !== undefined && armed <= due)) return;
    cancel();
    armed = due;
    cancel = atMoment(clock, Date.parse(due), () => void runRound());
  }

  /** Rounds come one after the other; gives whether this one read what was due. */
  function runRound(): Promise<boolean> {
    const next = running.then(round);
    running = next;
    return next;
  }

  async function round(): Promise<boolean> {
    armed = undefined;
    const until = clock.now();
    try {
      for await (const id of rowIds(store, list, { until: instant(until) })) {
        if (isStopped) return true;
        await handle(id);
      }
      await armNext(until);
      return true;
    } catch (error) {
      failure = error;
      retryLater(error);
      return false;
    }
  }

  /** One that cannot be looked at does not keep the others waiting. */
  async function handle(id: string): Promise<void> {
    try {
      await onDue(id);
    } catch (error) {
      retryLater(error);
    }
  }

  function retryLater(error: unknown): void {
    logger.warn("could not read due timers; retrying soon", { list, error });
    arm(instant(clock.now() + RETRY_INTERVAL_MS));
  }

  /** @param looked Up to when everything was looked at just now: what comes behind that has its turn, also if it is due by now. */
  async function armNext(looked: number): Promise<void> {
    for await (const id of rowIds(store, list)) {
      const due = await dueOf(id);
      // What was looked at is in front still where that failed, or where somebody else is just storing what comes of it.
      if (due !== null && Date.parse(due) > looked) return arm(due);
    }
  }

  return {
    set: arm,
    async start() {
      if (!(await runRound())) throw failure;
    },
    async stop() {
      isStopped = true;
      cancel();
      await running;
    },
  };
}
