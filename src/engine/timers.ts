/** Moments at which runs are to be looked at: rows of a list, and one timer for the earliest. Nothing polls. */
import { instant } from "../clock.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { RowChange, Store } from "../ports/store.ts";

export interface Timers {
  /** To be called when a row with this moment (ISO 8601) is stored. */
  set(due: string): void;
  /** Looks at what fell due while no process was there, and waits for the next. */
  start(): Promise<void>;
  stop(): void;
}

const LIST = "runs.due";
const BATCH = 100;

/** The row to commit with a run that is to be looked at; null when it is not any more. */
export function dueRow(runId: string, due: string | null): RowChange {
  return due === null ? { list: LIST, take: runId } : { list: LIST, put: { id: runId, order: due } };
}

/** @param fell Called for each run whose moment has come; it takes the row away or moves it. Never rejects. */
export function createTimers(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  fell(runId: string): Promise<void>;
}): Timers {
  const { store, clock, logger, fell } = parts;
  let armed: string | undefined;
  let cancel = () => {};
  let stopped = false;

  function arm(due: string): void {
    if (stopped || (armed !== undefined && armed <= due)) return;
    cancel();
    armed = due;
    cancel = clock.after(Math.max(0, Date.parse(due) - clock.now()), () => void round());
  }

  async function round(): Promise<void> {
    armed = undefined;
    try {
      const { ids } = await store.list(LIST, { limit: BATCH, descending: false, until: instant(clock.now()) });
      for (const runId of ids) if (!stopped) await fell(runId);
      if (ids.length === BATCH) return round();
      await armNext();
    } catch (error) {
      logger.warn("runs that are due could not be looked at; trying again in a minute", { error });
      arm(instant(clock.now() + 60_000));
    }
  }

  /** A list is ordered by moment, and the id of its first row does not tell it: its document does. */
  async function armNext(): Promise<void> {
    const { ids } = await store.list(LIST, { limit: 1, descending: false });
    const [first] = ids;
    if (first === undefined) return;
    const found = await store.get<{ due_at?: string | null }>(`run:${first}`);
    const due = found?.document.due_at;
    if (due !== undefined && due !== null) arm(due);
  }

  return {
    set: arm,
    start: round,
    stop() {
      stopped = true;
      cancel();
    },
  };
}
