/** Removes documents that nobody needs after a while: answers kept for repeated requests, addresses never used. */

import { isStepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Key, RowChange, Store } from "../ports/store.ts";
import { createHourlyJob } from "../time/hourly-job.ts";
import { instant } from "../time/iso.ts";
import { rowIds } from "./documents.ts";

/** A document that goes away by itself. */
export interface Expiring {
  /** ISO 8601 instant from which it is removed; until the sweep comes by, readers must look at it themselves. */
  readonly expires_at: string;
}

export interface ExpirySweeper {
  /** Removes what has expired; gives how many documents. */
  sweep(): Promise<number>;
  /** Sweeps now and every hour. */
  start(): void;
  /** No sweep begins after this; settles when one that is under way has ended. */
  stop(): Promise<void>;
}

const LIST = "expiring";

/**
 * The row to commit with an expiring document.
 * @param appId Of an app with which the document is to go, see {@link expiringOf}.
 */
export function expiringRow(key: Key, { expires_at }: Expiring, appId?: string): RowChange {
  const marks = appId === undefined ? undefined : [markOf(appId)];
  return { list: LIST, put: { id: rowId(key), order: expires_at, marks } };
}

/** The keys of the expiring documents that were committed with the row of this app. */
export async function* expiringOf(store: Store, appId: string): AsyncGenerator<Key, void> {
  for await (const id of rowIds(store, LIST, { marks: [[markOf(appId)]] })) yield keyOf(id);
}

/** The row to commit when the document is removed before its time, or is to stay. */
export function notExpiringRow(key: Key): RowChange {
  return { list: LIST, take: rowId(key) };
}

const markOf = (appId: string) => `app:${appId}`;
/** Rows have ids without a colon; a kind has no dot. */
const rowId = (key: Key) => key.replace(":", ".");
const keyOf = (rowId: string) => rowId.replace(".", ":") as Key; // made by rowId

export function createExpirySweeper({
  store,
  clock,
  logger,
}: {
  store: Store;
  clock: Clock;
  logger: Logger;
}): ExpirySweeper {
  const failureMessage = "could not delete expired documents; retrying in an hour";
  const hourly = createHourlyJob({ clock, logger, act: sweep, failureMessage });

  async function sweep(): Promise<number> {
    const until = instant(clock.now());
    let removed = 0;
    for await (const id of rowIds(store, LIST, { until })) {
      if (hourly.isStopped) return removed;
      if (await removeExpired(keyOf(id), until)) removed++;
    }
    return removed;
  }

  async function removeExpired(key: Key, until: string): Promise<boolean> {
    const found = await store.get<Expiring>(key);
    if (found !== null && found.document.expires_at > until) return false; // written anew since the list was read
    try {
      const expected = found?.version ?? null;
      await store.commit([{ key, document: null, expected, rows: [notExpiringRow(key)] }]);
      return found !== null;
    } catch (error) {
      if (isStepwellError(error, "conflict")) return false; // written anew this moment
      throw error;
    }
  }

  return { sweep, start: hourly.start, stop: hourly.stop };
}
