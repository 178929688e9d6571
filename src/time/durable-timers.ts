/**
 * Timers that survive restarts: rows of a list, and an alarm for the earliest. It is a timer of this process, or in a
 * cluster a delayed job, which wakes any of the workers.
 */

import { rowIds } from "../documents/documents.ts";
import { omitUndefined } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { RowChange, Store } from "../ports/store.ts";
import { instant } from "./iso.ts";
import { atMoment } from "./system-clock.ts";

export interface DurableTimers {
  /** Call this when a row with this time (ISO 8601) has been stored. */
  set(due: string): void;
  /**
   * Handles timers that became due while no process was running, and sets the next. Rejects if they could not be read,
   * but still retries soon.
   */
  start(): Promise<void>;
  /** Fires no further timers. Resolves when the current handler has finished. */
  stop(): Promise<void>;
}

const RETRY_INTERVAL_MS = 10_000;

/** Wakes one of several processes when a timer of a list may be due. */
export interface Alarms {
  /** Sets what wakes up. @param ring Handles due timers. Another process may do so at the same time. */
  onRing(list: string, ring: () => Promise<void>): void;
  /** @param due ISO 8601 */
  set(list: string, due: string): void;
}

/**
 * Returns the row to commit with a timer's subject, or its removal if `due` is null.
 * @param marks What the timers of the list can be filtered by.
 */
export function dueRow(list: string, id: string, due: string | null, marks?: readonly string[]): RowChange {
  return due === null ? { list, delete: id } : { list, put: omitUndefined({ id, order: due, marks }) };
}

export function createDurableTimers(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  /** How other processes are woken up. @default a timer of this process */
  alarms?: Alarms | undefined;
  /** Name of the list. Use a separate list for each kind of timer. */
  list: string;
  /** Returns a row's time, which the list doesn't return, or null if it has none anymore. */
  dueOf(id: string): Promise<string | null>;
  /**
   * Called for each due row. Must remove or move the row. If it rejects, it is retried soon.
   * @param isStopped Whether {@link DurableTimers.stop} waits for it: it may leave the rest to the next start.
   */
  onDue(id: string, isStopped: () => boolean): Promise<void>;
}): DurableTimers {
  const { store, clock, logger, alarms, list, dueOf, onDue } = parts;
  let armed: string | undefined;
  let cancel = () => {};
  let isStopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let failure: unknown;

  function arm(due: string): void {
    if (isStopped || (armed !== undefined && armed <= due)) return;
    if (alarms !== undefined) {
      alarms.set(list, due);
      return;
    }
    cancel();
    armed = due;
    cancel = atMoment(clock, Date.parse(due), () => void runRound());
  }

  /** Runs rounds one after the other. Resolves with whether this one could read the due rows. */
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

  /** Handles one row. A failure doesn't block the others. */
  async function handle(id: string): Promise<void> {
    try {
      await onDue(id, () => isStopped);
    } catch (error) {
      retryLater(error);
    }
  }

  function retryLater(error: unknown): void {
    logger.warn("could not read due timers; retrying soon", { list, error });
    arm(instant(clock.now() + RETRY_INTERVAL_MS));
  }

  /** @param handledUntil All rows up to this time were just handled. Later ones get a timer, even if they are due now. */
  async function armNext(handledUntil: number): Promise<void> {
    for await (const id of rowIds(store, list, { from: instant(handledUntil) })) {
      const due = await dueOf(id);
      // Handled rows are still in the list if they failed, or if another writer is about to store the result.
      if (due !== null && Date.parse(due) > handledUntil) return arm(due);
    }
  }

  return {
    set(due) {
      if (alarms !== undefined || Date.parse(due) > clock.now()) arm(due);
      else if (!isStopped) void runRound();
    },
    async start() {
      alarms?.onRing(list, async () => void (await runRound()));
      if (alarms !== undefined) arm(instant(clock.now()));
      else if (!(await runRound())) throw failure;
    },
    async stop() {
      isStopped = true;
      cancel();
      await running;
    },
  };
}
