/** Deletes runs after their retention period. Lists are ordered by creation, so a sweep reads only old entries. */

import { rowIds } from "../../documents/documents.ts";
import { isStepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Store } from "../../ports/store.ts";
import { appRuns, createdUntil, EXPIRING_RUNS, runKey } from "../../runs/run-rows.ts";
import type { Duties } from "../../time/duties.ts";
import { createHourlyJob } from "../../time/hourly-job.ts";
import { instant } from "../../time/iso.ts";
import { deletionOf, isParentOpen } from "../state/delete-run.ts";
import { isEnded, type RunDocument } from "../state/run-document.ts";
import type { VersionUses } from "../state/version-uses.ts";

export interface Retention {
  /** Deletes expired runs and returns how many. */
  sweep(): Promise<number>;
  /** Deletes all runs of an app and cancels those that have not ended. Stops early when `isStopped` returns true. */
  deleteAll(appId: string, isStopped: () => boolean): Promise<void>;
  /** Sweeps now and then every hour. */
  start(): void;
  /** Starts no further sweep. Resolves when the current sweep has ended. */
  stop(): Promise<void>;
}

/** Sorts after every ISO 8601 timestamp. */
const AFTER_EVERY_INSTANT = "9999";

export function createRetention(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  duties: Pick<Duties, "isMine">;
  /** Milliseconds to keep a run after its end. */
  retentionMs: number;
  apps(): AsyncIterable<string>;
  cancel(runId: string): Promise<void>;
  versionUses: VersionUses;
}): Retention {
  const { store, clock, logger, duties, retentionMs, apps, cancel, versionUses } = parts;
  const failureMessage = "could not delete old runs; retrying in an hour";
  const hourly = createHourlyJob({ clock, logger, duties, act: sweep, failureMessage });

  async function sweep(): Promise<number> {
    let deleted = 0;
    for await (const runId of rowIds(store, EXPIRING_RUNS, { until: instant(clock.now()) })) {
      if (hourly.isStopped) return deleted;
      if (await deleteOld(runId, AFTER_EVERY_INSTANT)) deleted++;
    }
    if (!Number.isFinite(retentionMs)) return deleted;
    const end = clock.now() - retentionMs;
    for await (const appId of apps()) {
      if (hourly.isStopped) break;
      for await (const runId of rowIds(store, appRuns(appId), { until: createdUntil(end) })) {
        if (hourly.isStopped) break;
        if (await deleteOld(runId, instant(end))) deleted++;
      }
    }
    return deleted;
  }

  async function deleteOld(runId: string, until: string): Promise<boolean> {
    const found = await store.get<RunDocument>(runKey(runId));
    if (found === null || (await isParentOpen(store, found.document))) return false;
    return deleteEnded(runId, until);
  }

  /** @param until Deletes the run if it ended then or before. */
  async function deleteEnded(runId: string, until: string): Promise<boolean> {
    const found = await store.get<RunDocument>(runKey(runId));
    if (found === null) return false;
    const { document, version } = found;
    if (!isEnded(document) || document.finished_at === null || document.finished_at > until) return false;
    try {
      await versionUses.deleteRun(document, deletionOf(document, version));
      return true;
    } catch (error) {
      if (isStepwellError(error, "conflict")) return false; // a retry got there first
      throw error;
    }
  }

  return {
    sweep,
    async deleteAll(appId, isStopped) {
      for await (const runId of rowIds(store, appRuns(appId))) {
        if (isStopped()) return;
        // A retry that began before the app was deleted may restart the run in between.
        while (!isStopped() && (await store.get(runKey(runId))) !== null) {
          await cancel(runId);
          await deleteEnded(runId, AFTER_EVERY_INSTANT);
        }
      }
    },
    start: hourly.start,
    stop: hourly.stop,
  };
}
