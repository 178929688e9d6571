/** A delivery: one event of a trigger, and its outcome. */
import * as v from "valibot";
import { marksOf } from "../../../documents/documents.ts";
import { pageQuery, tokenQuery } from "../../../documents/pagination.ts";
import type { Hash } from "../../../ports/hash.ts";
import type { Change, Key, RowChange } from "../../../ports/store.ts";
import { jsonObject, list, strictObject } from "../../../schema.ts";
import { dueRow } from "../../../time/durable-timers.ts";
import { instant } from "../../../time/iso.ts";
import { DAY_MS } from "../../../time/units.ts";

/** How long a delivery is kept, and repeats of its event are recognized, after the event was last received. */
const DELIVERY_MEMORY_MS = 30 * DAY_MS;
/** Interval in which the expiry of a repeated event is renewed. Deliveries are kept for this much longer. */
const RENEWAL_MS = DAY_MS;

export const expiryOf = (now: number) => instant(now + DELIVERY_MEMORY_MS + RENEWAL_MS);
export const needsRenewal = ({ expires_at }: DeliveryDocument, now: number) =>
  Date.parse(expires_at) <= now + DELIVERY_MEMORY_MS;

export const DELIVERY_STATUSES = ["pending", "created", "updated", "unchanged", "filtered", "failed", "dead"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const TriggerDelivery = v.object({
  /** `tdel_…` */
  id: v.string(),
  /** Trigger that received the event. */
  trigger_id: v.string(),
  /** Id of the event at its source. */
  event_id: v.string(),
  /** Milestone of the event, or null. */
  milestone: v.nullable(v.string()),
  /** Folder of the event, or null. */
  folder: v.nullable(v.string()),
  /** The event. */
  data: jsonObject,
  /**
   * `pending` until it is handled, also while the trigger is disabled. Then `created`, `updated` or `unchanged` for what the
   * event did to the record, `filtered` if the trigger excludes it, `failed` if it cannot be written, `dead` if every attempt
   * failed with an unexpected error.
   */
  status: v.picklist(DELIVERY_STATUSES),
  /** Record that the event wrote or found, or null. */
  record_id: v.nullable(v.string()),
  /**
   * Why the event wrote nothing, why the last attempt failed or why the event waits; `nothing_mapped` if it has no value for
   * any mapped field. Null otherwise.
   */
  reason: v.nullable(
    v.object({
      /** Error code. */
      code: v.string(),
      /** What went wrong. */
      message: v.string(),
    }),
  ),
  /** Number of attempts. */
  attempts: v.number(),
  /** When the next attempt is due, ISO 8601; null if there is none. */
  next_attempt_at: v.nullable(v.string()),
  /** When the event was received, ISO 8601. */
  received_at: v.string(),
  /** When the event was handled, ISO 8601, or null. */
  finished_at: v.nullable(v.string()),
});
/** One event of a trigger, and its outcome. Kept for 30 days. */
export interface TriggerDelivery extends Readonly<v.InferOutput<typeof TriggerDelivery>> {}

/** The events of a request are stored. */
export const DeliveryReceipt = v.object({
  /** The deliveries of the events, whether they were received with this request or an earlier one. */
  deliveries: list(
    v.object({
      /** `tdel_…` */
      id: v.string(),
      /** Id of the event at its source. */
      event_id: v.string(),
    }),
  ),
});

export const DeliveryQuery = strictObject({
  ...pageQuery,
  ...tokenQuery,
  status: v.exactOptional(v.picklist(DELIVERY_STATUSES, `Must be one of ${DELIVERY_STATUSES.join(", ")}.`)),
});
export interface DeliveryQuery extends v.InferOutput<typeof DeliveryQuery> {}

/** A delivery as stored. */
export interface DeliveryDocument extends TriggerDelivery {
  readonly app_id: string;
  readonly collection_id: string;
  /** ISO 8601. */
  readonly expires_at: string;
  /** Ascending text that orders the events of one millisecond, such as those of one request. Absent in older documents. */
  readonly arrival?: string;
}

/** Deliveries whose next attempt is due, by its time. */
export const DUE_LIST = "trigger-deliveries.due";
/** All deliveries, by the time when they expire, with their app. */
export const EXPIRING_LIST = "trigger-deliveries.expiring";

const PREFIX = "tdel_";
const ID = /^tdel_[0-9a-f]{40}$/;
export const isDeliveryId = (id: string) => ID.test(id);
export const deliveriesOf = (triggerId: string) => `trigger-deliveries.${triggerId}`;
export const deliveryKey = (deliveryId: string): Key => `trigger-delivery:${deliveryId.slice(PREFIX.length)}`;
export const isDeliveryKey = (key: string | undefined) => key?.startsWith("trigger-delivery:") === true;
export const appMark = (appId: string) => `app:${appId}`;
export const statusMarks = (status: string | undefined) => marksOf("status", status);

/** The same event of a trigger always has the same delivery. */
export function deliveryIdOf(triggerId: string, eventId: string, hash: Hash): string {
  return `${PREFIX}${hash.sha256(JSON.stringify([triggerId, eventId])).slice(0, 40)}`;
}

/** The time, and the arrival within it. At most the time itself, so that a row is due at its time. */
const inOrder = (time: string, arrival: string | undefined) =>
  arrival === undefined ? time : `${time.replace(/Z$/, "")}#${arrival}`;

export function deliveryChange(document: DeliveryDocument, expected: number | null): Change {
  const { id, app_id, trigger_id, status, received_at, expires_at, next_attempt_at, arrival } = document;
  const due = next_attempt_at === null ? null : inOrder(next_attempt_at, arrival);
  const rows: RowChange[] = [
    { list: deliveriesOf(trigger_id), put: { id, order: inOrder(received_at, arrival), marks: [`status:${status}`] } },
    { list: EXPIRING_LIST, put: { id, order: expires_at, marks: [appMark(app_id)] } },
    dueRow(DUE_LIST, id, due),
  ];
  return { key: deliveryKey(id), document, expected, rows };
}

export function deliveryDeletion({ id, trigger_id }: DeliveryDocument, expected: number): Change {
  const lists = [deliveriesOf(trigger_id), EXPIRING_LIST, DUE_LIST];
  return { key: deliveryKey(id), document: null, expected, rows: lists.map((list) => ({ list, delete: id })) };
}

export function deliveryView({
  app_id: _app,
  collection_id: _collection,
  expires_at: _expires,
  arrival: _arrival,
  ...delivery
}: DeliveryDocument): TriggerDelivery {
  return delivery;
}
