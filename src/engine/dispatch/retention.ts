/** Removes runs that ended longer ago than they are kept. Lists are in order of creation: only what is old is looked at. */

import { rowIds } from "../../documents/documents.ts";
import { isStepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Store } from "../../ports/store.ts";
import { appRuns, listsOf, runKey } from "../../runs/run-rows.ts";
import { createHourlyJob } from "../../time/hourly-job.ts";
import { instant } from "../../time/iso.ts";
import { isEnded, type RunDocument } from "../state/run-document.ts";

export interface Retention {
  /** Removes what is too old; gives how many runs. */
  sweep(): Promise<number>;
  /** Removes all runs of an app, and stops those that have not ended; ends early when asked to. */
  removeAll(appId: string, isStopped: () => boolean): Promise<void>;
  /** Sweeps now and every hour. */
  start(): void;
  /** No sweep begins after this; settles when one that is under way has ended. */
  stop(): Promise<void>;
}

/** Behind every instant. */
const AFTER_EVERY_INSTANT = "9999";

export function createRetention(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  /** Milliseconds that a run is kept after its end. */
  keep: number;
  apps(): AsyncIterable<string>;
  cancel(runId: string): Promise<void>;
}): Retention {
  const { store, clock, logger, keep, apps, cancel } = parts;
  const failureMessage = "could not delete old runs; retrying in an hour";
  const hourly = createHourlyJob({ clock, logger, act: sweep, failureMessage });

  async function sweep(): Promise<number> {
    const until = instant(clock.now() - keep);
    let removed = 0;
    for await (const appId of apps()) {
      if (hourly.isStopped) break;
      for await (const runId of rowIds(store, appRuns(appId), { until })) {
        if (hourly.isStopped) break;
        if (await remove(runId, until)) removed++;
      }
    }
    return removed;
  }

  /** The run, its rows and its large outputs, all or nothing. */
  async function remove(runId: string, until: string): Promise<boolean> {
    const found = await store.get<RunDocument>(runKey(runId));
    if (found === null) return false;
    const { document, version } = found;
    if (!isEnded(document) || document.finished_at === null || document.finished_at > until) return false;
    const outputs = (document.steps ?? []).flatMap(({ output }) => ("at" in output ? [output.at] : []));
    try {
      await store.commit([
        {
          key: runKey(runId),
          document: null,
          expected: version,
          rows: listsOf(document).map((list) => ({ list, take: runId })),
        },
        ...outputs.map((key) => ({ key, document: null, expected: 1 })),
      ]);
      return true;
    } catch (error) {
      if (isStepwellError(error, "conflict")) return false; // it was taken up again this moment
      throw error;
    }
  }

  return {
    sweep,
    async removeAll(appId, isStopped) {
      for await (const runId of rowIds(store, appRuns(appId))) {
        if (isStopped()) return;
        await cancel(runId);
        await remove(runId, AFTER_EVERY_INSTANT);
      }
    },
    start() {
      if (Number.isFinite(keep)) hourly.start();
    },
    stop: hourly.stop,
  };
}
