/** Alarms of durable timers as delayed jobs: the first worker that is free handles them, also after a crash. */
import type { Clock } from "../ports/clock.ts";
import type { ClusterConnection } from "../ports/cluster.ts";
import type { Store } from "../ports/store.ts";
import type { Alarms } from "../time/durable-timers.ts";
import { instant } from "../time/iso.ts";
import { SECOND_MS } from "../time/units.ts";

export interface SharedAlarms extends Alarms {
  /** Handles the due timers of a list. */
  ring(list: string): Promise<void>;
  /** Adds jobs for lists with timers that should have been handled a while ago, because their jobs were lost. */
  checkOverdue(): Promise<void>;
}

/** How late a timer must be until it counts as forgotten. One that a busy worker has not reached yet only gets a job more. */
const OVERDUE_MS = SECOND_MS;

export function createSharedAlarms(parts: {
  store: Store;
  clock: Clock;
  connection: Pick<ClusterConnection, "add">;
  /** Reports that a job could not be added. */
  onFailure(error: unknown): void;
}): SharedAlarms {
  const { store, clock, connection, onFailure } = parts;
  const rings = new Map<string, () => Promise<void>>();
  /** The earliest moment of each list for which this process has added a job. What is due later is found when it rings. */
  const armed = new Map<string, number>();

  const add = (list: string, id: string, delayMs: number) =>
    connection.add([{ id, kind: "timers", subject: list, delayMs }]);

  return {
    onRing: (list, ring) => void rings.set(list, ring),

    set(list, due) {
      const now = clock.now();
      const moment = Math.max(now, Date.parse(due));
      const earlier = armed.get(list) ?? 0;
      if (earlier > now && earlier <= moment) return;
      armed.set(list, moment);
      add(list, `timers-${list}-${moment}`, moment - now).catch(onFailure);
    },

    async ring(list) {
      await rings.get(list)?.();
    },

    async checkOverdue() {
      const until = instant(clock.now() - OVERDUE_MS);
      for (const list of rings.keys()) {
        const { ids } = await store.list(list, { limit: 1, until, withoutTotal: true });
        if (ids.length > 0) await add(list, `timers-${list}`, 0);
      }
    },
  };
}
