/** Removes what apps that are no more have left: soon after they were removed, and after a crash with the next start. */

import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Change, Key, Store } from "../ports/store.ts";
import { createHourlyJob } from "../time/hourly-job.ts";

/** Removes what a slice holds of an app; ends early when asked to. */
export type Purge = (appId: string, isStopped: () => boolean) => Promise<void>;

export interface RemovedApps {
  /** Removes what is left of all of them. */
  sweep(): Promise<void>;
  /** Sweeps now and every hour. */
  start(): void;
  /** Sweeps now, or when the sweep that is under way has ended. */
  again(): void;
  /** No sweep begins after this; settles when one that is under way has ended. */
  stop(): Promise<void>;
}

const LIST = "apps.removed";
const BATCH = 100;
const keyOf = (appId: string): Key => `removed-app:${appId}`;

/** To be committed with the removal of an app. */
export function appRemoved(appId: string): Change {
  return { key: keyOf(appId), document: { id: appId }, rows: [{ list: LIST, put: { id: appId } }] };
}

export function createRemovedApps(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  purges: readonly Purge[];
}): RemovedApps {
  const { store, clock, logger, purges } = parts;
  const failureMessage = "could not purge the data of deleted apps; retrying in an hour";
  const hourly = createHourlyJob({ clock, logger, act: sweep, failureMessage });
  const isStopped = () => hourly.isStopped;

  async function sweep(): Promise<void> {
    const { ids } = await store.list(LIST, { limit: BATCH, descending: false });
    for (const appId of ids) {
      for (const purge of purges) await purge(appId, isStopped);
      if (isStopped()) return;
      await store.commit([{ key: keyOf(appId), document: null, expected: 1, rows: [{ list: LIST, take: appId }] }]);
    }
  }

  return { sweep, start: hourly.start, again: hourly.runSoon, stop: hourly.stop };
}
