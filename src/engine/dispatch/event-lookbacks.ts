/**
 * Finds events for steps that have just begun to wait: those of their lookback, and those that were delivered after the step
 * became ready and before its wait was stored. From then on, events find the wait.
 */
import { eventKey, eventsOf, markOfWait, type ReceivedEvent, toReceived } from "../../app-events/app-event.ts";
import { countResumed } from "../../app-events/app-events.ts";
import {
  isSameWait,
  LOOKBACKS,
  type Lookback,
  lookbackKey,
  lookbacksOf,
  type StoredWait,
} from "../../app-events/event-wait.ts";
import { rowIds, updateDocument } from "../../documents/documents.ts";
import { appsWithRows, rowsOfApp } from "../../documents/rows-by-app.ts";
import type { Store } from "../../ports/store.ts";
import { createSemaphore } from "../../queues/semaphore.ts";
import { createSerialQueues } from "../../queues/serial-queues.ts";
import { runKey } from "../../runs/run-rows.ts";
import type { Background } from "../../time/background.ts";
import type { RunRegistry } from "../run-registry.ts";
import { isEnded, type RunDocument } from "../state/run-document.ts";
import type { RunRequests } from "./run-requests.ts";

export interface EventLookbacks {
  /** Call this when waits of a run have been stored. Those of an app are looked back for one after the other. */
  wake(appId: string, runId: string): void;
  /** Looks back in the background for all waits for which no earlier process has. Rejects if they cannot be found. */
  wakeAll(): Promise<void>;
}

/** The name of the task in logs. */
const TASK = "waits for events";
const EVENTS_AT_ONCE = 50;
/** Maximum number of apps for whose waits events are read at the same time. They take turns of one wait each. */
const APPS_AT_ONCE = 4;

export function createEventLookbacks(parts: {
  store: Store;
  background: Background;
  requests: Pick<RunRequests, "receive">;
  runs: Pick<RunRegistry, "isClosed">;
}): EventLookbacks {
  const { store, background, requests, runs } = parts;
  const queues = createSerialQueues();
  const turns = createSemaphore(APPS_AT_ONCE);

  /** @param rows Those of an app or of a run. */
  async function check(rows: { readonly from: string; readonly until: string }): Promise<void> {
    const failures: unknown[] = [];
    for await (const id of rowIds(store, LOOKBACKS, rows)) {
      if (runs.isClosed()) return;
      // One that fails does not hold up the others.
      await turns.run(() => lookBack(id)).catch((error: unknown) => void failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  async function lookBack(id: string): Promise<void> {
    const found = await store.get<Lookback>(lookbackKey(id));
    if (found === null) return;
    for (let after: string | undefined; ; ) {
      const wait = await openWait(found.document);
      if (wait === null) break;
      const { run, name, subject, since } = wait;
      const marks = [[markOfWait(name, subject)]];
      const chosen = { limit: EVENTS_AT_ONCE, descending: false, withoutTotal: true, from: since, after, marks };
      const page = await store.listDocuments<ReceivedEvent>(eventsOf(run.app_id), chosen, eventKey);
      const events = page.documents.map(({ document }) => toReceived(document));
      if (events.length > 0) await receive(run.id, events);
      after = page.next;
      if (after === undefined) break;
    }
    await forget(id);
  }

  async function receive(runId: string, events: readonly ReceivedEvent[]): Promise<void> {
    const resumed = await requests.receive(runId, events);
    for (const [index, { id }] of events.entries()) {
      const count = resumed[index] ?? 0;
      if (count > 0) await countResumed(store, id, count);
    }
  }

  /** Another lookback for the same wait may have been faster. */
  const forget = (id: string) =>
    updateDocument<Lookback, void>(store, lookbackKey(id), (found) => ({
      changes: [
        {
          key: lookbackKey(id),
          document: null,
          expected: found?.version ?? null,
          rows: [{ list: LOOKBACKS, delete: id }],
        },
      ],
      result: undefined,
    }));

  /** The wait with its run, unless it has ended. */
  async function openWait(of: Lookback): Promise<(StoredWait & { readonly run: RunDocument }) | null> {
    const run = (await store.get<RunDocument>(runKey(of.run_id)))?.document;
    if (run === undefined || isEnded(run)) return null;
    const wait = run.event_waits?.find((one) => isSameWait(one, of));
    return wait === undefined ? null : { ...wait, run };
  }

  const checkSoon = (appId: string, rows: Parameters<typeof check>[0]) =>
    void background.retryUntilDone(TASK, () => queues.run(appId, () => check(rows)));

  return {
    wake: (appId, runId) => checkSoon(appId, lookbacksOf(appId, runId)),
    async wakeAll() {
      for await (const appId of appsWithRows(store, LOOKBACKS)) checkSoon(appId, rowsOfApp(appId));
    },
  };
}
