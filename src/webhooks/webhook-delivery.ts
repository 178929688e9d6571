/** A delivery: one event for one webhook. */
import * as v from "valibot";
import { pageQuery, tokenQuery } from "../documents/pagination.ts";
import { list, strictObject } from "../schema.ts";

/**
 * `pending`: it is being sent or will be retried. `failed`: it is no longer retried, and the next event of the resource
 * is sent.
 */
export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;

/** Maximum number of attempts in a delivery. */
export const MAX_ATTEMPTS_SHOWN = 20;

export const WebhookAttempt = v.object({
  /** When the request started, ISO 8601. */
  at: v.string(),
  /** Milliseconds until the head of the response, or until the request failed. */
  duration_ms: v.number(),
  /** HTTP status of the response; null if there was none. */
  status: v.nullable(v.number()),
  /** Why the attempt failed; null if it succeeded. */
  error: v.nullable(v.string()),
});
/** One request of a delivery. */
export interface WebhookAttempt extends Readonly<v.InferOutput<typeof WebhookAttempt>> {}

export const WebhookDelivery = v.object({
  /** `dlv_…` */
  id: v.string(),
  /** Webhook that receives the event. */
  webhook_id: v.string(),
  /** Event, which is also the `webhook-id` of each request. */
  event_id: v.string(),
  /** Type of the event. */
  type: v.string(),
  /** Resource that changed. Its events are delivered in order. */
  resource_id: v.string(),
  /** `pending` until it is `delivered`, or `failed` after three days of retries. */
  status: v.picklist(DELIVERY_STATUSES),
  /** Number of requests so far. */
  attempts_count: v.number(),
  /** The last 20 requests, oldest first. */
  attempts: list(WebhookAttempt),
  /**
   * When the next attempt is due, ISO 8601; null if the delivery has ended or waits for an earlier event of the
   * resource.
   */
  due_at: v.nullable(v.string()),
  /** ISO 8601. */
  created_at: v.string(),
});
/** The delivery of an event to a webhook. */
export interface WebhookDelivery extends Readonly<v.InferOutput<typeof WebhookDelivery>> {
  /** The last 20 requests, oldest first. */
  readonly attempts: readonly WebhookAttempt[];
}

export const DeliveryQuery = strictObject({
  ...pageQuery,
  ...tokenQuery,
  status: v.exactOptional(v.picklist(DELIVERY_STATUSES, "Must be pending, delivered or failed.")),
});
export interface DeliveryQuery extends v.InferOutput<typeof DeliveryQuery> {}

/** A delivery as stored. */
export interface DeliveryDocument extends Omit<WebhookDelivery, "attempts"> {
  readonly app_id: string;
  readonly attempts: readonly WebhookAttempt[];
  /** When the first attempt began, ISO 8601, from which the three days count; null before. Redelivery resets it. */
  readonly tried_since: string | null;
  /** Attempts since then, which determine the next pause. Those after an outage are not counted. */
  readonly tries: number;
  /** The earliest time that `Retry-After` allows, ISO 8601; null without the header. */
  readonly not_before: string | null;
  /** The beginning of the last outage after which it was retried early, ISO 8601. Absent before. */
  readonly caught_up?: string;
}

export function deliveryView({
  app_id,
  tried_since,
  tries,
  not_before,
  caught_up,
  ...delivery
}: DeliveryDocument): WebhookDelivery {
  return { ...delivery, attempts: [...delivery.attempts] };
}
