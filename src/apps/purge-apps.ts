/** Deletes the data of deleted apps: soon after the deletion, and at the next start after a crash. */

import { rowIds } from "../documents/documents.ts";
import { isStepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Change, Key, Store } from "../ports/store.ts";
import { createSemaphore } from "../queues/semaphore.ts";
import type { Duties } from "../time/duties.ts";
import { createHourlyJob } from "../time/hourly-job.ts";
import { SECOND_MS } from "../time/units.ts";

/**
 * Deletes what a slice stores for an app. It finds everything by lists, holds one page of them in memory, and can be
 * repeated: whatever an earlier call has deleted is no longer listed. Ends early when `isStopped` returns true.
 */
export type Purge = (appId: string, isStopped: () => boolean) => Promise<void>;

export interface DeletedApps {
  /** Deletes the remaining data of all deleted apps. */
  sweep(): Promise<void>;
  /** Sweeps now and every hour. */
  start(): void;
  /** Purges an app that was just deleted, as soon as its turn comes. */
  purgeSoon(appId: string): void;
  /** Begins no further purge. Settles when the current ones have ended. */
  stop(): Promise<void>;
}

const LIST = "apps.deleted";
const keyOf = (appId: string): Key => `deleted-app:${appId}`;
/** Number of apps that are purged at once. */
const APPS_AT_ONCE = 4;
/** How long an app is purged while others wait. */
const TURN_MS = 5 * SECOND_MS;

/** The change to commit with the deletion of an app. */
export function appDeleted(appId: string): Change {
  return { key: keyOf(appId), document: { id: appId }, rows: [{ list: LIST, put: { id: appId } }] };
}

/** The apps whose data is not yet purged. */
export const unpurgedApps = (store: Store) => rowIds(store, LIST);

export function createDeletedApps(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  duties: Pick<Duties, "isMine">;
  /** In the order in which they run. */
  purges: readonly Purge[];
}): DeletedApps {
  const { store, clock, logger, duties, purges } = parts;
  const failureMessage = "could not list deleted apps to purge their data; retrying in an hour";
  const hourly = createHourlyJob({ clock, logger, duties, act: sweep, failureMessage });
  const semaphore = createSemaphore(APPS_AT_ONCE);
  /** The apps that are being purged, or wait for their turn. */
  const purging = new Map<string, Promise<void>>();
  const elapsed = () => clock.elapsed?.() ?? clock.now();

  /** Commits that began before the deletion was stored are stored before this one, so that the purge finds them. */
  async function writeBarrier(appId: string): Promise<number | null> {
    const found = await store.get(keyOf(appId));
    if (found === null) return null;
    await store.commit([{ key: keyOf(appId), document: { id: appId }, expected: found.version }]);
    return found.version + 1;
  }

  /** @returns Whether everything is deleted. The marker goes last, so a crash at any point leads to another purge. */
  async function purgeForOneTurn(appId: string): Promise<boolean> {
    const until = elapsed() + TURN_MS;
    const isOver = () => hourly.isStopped || (semaphore.hasWaiting() && elapsed() >= until);
    const version = await writeBarrier(appId);
    if (version === null) return true;
    for (const purge of purges) {
      await purge(appId, isOver);
      if (isOver()) return false;
    }
    await store.commit([
      { key: keyOf(appId), document: null, expected: version, rows: [{ list: LIST, delete: appId }] },
    ]);
    return true;
  }

  /** An app that needs long takes turns with the others. One that fails does not hold them up. */
  async function purgeInTurns(appId: string): Promise<void> {
    try {
      for (let isDone = false; !isDone; ) {
        isDone = await semaphore.run(async () => hourly.isStopped || (await purgeForOneTurn(appId)));
      }
    } catch (error) {
      if (hourly.isStopped && isStepwellError(error, "unavailable")) return;
      logger.warn("could not purge the data of a deleted app; retrying in an hour", { app: appId, error });
    } finally {
      purging.delete(appId);
    }
  }

  function purgeOnce(appId: string): Promise<void> {
    const known = purging.get(appId);
    if (known !== undefined) return known;
    const purge = purgeInTurns(appId);
    purging.set(appId, purge);
    return purge;
  }

  /** Reads further apps only when fewer than the maximum are being purged, so that memory stays small. */
  async function sweep(): Promise<void> {
    const purges = new Set<Promise<void>>();
    for await (const appId of unpurgedApps(store)) {
      if (hourly.isStopped) break;
      const purge = purgeOnce(appId).finally(() => purges.delete(purge));
      purges.add(purge);
      if (purges.size > APPS_AT_ONCE) await Promise.race(purges);
    }
    await Promise.all(purges);
  }

  return {
    sweep,
    start: hourly.start,
    purgeSoon: (appId) => void purgeOnce(appId),
    async stop() {
      await hourly.stop();
      await Promise.all(purging.values());
    },
  };
}
