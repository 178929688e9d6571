/**
 * The outbox: events are stored with the change that causes them, one document each. Their deliveries are created in the
 * background, in the order of their ids, so the cost of a change doesn't depend on the number of webhooks. Creating them starts
 * in a later turn of the event loop, after the response to the change, and takes only a share of the time.
 */
import { isStepwellError } from "../errors.ts";
import type { OriginalEvent } from "../events/describe-changes.ts";
import type { EventOutbox } from "../events/event-outbox.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change, Store, Stored } from "../ports/store.ts";
import type { Background } from "../time/background.ts";
import type { Duties } from "../time/duties.ts";
import { instant } from "../time/iso.ts";
import { inNextTurn } from "../time/system-clock.ts";
import { createWorkShare } from "../time/work-share.ts";
import {
  appMark,
  deleteEvent,
  type EventDocument,
  eventKey,
  OUTBOX,
  putDelivery,
  SENT_EVENTS,
} from "./delivery-rows.ts";
import type { DeliveryDocument } from "./webhook-delivery.ts";
import type { WebhookIndex } from "./webhook-index.ts";

export interface Outbox {
  /** Creates deliveries for stored events, in the background. */
  wake(): void;
  /** Resolves when the current round has ended. Later rounds use the webhooks that are in the index now. */
  settled(): Promise<unknown>;
  /** Creates no more deliveries, and resolves when the current round has ended. */
  stop(): Promise<void>;
}

const EVENTS_PER_READ = 50;
/** Deliveries in one commit. */
const DELIVERIES_PER_COMMIT = 50;

/** The part of the outbox that commits use. */
export function createEventOutbox(index: WebhookIndex, wake: () => void): EventOutbox {
  return {
    load: index.load,
    refresh: index.refresh,
    hasWebhooks: index.hasWebhooks,
    hasSubscribers: index.hasSubscribers,
    changeFor({ event, resource, parent }: OriginalEvent): Change {
      const { id, app_id } = event;
      const document: EventDocument = { app_id, event, resource, parent, after: null };
      return { key: eventKey(id), document, rows: [{ list: OUTBOX, put: { id, marks: [appMark(app_id)] } }] };
    },
    wake,
  };
}

interface FanOut {
  readonly changes: readonly Change[];
  readonly webhooks: readonly string[];
  readonly isDone: boolean;
}

export function createOutbox(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  background: Background;
  index: WebhookIndex;
  /** Apps that this process has deleted. */
  deletedApps: ReadonlySet<string>;
  duties: Pick<Duties, "isMine">;
  /** Called when deliveries for these webhooks have been stored. */
  onDeliveries(webhookIds: readonly string[]): void;
}): Outbox {
  const { store, clock, ids, background, index, deletedApps, duties, onDeliveries } = parts;
  const share = createWorkShare(clock);
  let isStopped = false;
  let isRunning = false;
  let isWanted = false;
  let round: Promise<unknown> = Promise.resolve();

  function deliveryFor({ event, resource }: EventDocument, webhook_id: string): DeliveryDocument {
    const now = instant(clock.now());
    return {
      id: ids.next("dlv"),
      webhook_id,
      app_id: event.app_id,
      event_id: event.id,
      type: event.type,
      resource_id: resource,
      status: "pending",
      attempts_count: 0,
      attempts: [],
      due_at: now,
      created_at: now,
      tried_since: null,
      tries: 0,
      not_before: null,
    };
  }

  /** The next deliveries of an event. The event leaves the outbox with the last of them. */
  function fanOut({ document, version }: Stored<EventDocument>, budget: number): FanOut {
    const { event, parent, after } = document;
    const subscribers = deletedApps.has(event.app_id) ? [] : index.subscribers(event.app_id, event.type, parent);
    // A webhook gets only events from after its creation.
    const open = subscribers.filter((id) => (after === null || id > after) && timeOf(id) < timeOf(event.id));
    const next = open.slice(0, budget);
    const last = next.at(-1) ?? after;
    const deliveries = next.map((id) => putDelivery(deliveryFor(document, id)));
    const isDone = next.length === open.length;
    const change =
      isDone && last === null ? deleteEvent(document, version) : eventChange(document, version, last, isDone);
    return { changes: [change, ...deliveries], webhooks: next, isDone };
  }

  function eventChange(document: EventDocument, expected: number, after: string | null, isDone: boolean): Change {
    const { id, app_id, created_at } = document.event;
    const sent = { id, order: created_at, marks: [appMark(app_id)] };
    const rows = isDone
      ? [
          { list: OUTBOX, delete: id },
          { list: SENT_EVENTS, put: sent },
        ]
      : [];
    return { key: eventKey(id), document: { ...document, after }, expected, rows };
  }

  /** @returns Whether the outbox is empty. */
  async function fanOutPage(): Promise<boolean> {
    const query = { limit: EVENTS_PER_READ, descending: false };
    const { documents } = await store.listDocuments<EventDocument>(OUTBOX, query, eventKey);
    for (const appId of new Set(documents.map(({ document }) => document.app_id))) await index.refresh?.(appId);
    const changes: Change[] = [];
    const webhooks = new Set<string>();
    let budget = DELIVERIES_PER_COMMIT;
    for (const stored of documents) {
      const step = fanOut(stored, budget);
      for (const change of step.changes) changes.push(change);
      for (const id of step.webhooks) webhooks.add(id);
      budget -= step.webhooks.length;
      if (!step.isDone || budget === 0) break;
    }
    if (changes.length === 0) return true;
    try {
      await store.commit(changes);
    } catch (error) {
      // The app was deleted meanwhile: read again.
      if (!isStepwellError(error, "conflict") && !isStepwellError(error, "not_found")) throw error;
      return false;
    }
    onDeliveries([...webhooks]);
    return false;
  }

  async function drain(): Promise<void> {
    await index.load();
    for (let isEmpty = false; !isEmpty && !isStopped && duties.isMine; ) {
      isWanted = false;
      share.begin();
      const page = fanOutPage();
      round = page.catch(() => undefined);
      isEmpty = await page;
      if (!isEmpty) await share.rest();
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    await new Promise<void>((resolve) => inNextTurn(clock, resolve));
    try {
      do await background.retryUntilDone("webhooks", drain).done;
      while (isWanted && !isStopped && duties.isMine);
    } finally {
      isRunning = false;
    }
  }

  return {
    wake() {
      isWanted = true;
      if (!isRunning && !isStopped) void run();
    },
    settled: () => round,
    async stop() {
      isStopped = true;
      share.stop();
      await round;
    },
  };
}

/** The part of an id that contains its time. It has the same order for ids of all kinds. */
const timeOf = (id: string) => id.slice(id.indexOf("_") + 1);
