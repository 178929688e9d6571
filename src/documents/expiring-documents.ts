/** Deletes documents that are only needed for a while: idempotency records and unused upload URLs. */

import { isStepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Key, RowChange, Store } from "../ports/store.ts";
import type { Duties } from "../time/duties.ts";
import { createHourlyJob } from "../time/hourly-job.ts";
import { instant } from "../time/iso.ts";
import { rowIds } from "./documents.ts";

/** A document that expires. */
export interface Expiring {
  /** ISO 8601 time of expiry. Readers must check it themselves until the sweep deletes the document. */
  readonly expires_at: string;
  /** List with a row of the document, which goes with it. The row has the id of the document's key. */
  readonly listed_in?: string;
}

export interface ExpirySweeper {
  /** Deletes expired documents and returns how many. */
  sweep(): Promise<number>;
  /** Sweeps now and then every hour. */
  start(): void;
  /** Starts no further sweep. Resolves when the current sweep has ended. */
  stop(): Promise<void>;
}

const LIST = "expiring";

/**
 * Returns the row to commit with an expiring document.
 * @param appId App with which the document is deleted; see {@link expiringOf}.
 */
export function expiringRow(key: Key, { expires_at }: Pick<Expiring, "expires_at">, appId?: string): RowChange {
  const marks = appId === undefined ? undefined : [markOf(appId)];
  return { list: LIST, put: { id: rowId(key), order: expires_at, marks } };
}

/** Yields the keys of expiring documents whose row has this app. */
export async function* expiringOf(store: Store, appId: string): AsyncGenerator<Key, void> {
  for await (const id of rowIds(store, LIST, { marks: [[markOf(appId)]] })) yield keyOf(id);
}

/** Returns the row change to commit when the document is deleted early, or no longer expires. */
export function notExpiringRow(key: Key): RowChange {
  return { list: LIST, delete: rowId(key) };
}

/** The same, with the row of the list that contains the document. */
export function goneRows(key: Key, document: Pick<Expiring, "listed_in"> | undefined): RowChange[] {
  const list = document?.listed_in;
  return [notExpiringRow(key), ...(list === undefined ? [] : [{ list, delete: key.slice(key.indexOf(":") + 1) }])];
}

const markOf = (appId: string) => `app:${appId}`;
/** Row ids contain no colon, and kinds contain no dot. */
const rowId = (key: Key) => key.replace(":", ".");
const keyOf = (rowId: string) => rowId.replace(".", ":") as Key; // inverse of rowId

export function createExpirySweeper(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  duties: Pick<Duties, "isMine">;
}): ExpirySweeper {
  const { store, clock, logger, duties } = parts;
  const failureMessage = "could not delete expired documents; retrying in an hour";
  const hourly = createHourlyJob({ clock, logger, duties, act: sweep, failureMessage });

  async function sweep(): Promise<number> {
    const until = instant(clock.now());
    let removed = 0;
    for await (const id of rowIds(store, LIST, { until })) {
      if (hourly.isStopped) return removed;
      if (await deleteExpired(keyOf(id), until)) removed++;
    }
    return removed;
  }

  async function deleteExpired(key: Key, until: string): Promise<boolean> {
    const found = await store.get<Expiring>(key);
    if (found !== null && found.document.expires_at > until) return false; // renewed since the list was read
    try {
      const expected = found?.version ?? null;
      await store.commit([{ key, document: null, expected, rows: goneRows(key, found?.document) }]);
      return found !== null;
    } catch (error) {
      if (isStepwellError(error, "conflict")) return false; // renewed meanwhile
      throw error;
    }
  }

  return { sweep, start: hourly.start, stop: hourly.stop };
}
