/** Moments at which something is to be looked at: rows of a list, and one timer for the earliest. Nothing polls. */

import { everyRow } from "../documents/documents.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { RowChange, Store } from "../ports/store.ts";
import { atMoment, instant } from "./system-clock.ts";

export interface Timers {
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

const AGAIN = 10_000;

/** The row to commit with what is to be looked at; null when it is not any more. */
export function dueRow(list: string, id: string, due: string | null): RowChange {
  return due === null ? { list, take: id } : { list, put: { id, order: due } };
}

export function createTimers(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  /** Of the rows; a list of its own for each kind of thing. */
  list: string;
  /** The moment of a row (a list is ordered by moments and does not tell them); null when it has none any more. */
  dueOf(id: string): Promise<string | null>;
  /** Called for each whose moment has come: takes its row away or moves it. What rejects is tried again soon. */
  fell(id: string): Promise<void>;
}): Timers {
  const { store, clock, logger, list, dueOf, fell } = parts;
  let armed: string | undefined;
  let cancel = () => {};
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let failure: unknown;

  function arm(due: string): void {
    if (stopped || (armed !== undefined && armed <= due)) return;
    cancel();
    armed = due;
    cancel = atMoment(clock, Date.parse(due), () => void turn());
  }

  /** Rounds come one after the other; gives whether this one read what was due. */
  function turn(): Promise<boolean> {
    const next = running.then(round);
    running = next;
    return next;
  }

  async function round(): Promise<boolean> {
    armed = undefined;
    const until = clock.now();
    try {
      for await (const id of everyRow(store, list, { until: instant(until) })) {
        if (stopped) return true;
        await look(id);
      }
      await armNext(until);
      return true;
    } catch (error) {
      failure = error;
      again(error);
      return false;
    }
  }

  /** One that cannot be looked at does not keep the others waiting. */
  async function look(id: string): Promise<void> {
    try {
      await fell(id);
    } catch (error) {
      again(error);
    }
  }

  function again(error: unknown): void {
    logger.warn("what is due could not be looked at; trying again soon", { list, error });
    arm(instant(clock.now() + AGAIN));
  }

  /** @param looked Up to when everything was looked at just now: what comes behind that has its turn, also if it is due by now. */
  async function armNext(looked: number): Promise<void> {
    for await (const id of everyRow(store, list)) {
      const due = await dueOf(id);
      // What was looked at is in front still where that failed, or where somebody else is just storing what comes of it.
      if (due !== null && Date.parse(due) > looked) return arm(due);
    }
  }

  return {
    set: arm,
    async start() {
      if (!(await turn())) throw failure;
    },
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
  };
}
