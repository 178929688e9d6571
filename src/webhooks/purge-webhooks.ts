/** Deletes deliveries and events of deleted webhooks and apps, and those older than 30 days. */
import { deleteAllListed, rowIds, updateDocument } from "../documents/documents.ts";
import type { Clock } from "../ports/clock.ts";
import type { Change, Store, Stored } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS } from "../time/units.ts";
import {
  appMark,
  deleteDelivery,
  deleteEvent,
  deliveriesOf,
  deliveryKey,
  type EventDocument,
  eventKey,
  neighbor,
  OUTBOX,
  putDelivery,
  SENT_EVENTS,
} from "./delivery-rows.ts";
import type { Outbox } from "./outbox.ts";
import type { WebhookDocument } from "./webhook.ts";
import type { DeliveryDocument } from "./webhook-delivery.ts";
import type { WebhookIndex } from "./webhook-index.ts";
import { ALL_WEBHOOKS, deleteWebhook, REMOVED_WEBHOOKS, webhookKey, webhooksOf } from "./webhook-rows.ts";
import type { WebhookStamps } from "./webhook-stamps.ts";

/** How long deliveries are kept, including pending ones. Events are kept a day longer. */
const KEPT_MS = 30 * DAY_MS;

type IsStopped = () => boolean;

export interface PurgeWebhooks {
  /** Deletes the deliveries of a deleted webhook, then the webhook. */
  removed(webhookId: string, isStopped: IsStopped): Promise<void>;
  /** Finishes the deletion of webhooks that an earlier process did not finish. */
  allRemoved(isStopped: IsStopped): Promise<void>;
  deleteOld(isStopped: IsStopped): Promise<void>;
  /** Deletes the webhooks, deliveries and events of a deleted app. */
  deleteAll(appId: string, isStopped: IsStopped): Promise<void>;
}

export function createPurgeWebhooks(parts: {
  store: Store;
  clock: Clock;
  index: Pick<WebhookIndex, "load" | "forgetApp">;
  stamps: Pick<WebhookStamps, "remove">;
  outbox: Pick<Outbox, "settled">;
  /** Called when a delivery of a webhook may be due. */
  onDue(webhookId: string): void;
}): PurgeWebhooks {
  const { store, clock, index, stamps, outbox, onDue } = parts;

  async function removed(webhookId: string, isStopped: IsStopped): Promise<void> {
    await outbox.settled(); // from here on, no delivery is added
    await deleteAllListed<DeliveryDocument>(store, deliveriesOf(webhookId), deliveryKey, deleteDelivery, isStopped);
    if (isStopped()) return;
    await updateDocument<WebhookDocument, void>(store, webhookKey(webhookId), (found) => ({
      changes: found === null ? [] : [deleteWebhook(found.document, found.version)],
      result: undefined,
    }));
  }

  /** Deletes a delivery. If it was pending, the next one of its lane becomes due. */
  async function expire({ document, version }: Stored<DeliveryDocument>): Promise<Change[]> {
    const deletion = deleteDelivery(document, version);
    const next = document.status === "pending" ? await neighbor(store, document, "after") : null;
    if (next === null) return [deletion];
    const due_at = next.document.due_at ?? instant(clock.now());
    return [deletion, putDelivery({ ...next.document, due_at }, next.version)];
  }

  async function expireDeliveries(webhookId: string, isStopped: IsStopped): Promise<void> {
    const until = instant(clock.now() - KEPT_MS);
    for await (const id of rowIds(store, deliveriesOf(webhookId), { until })) {
      if (isStopped()) return;
      await updateDocument<DeliveryDocument, void>(store, deliveryKey(id), async (found) => ({
        changes: found === null ? [] : await expire(found),
        result: undefined,
      }));
    }
    onDue(webhookId);
  }

  async function deleteEvents(list: string, chosen: Parameters<typeof rowIds>[2], isStopped: IsStopped) {
    for await (const id of rowIds(store, list, chosen)) {
      if (isStopped()) return;
      await updateDocument<EventDocument, void>(store, eventKey(id), (found) => ({
        changes: found === null ? [] : [deleteEvent(found.document, found.version)],
        result: undefined,
      }));
    }
  }

  return {
    removed,

    async allRemoved(isStopped) {
      for await (const id of rowIds(store, REMOVED_WEBHOOKS)) {
        if (isStopped()) return;
        await removed(id, isStopped);
      }
    },

    async deleteOld(isStopped) {
      for await (const id of rowIds(store, ALL_WEBHOOKS)) await expireDeliveries(id, isStopped);
      await deleteEvents(SENT_EVENTS, { until: instant(clock.now() - KEPT_MS - DAY_MS) }, isStopped);
    },

    async deleteAll(appId, isStopped) {
      await index.load();
      index.forgetApp(appId);
      const marks = [[appMark(appId)]];
      for await (const id of rowIds(store, webhooksOf(appId))) await removed(id, isStopped);
      for await (const id of rowIds(store, REMOVED_WEBHOOKS, { marks })) await removed(id, isStopped);
      for (const list of [OUTBOX, SENT_EVENTS]) await deleteEvents(list, { marks }, isStopped);
      await stamps.remove(appId);
    },
  };
}
