/**
 * Delivers events in the background, those of an app in the order in which they were emitted. Apps take turns of one page
 * each, so none waits for the backlog of another.
 */
import { appsWithRows, rowsOfApp } from "../documents/rows-by-app.ts";
import { createSemaphore } from "../queues/semaphore.ts";
import type { Duties } from "../time/duties.ts";
import { createDeliverEvents, type DeliverEventsParts, type EventGroup } from "./deliver-events.ts";
import { type EventDelivery, UNDELIVERED_EVENTS } from "./stored-event.ts";

export interface EventDeliveries {
  /** Call this when an event of the app has been stored. */
  wake(appId: string): void;
  /** Begins to deliver the events that earlier processes left behind. Rejects if they cannot be found. */
  start(): Promise<void>;
  /** Begins no further page. Resolves when the current ones are stored. */
  stop(): Promise<void>;
}

/** Maximum number of apps whose events are delivered at the same time. */
const APPS_AT_ONCE = 4;
/** Maximum number of events that a run receives at once. */
const EVENTS_AT_ONCE = 20;
/** The next event of the app ends this pause, so these are no tasks of `Background`, which new work never wakes. */
const RETRY_INTERVAL_MS = 10_000;

/** The delivery of all events of an app. */
interface Backlog {
  /** Whether an event was stored since the first one was read. */
  hasMore: boolean;
  done: Promise<void>;
}

export function createEventDeliveries(parts: DeliverEventsParts & { duties: Pick<Duties, "isMine"> }): EventDeliveries {
  const { store, clock, logger, duties } = parts;
  const { groups, toRuns, toWorkflows } = createDeliverEvents(parts);
  /** Apps get their turns in the order in which they ask for them. */
  const turns = createSemaphore(APPS_AT_ONCE);
  const backlogs = new Map<string, Backlog>();
  const retries = new Map<string, () => void>();
  let isStopped = false;

  function wake(appId: string): void {
    if (isStopped || !duties.isMine) return;
    const known = backlogs.get(appId);
    if (known !== undefined) {
      known.hasMore = true;
      return;
    }
    retries.get(appId)?.();
    retries.delete(appId);
    const backlog: Backlog = { hasMore: true, done: Promise.resolve() };
    backlogs.set(appId, backlog);
    backlog.done = deliverAll(appId, backlog);
  }

  /** Never rejects. */
  async function deliverAll(appId: string, backlog: Backlog): Promise<void> {
    let failures: readonly unknown[] = [];
    while (backlog.hasMore && !isStopped && duties.isMine) {
      backlog.hasMore = false;
      failures = await deliverOnce(appId);
    }
    backlogs.delete(appId);
    if (failures.length > 0 && !isStopped) retryLater(appId, failures[0]);
  }

  function retryLater(appId: string, error: unknown): void {
    logger.warn("could not deliver all events of an app; retrying soon", { app: appId, error });
    retries.set(
      appId,
      clock.after(RETRY_INTERVAL_MS, () => wake(appId)),
    );
  }

  /** Tries to deliver each event once. Returns why some are not delivered. */
  async function deliverOnce(appId: string): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    const query = { ...rowsOfApp(appId), limit: EVENTS_AT_ONCE, descending: false, withoutTotal: true };
    try {
      for (let after: string | undefined; !isStopped; ) {
        const page = await turns.run(() => store.list(UNDELIVERED_EVENTS, { ...query, after }));
        const found = await turns.run(() => groups(page.ids, failures));
        for (const group of found) {
          for (const failure of await deliver(group)) failures.push(failure);
        }
        if (page.next === undefined) break;
        after = page.next;
      }
    } catch (error) {
      failures.push(error);
    }
    return failures;
  }

  /** An event that fails does not hold up the others. */
  async function deliver({ ids, at }: EventGroup): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    let next = at;
    try {
      while (next.to === "runs" && !isStopped) {
        const from = next;
        next = await turns.run(() => toRuns(ids, from, failures));
      }
    } catch (error) {
      return [error];
    }
    const all = [...failures];
    for (const id of ids) {
      for (const failure of await deliverToWorkflows(id, next, failures)) all.push(failure);
    }
    return all;
  }

  /** @param before Why the event is not delivered to all runs. */
  async function deliverToWorkflows(
    id: string,
    at: EventDelivery,
    before: readonly unknown[],
  ): Promise<readonly unknown[]> {
    const failures = [...before];
    try {
      for (let next: EventDelivery | undefined = at; next !== undefined && !isStopped; ) {
        const from: EventDelivery = next;
        next = await turns.run(() => toWorkflows(id, from, failures));
      }
    } catch (error) {
      failures.push(error);
    }
    return failures.slice(before.length);
  }

  return {
    wake,
    async start() {
      for await (const appId of appsWithRows(store, UNDELIVERED_EVENTS)) wake(appId);
    },
    async stop() {
      isStopped = true;
      for (const cancel of retries.values()) cancel();
      await Promise.all([...backlogs.values()].map(({ done }) => done));
    },
  };
}
