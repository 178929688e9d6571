/** Deletes the data of deleted apps: soon after the deletion, and at the next start after a crash. */

import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Change, Key, Store } from "../ports/store.ts";
import { createHourlyJob } from "../time/hourly-job.ts";

/** Deletes what a slice stores for an app. Ends early when `isStopped` returns true. */
export type Purge = (appId: string, isStopped: () => boolean) => Promise<void>;

export interface RemovedApps {
  /** Deletes the remaining data of all deleted apps. */
  sweep(): Promise<void>;
  /** Sweeps now and every hour. */
  start(): void;
  /** Sweeps now, or after the current sweep. */
  again(): void;
  /** Prevents further sweeps. Settles when the current one has ended. */
  stop(): Promise<void>;
}

const LIST = "apps.removed";
const APPS_PER_READ = 100;
const keyOf = (appId: string): Key => `removed-app:${appId}`;

/** The change to commit with the deletion of an app. */
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
    const { ids } = await store.list(LIST, { limit: APPS_PER_READ, descending: false });
    for (const appId of ids) {
      for (const purge of purges) await purge(appId, isStopped);
      if (isStopped()) return;
      await store.commit([{ key: keyOf(appId), document: null, expected: 1, rows: [{ list: LIST, take: appId }] }]);
    }
  }

  return { sweep, start: hourly.start, again: hourly.runSoon, stop: hourly.stop };
}
