/**
 * Delivers events: several at once, but those of one resource to one webhook in order. A lane contains the pending deliveries of
 * one resource to one webhook. Only the first one is sent. The due time of the others is cleared when they are due, and set
 * again by the commit that ends the delivery before them.
 */

import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { createSemaphore } from "../queues/semaphore.ts";
import { instant } from "../time/iso.ts";
import type { Background } from "../time/startup-tasks.ts";
import { atMoment } from "../time/system-clock.ts";
import { DUE, deliveryKey, webhookMark } from "./delivery-rows.ts";
import type { WebhookDocument } from "./webhook.ts";
import type { DeliveryDocument } from "./webhook-delivery.ts";
import { webhookKey } from "./webhook-rows.ts";

export interface Deliverer {
  /** Sends the deliveries of a webhook that are due, now and later. */
  wake(webhookId: string): void;
  /** Starts no more requests and aborts those in progress, which the next process repeats. */
  stop(): Promise<void>;
}

/** Concurrent requests to one webhook, and to all webhooks together. */
const MAX_REQUESTS_PER_WEBHOOK = 4;
const MAX_REQUESTS = 32;

/** The state of a webhook with pending deliveries. */
interface Lanes {
  readonly sending: Map<string, Promise<void>>;
  /** Cancels the timer for the next delivery that is due. */
  disarm: () => void;
  isLooking: boolean;
  isWanted: boolean;
}

export function createDeliverer(parts: {
  store: Store;
  clock: Clock;
  background: Background;
  /** Sends a delivery and stores the outcome, which moves it to another time or ends it. */
  attempt(deliveryId: string, signal: AbortSignal): Promise<void>;
}): Deliverer {
  const { store, clock, background, attempt } = parts;
  const webhooks = new Map<string, Lanes>();
  const stopping = new AbortController();
  const semaphore = createSemaphore(MAX_REQUESTS);

  /** Deliveries that are due and not being sent, oldest first. Rejects if the storage fails. */
  async function pending(webhookId: string, { sending }: Lanes, until: string | undefined): Promise<readonly string[]> {
    const query = {
      limit: sending.size + MAX_REQUESTS_PER_WEBHOOK,
      descending: false,
      until,
      marks: [[webhookMark(webhookId)]],
      withoutTotal: true,
    };
    const { ids } = await store.list(DUE, query);
    return ids.filter((id) => !sending.has(id));
  }

  async function look(webhookId: string, lanes: Lanes): Promise<void> {
    lanes.isWanted = false;
    lanes.disarm();
    const webhook = await store.get<WebhookDocument>(webhookKey(webhookId));
    if (webhook?.document.enabled !== true) return;
    for (const id of await pending(webhookId, lanes, instant(clock.now()))) {
      if (lanes.sending.size >= MAX_REQUESTS_PER_WEBHOOK || stopping.signal.aborted) return;
      if (!lanes.sending.has(id)) lanes.sending.set(id, send(webhookId, lanes, id));
    }
    const [next] = await pending(webhookId, lanes, undefined);
    const found = next === undefined ? null : await store.get<DeliveryDocument>(deliveryKey(next));
    if (found === null || found.document.due_at === null || stopping.signal.aborted) return;
    lanes.disarm = atMoment(clock, Date.parse(found.document.due_at), () => wake(webhookId));
  }

  /** Retries while the storage fails. The event is then sent again. */
  async function send(webhookId: string, lanes: Lanes, deliveryId: string): Promise<void> {
    const unlessStopping = async () => {
      try {
        if (!stopping.signal.aborted) await attempt(deliveryId, stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) throw error;
      }
    };
    await semaphore.run(() => background.retryUntilDone("webhooks", unlessStopping).done);
    lanes.sending.delete(deliveryId);
    wake(webhookId);
  }

  async function lookAgain(webhookId: string, lanes: Lanes): Promise<void> {
    lanes.isLooking = true;
    do await background.retryUntilDone("webhooks", () => look(webhookId, lanes)).done;
    while (lanes.isWanted && !stopping.signal.aborted);
    lanes.isLooking = false;
  }

  function wake(webhookId: string): void {
    if (stopping.signal.aborted) return;
    const lanes = webhooks.get(webhookId) ?? {
      ...{ sending: new Map(), disarm: () => undefined, isLooking: false, isWanted: false },
    };
    webhooks.set(webhookId, lanes);
    lanes.isWanted = true;
    if (!lanes.isLooking) void lookAgain(webhookId, lanes);
  }

  return {
    wake,
    async stop() {
      stopping.abort();
      for (const { disarm } of webhooks.values()) disarm();
      await Promise.all([...webhooks.values()].flatMap(({ sending }) => [...sending.values()]));
    },
  };
}
