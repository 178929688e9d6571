/** Keys, lists and changes of deliveries and of the events that they send. */
import type { StepwellEvent } from "../events/event.ts";
import type { Change, Key, RowChange, Store } from "../ports/store.ts";
import type { DeliveryDocument } from "./webhook-delivery.ts";

/** An event in the outbox, or whose deliveries have been created. */
export interface EventDocument {
  readonly app_id: string;
  readonly event: StepwellEvent;
  readonly resource: string;
  readonly parent: string | null;
  /** The last webhook for which a delivery was created; null before. */
  readonly after: string | null;
}

/** Events whose deliveries have not all been created, in the order of their ids. */
export const OUTBOX = "webhooks.outbox";
/** Events whose deliveries have been created, by time. */
export const SENT_EVENTS = "webhooks.events";
/** Pending deliveries by webhook, then by due time, so that finding those of a webhook takes the same time for any backlog. */
export const DUE = "webhooks.due";
/** Pending deliveries by lane: those of one webhook and one resource follow each other, in order. */
export const LANES = "webhooks.lanes";
/** All deliveries of a webhook. */
export const deliveriesOf = (webhookId: string) => `webhook-deliveries.${webhookId}`;

export const eventKey = (eventId: string): Key => `event:${eventId}`;
export const deliveryKey = (deliveryId: string): Key => `webhook-delivery:${deliveryId}`;
export const appMark = (appId: string) => `app:${appId}`;

const dueOrder = (webhookId: string, time: string) => `${webhookId}/${time}`;
/** The time of a row in {@link DUE}. */
export const dueTimeOf = (webhookId: string, order: string) => order.slice(dueOrder(webhookId, "").length);
/** Sorts after every time. */
const FOREVER = "~";

/** The rows of a webhook in {@link DUE}. @param until The last time, ISO 8601. @default all */
export const dueRange = (
  webhookId: string,
  { from = "", until = FOREVER }: { from?: string; until?: string } = {},
) => ({
  from: dueOrder(webhookId, from),
  until: dueOrder(webhookId, until),
});

/** Yields the webhooks with pending deliveries that are due at some time. Reads one row of each. */
export async function* webhooksWithDue(store: Store): AsyncGenerator<string, void> {
  for (let from: string | undefined; ; ) {
    const [order] = (await store.list(DUE, { limit: 1, descending: false, withoutTotal: true, from })).orders ?? [];
    if (order === undefined) return;
    const webhookId = order.slice(0, order.indexOf("/"));
    yield webhookId;
    from = dueOrder(webhookId, FOREVER);
  }
}

const laneOf = ({ webhook_id, resource_id }: DeliveryDocument) => `${webhook_id}/${resource_id}/`;
const orderOf = (delivery: DeliveryDocument) => `${laneOf(delivery)}${delivery.event_id}`;

/** The change that stores a delivery with its rows. */
export function putDelivery(delivery: DeliveryDocument, expected?: number): Change {
  const { id, webhook_id, status, due_at, created_at } = delivery;
  const log = { id, order: created_at, marks: [`status:${status}`] };
  const rows: RowChange[] = [
    { list: deliveriesOf(webhook_id), put: log },
    status === "pending" ? { list: LANES, put: { id, order: orderOf(delivery) } } : { list: LANES, delete: id },
    due_at === null ? { list: DUE, delete: id } : { list: DUE, put: { id, order: dueOrder(webhook_id, due_at) } },
  ];
  return { key: deliveryKey(id), document: delivery, expected, rows };
}

export function deleteDelivery({ id, webhook_id }: DeliveryDocument, expected: number): Change {
  const rows = [deliveriesOf(webhook_id), LANES, DUE].map((list) => ({ list, delete: id }));
  return { key: deliveryKey(id), document: null, expected, rows };
}

export function deleteEvent({ event: { id } }: EventDocument, expected: number): Change {
  const rows = [OUTBOX, SENT_EVENTS].map((list) => ({ list, delete: id }));
  return { key: eventKey(id), document: null, expected, rows };
}

/** The delivery of the same lane before or after this one; null if there is none. */
export async function neighbor(store: Store, delivery: DeliveryDocument, which: "before" | "after") {
  const after = `${delivery.id}:${orderOf(delivery)}`;
  const { ids } = await store.list(LANES, { limit: 1, after, descending: which === "before" });
  const found = ids[0] === undefined ? null : await store.get<DeliveryDocument>(deliveryKey(ids[0]));
  return found !== null && laneOf(found.document) === laneOf(delivery) ? found : null;
}
