/** One attempt to send a delivery, and what it changes: the delivery, the next one of its lane, and the webhook. */
import { isStepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Change, Store, Stored } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { deliveryKey, type EventDocument, eventKey, neighbor, putDelivery } from "./delivery-rows.ts";
import { grantedPause, nextPause, RETRY_PERIOD_MS } from "./retry-policy.ts";
import type { SendEvent, SentRequest } from "./send-event.ts";
import type { WebhookDocument } from "./webhook.ts";
import { type DeliveryDocument, MAX_ATTEMPTS_SHOWN, type WebhookAttempt } from "./webhook-delivery.ts";
import type { WebhookIndex } from "./webhook-index.ts";
import { putWebhook, type WebhookChange, webhookKey } from "./webhook-rows.ts";
import type { WebhookStamps } from "./webhook-stamps.ts";

export type AttemptDelivery = (deliveryId: string, signal: AbortSignal) => Promise<void>;

/** The status with which a receiver says that its URL is permanently gone. */
const GONE = 410;

export function createAttemptDelivery(parts: {
  store: Store;
  clock: Clock;
  index: Pick<WebhookIndex, "put">;
  stamps: Pick<WebhookStamps, "changes">;
  send: SendEvent;
}): AttemptDelivery {
  const { store, clock, index, stamps, send } = parts;

  /** Commits the changes that `decide` returns for the current delivery. Does nothing if it was deleted or has ended. */
  async function change(
    deliveryId: string,
    decide: (found: Stored<DeliveryDocument>) => Promise<readonly Change[] | null>,
  ): Promise<void> {
    for (;;) {
      const found = await store.get<DeliveryDocument>(deliveryKey(deliveryId));
      if (found?.document.status !== "pending") return;
      const changes = await decide(found);
      if (changes === null) return;
      try {
        return await store.commit(changes);
      } catch (error) {
        if (!isStepwellError(error, "conflict")) throw error;
      }
    }
  }

  /**
   * Clears the due time while an earlier delivery of the lane is pending. It stores that one again, too: if it ends at the same
   * time, it may not know of this delivery yet, and one of the two commits must conflict.
   */
  async function park({ document, version }: Stored<DeliveryDocument>): Promise<readonly Change[] | null> {
    const before = await neighbor(store, document, "before");
    if (before === null) return null;
    return [putDelivery({ ...document, due_at: null }, version), putDelivery(before.document, before.version)];
  }

  async function endOf({ document, version }: Stored<DeliveryDocument>, ended: DeliveryDocument): Promise<Change[]> {
    const next = await neighbor(store, document, "after");
    const now = instant(clock.now());
    const changes = [putDelivery(ended, version)];
    if (next !== null)
      changes.push(putDelivery({ ...next.document, due_at: next.document.due_at ?? now }, next.version));
    return changes;
  }

  async function outcomeOf(
    found: Stored<DeliveryDocument>,
    webhook: Stored<WebhookDocument> | null,
    sent: SentRequest,
  ): Promise<readonly Change[]> {
    const { attempt, retryAfter } = sent;
    const { document, version } = found;
    const now = clock.now();
    const granted = grantedPause(retryAfter);
    const tried: DeliveryDocument = {
      ...document,
      not_before: granted === 0 ? null : instant(now + granted),
      attempts_count: document.attempts_count + 1,
      attempts: [...document.attempts, attempt].slice(-MAX_ATTEMPTS_SHOWN),
      tried_since: document.tried_since ?? attempt.at,
      tries: document.tries + 1,
    };
    const more = webhook === null ? [] : await withStamp(webhook.document, webhookChanges(webhook, attempt, now));
    if (attempt.error === null)
      return [...(await endOf(found, { ...tried, status: "delivered", due_at: null })), ...more];
    const pause = nextPause(tried.tries, now - Date.parse(tried.tried_since ?? attempt.at), retryAfter);
    if (pause === null && attempt.status !== GONE) {
      return [...(await endOf(found, { ...tried, status: "failed", due_at: null })), ...more];
    }
    return [putDelivery({ ...tried, due_at: instant(now + (pause ?? 0)) }, version), ...more];
  }

  /** A webhook that is turned off gets no more events. */
  async function withStamp({ app_id }: WebhookDocument, changes: readonly WebhookChange[]): Promise<readonly Change[]> {
    const isTurnedOff = changes.some(({ document }) => !document.enabled);
    return isTurnedOff ? [...changes, ...(await stamps.changes(app_id))] : changes;
  }

  return async (deliveryId, signal) => {
    const first = await store.get<DeliveryDocument>(deliveryKey(deliveryId));
    if (first?.document.status !== "pending" || first.document.due_at === null) return;
    if ((await neighbor(store, first.document, "before")) !== null) return change(deliveryId, park);
    const { webhook_id, event_id } = first.document;
    const webhook = await store.get<WebhookDocument>(webhookKey(webhook_id));
    if (webhook?.document.enabled !== true) return;
    const event = await store.get<EventDocument>(eventKey(event_id));
    if (event === null) {
      return change(deliveryId, async (found) => endOf(found, { ...found.document, status: "failed", due_at: null }));
    }
    const sent = await send(webhook.document, { id: event_id, json: JSON.stringify(event.document.event) }, signal);
    await change(deliveryId, async (found) => {
      const now = await store.get<WebhookDocument>(webhookKey(webhook_id));
      return outcomeOf(found, now, sent);
    });
    const stored = await store.get<WebhookDocument>(webhookKey(webhook_id));
    if (stored !== null) index.put(stored.document, stored.version);
  };
}

/** The changes of the webhook after an attempt. */
function webhookChanges(
  { document: webhook, version }: Stored<WebhookDocument>,
  { at, status, error }: WebhookAttempt,
  now: number,
): WebhookChange[] {
  const { failing_since } = webhook;
  if (error === null) {
    if (failing_since === null) return [];
    const catch_up = webhook.catch_up ?? { since: failing_since, isFresh: false };
    return [putWebhook({ ...webhook, failing_since: null, catch_up }, version)];
  }
  if (!webhook.enabled) return [];
  // When the request began, so that the last attempt of a delivery, after three days, turns the webhook off.
  const since = failing_since ?? at;
  const off = { ...webhook, failing_since: since, enabled: false, updated_at: instant(now) };
  if (status === GONE) return [putWebhook({ ...off, off_reason: "gone" }, version)];
  if (now - Date.parse(since) >= RETRY_PERIOD_MS) return [putWebhook({ ...off, off_reason: "failing" }, version)];
  return failing_since === null ? [putWebhook({ ...webhook, failing_since: since }, version)] : [];
}
