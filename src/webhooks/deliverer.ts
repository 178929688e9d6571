/**
 * Delivers events: several at once, but those of one resource to one webhook in order. A lane contains the pending deliveries of
 * one resource to one webhook. Only the first one is sent. The due time of the others is cleared when they are due, and set
 * again by the commit that ends the delivery before them.
 *
 * Apps take turns, and so do the webhooks of an app, of one delivery each: none waits for the backlog of another. No app gets
 * all requests, so receivers that hang delay only those of the same app. A failing webhook gets one request at a time, and all
 * failing webhooks together get half of the requests.
 */

import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { createFairQueue } from "../queues/fair-queue.ts";
import { createFairShare } from "../queues/fair-share.ts";
import type { Background } from "../time/background.ts";
import type { Duties } from "../time/duties.ts";
import { atMoment } from "../time/system-clock.ts";
import type { CatchUpWebhook } from "./catch-up.ts";
import { DUE, dueRange, dueTimeOf } from "./delivery-rows.ts";
import type { WebhookDocument } from "./webhook.ts";
import type { WebhookIndex } from "./webhook-index.ts";
import { webhookKey } from "./webhook-rows.ts";

export interface Deliverer {
  /** Sends what is due for a webhook, now and later. */
  wake(webhookId: string): void;
  /** Starts no more requests and aborts those in progress, which the next process repeats. */
  stop(): Promise<void>;
}

/**
 * Maximum concurrent requests to one webhook, to all webhooks, and to all webhooks whose last request failed. One app alone
 * gets half of the last two.
 */
const MAX_REQUESTS_PER_WEBHOOK = 4;
const MAX_REQUESTS = 64;
const MAX_REQUESTS_FAILING = 32;

/** The state of a webhook with pending deliveries. */
interface Lanes {
  /** Apps share the requests. */
  readonly appId: string;
  readonly sending: Set<string>;
  /** Turns in progress. */
  turns: number;
  /** Whether its last request failed, as of the last time it was read. */
  isFailing: boolean;
  isCatchingUp: boolean;
  /** Whether it waits for a turn. */
  isWaiting: boolean;
  /** Cancels the timer for the next delivery that is due; null without a timer. */
  disarm: (() => void) | null;
}

export function createDeliverer(parts: {
  store: Store;
  clock: Clock;
  duties: Pick<Duties, "isMine">;
  background: Background;
  catchUp: CatchUpWebhook;
  index: Pick<WebhookIndex, "appOf">;
  /** Sends a delivery and stores the outcome, which moves it to another time or ends it. */
  attempt(deliveryId: string, signal: AbortSignal): Promise<void>;
}): Deliverer {
  const { store, clock, duties, background, catchUp, index, attempt } = parts;
  const webhooks = new Map<string, Lanes>();
  /** Webhooks that may have a delivery that is due. */
  const waiting = createFairQueue<string>();
  const waitingFailing = createFairQueue<string>();
  const requests = createFairShare(MAX_REQUESTS);
  const requestsFailing = createFairShare(MAX_REQUESTS_FAILING);
  const turns = new Set<Promise<void>>();
  const stopping = new AbortController();

  function lanesOf(webhookId: string): Lanes {
    const known = webhooks.get(webhookId);
    if (known !== undefined) return known;
    const lanes: Lanes = {
      ...{ appId: index.appOf(webhookId) ?? "", sending: new Set(), turns: 0, disarm: null },
      ...{ isFailing: false, isCatchingUp: false, isWaiting: false },
    };
    webhooks.set(webhookId, lanes);
    return lanes;
  }

  function wake(webhookId: string): void {
    if (stopping.signal.aborted || !duties.isMine) return;
    const lanes = lanesOf(webhookId);
    const [queue, other] = lanes.isFailing ? [waitingFailing, waiting] : [waiting, waitingFailing];
    other.remove(lanes.appId, webhookId);
    queue.add(lanes.appId, webhookId); // keeps its place if it is already waiting
    lanes.isWaiting = true;
    beginTurns();
  }

  function beginTurns(): void {
    while (!stopping.signal.aborted) {
      const failing = waitingFailing.take(undefined, (app) => requests.mayTake(app) && requestsFailing.mayTake(app));
      const next = failing ?? waiting.take(undefined, requests.mayTake);
      if (next === undefined) return;
      begin(next, failing !== undefined);
    }
  }

  function begin(webhookId: string, isFailing: boolean): void {
    const lanes = lanesOf(webhookId);
    const shares = isFailing ? [requests, requestsFailing] : [requests];
    lanes.isWaiting = false;
    lanes.turns++;
    for (const share of shares) share.take(lanes.appId);
    const turn = background
      .retryUntilDone("webhooks", () => unlessStopping(webhookId, lanes))
      .done.then(() => {
        lanes.turns--;
        for (const share of shares) share.release(lanes.appId);
        turns.delete(turn);
        forgetIfIdle(webhookId, lanes);
        beginTurns();
      });
    turns.add(turn);
  }

  async function unlessStopping(webhookId: string, lanes: Lanes): Promise<void> {
    try {
      if (!stopping.signal.aborted) await sendNext(webhookId, lanes);
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    }
  }

  /** Rejects if the storage fails. The event is then sent again. */
  async function sendNext(webhookId: string, lanes: Lanes): Promise<void> {
    lanes.disarm?.();
    lanes.disarm = null;
    const webhook = await store.get<WebhookDocument>(webhookKey(webhookId));
    if (webhook?.document.enabled !== true) return;
    lanes.isFailing = webhook.document.failing_since !== null;
    await catchUpOnce(webhook.document, lanes);
    const limit = lanes.isFailing ? 1 : MAX_REQUESTS_PER_WEBHOOK;
    if (lanes.sending.size >= limit) return;
    const next = await nextOf(webhookId, lanes);
    if (next === null || stopping.signal.aborted) return;
    if (Date.parse(next.due_at) > clock.now()) return waitFor(webhookId, lanes, next.due_at);
    const { id } = next;
    if (lanes.sending.size >= limit) return;
    if (lanes.sending.has(id)) return wake(webhookId); // another turn was faster
    lanes.sending.add(id);
    if (lanes.sending.size < limit) wake(webhookId); // another may be due
    try {
      await attempt(id, stopping.signal);
    } finally {
      lanes.sending.delete(id);
    }
    wake(webhookId);
  }

  async function catchUpOnce(webhook: WebhookDocument, lanes: Lanes): Promise<void> {
    if (webhook.catch_up === null || lanes.isCatchingUp) return;
    lanes.isCatchingUp = true;
    try {
      await catchUp.run(webhook);
    } finally {
      lanes.isCatchingUp = false;
    }
  }

  /** Returns the next delivery that is not being sent. Rejects if the storage fails. */
  async function nextOf(webhookId: string, { sending }: Lanes): Promise<{ id: string; due_at: string } | null> {
    const range = dueRange(webhookId);
    const { ids, orders = [] } = await store.list(DUE, {
      ...range,
      limit: MAX_REQUESTS_PER_WEBHOOK + 1,
      descending: false,
      withoutTotal: true,
    });
    const index = ids.findIndex((id) => !sending.has(id));
    const [id, order] = [ids[index], orders[index]];
    return id === undefined || order === undefined ? null : { id, due_at: dueTimeOf(webhookId, order) };
  }

  function waitFor(webhookId: string, lanes: Lanes, due_at: string): void {
    lanes.disarm?.();
    lanes.disarm = atMoment(clock, Date.parse(due_at), () => wake(webhookId));
  }

  function forgetIfIdle(webhookId: string, { turns, disarm, isWaiting }: Lanes): void {
    if (turns === 0 && disarm === null && !isWaiting) webhooks.delete(webhookId);
  }

  return {
    wake,
    async stop() {
      stopping.abort();
      catchUp.stop();
      for (const { disarm } of webhooks.values()) disarm?.();
      await Promise.all(turns);
    },
  };
}
