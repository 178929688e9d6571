/** A webhook: a URL to which Stepwell sends the events of an app. */
import * as v from "valibot";
import { MAX_ERRORS } from "../errors.ts";
import { EVENT_TYPES, typesOf } from "../events/event.ts";
import { parseWebUrl } from "../net/web-url.ts";
import type { Encrypted } from "../ports/secrets.ts";
import { list, secondsUpTo, strictObject } from "../schema.ts";

const MAX_URL_CHARS = 2_048;
const MAX_EVENTS = MAX_ERRORS;

const url = v.pipe(
  v.string(),
  v.maxLength(MAX_URL_CHARS, `Must have at most ${MAX_URL_CHARS} characters.`),
  v.check(isReachable, "Must be an http or https URL without user name, password and fragment."),
);

const event = v.pipe(
  v.string(),
  v.check(
    (pattern) => typesOf(pattern).length > 0,
    `Must be *, a group such as record.*, or one of ${EVENT_TYPES.join(", ")}.`,
  ),
);
const events = v.pipe(
  list(event),
  v.minLength(1, "Must name at least one type of event."),
  v.maxLength(MAX_EVENTS, `Must have at most ${MAX_EVENTS} types.`),
);

export const WebhookCreate = strictObject({
  /** URL that receives the events as POST requests: http: or https:, at most 2,048 characters. */
  url,
  /** Types of events: `record.updated`, a group such as `record.*`, or `*`. */
  events,
  /** Only events of this collection: `record.*`, `rule.*` and `collection.*`. @default all collections */
  collection_id: v.exactOptional(v.nullable(v.string())),
  /** Only events of this workflow: `run.*` and `workflow.*`. @default all workflows */
  workflow_id: v.exactOptional(v.nullable(v.string())),
});
/**
 * A new webhook.
 * @example { "url": "https://example.com/hooks", "events": ["run.*", "record.updated"] }
 */
export interface WebhookCreate extends v.InferOutput<typeof WebhookCreate> {}

export const WebhookUpdate = strictObject({
  /** URL that receives the events as POST requests: http: or https:, at most 2,048 characters. */
  url: v.exactOptional(url),
  /** Types of events. Replaces the stored list and applies to later events; pending deliveries are still sent. */
  events: v.exactOptional(events),
  /** Only events of this collection; null for all. */
  collection_id: v.exactOptional(v.nullable(v.string())),
  /** Only events of this workflow; null for all. */
  workflow_id: v.exactOptional(v.nullable(v.string())),
  /** Whether Stepwell stores and sends events. Enabling the webhook again sends the pending deliveries. */
  enabled: v.exactOptional(v.boolean()),
});
/** Changes to a webhook. Omitted fields keep their values. */
export interface WebhookUpdate extends v.InferOutput<typeof WebhookUpdate> {}

export const WebhookRotate = strictObject({
  /**
   * Seconds for which Stepwell also signs requests with earlier secrets, at most 604,800 (7 days). Also applies to
   * earlier secrets that would expire later.
   * @default 86,400 (1 day)
   */
  overlap: v.exactOptional(secondsUpTo(7, 0)),
});
/** Settings of a rotation. */
export interface WebhookRotate extends v.InferOutput<typeof WebhookRotate> {}

/** `paused`: by a caller. `gone`: the URL responded with 410. `failing`: no delivery succeeded for three days. */
export const OFF_REASONS = ["paused", "gone", "failing"] as const;

const webhook = {
  /** `whk_…` */
  id: v.string(),
  /** App that owns the webhook. */
  app_id: v.string(),
  /** URL that receives the events. */
  url: v.string(),
  /** Types of events. */
  events: list(v.string()),
  /** Collection that the events must belong to; null for all. */
  collection_id: v.nullable(v.string()),
  /** Workflow that the events must belong to; null for all. */
  workflow_id: v.nullable(v.string()),
  /** Whether Stepwell stores and sends events. */
  enabled: v.boolean(),
  /**
   * Why the webhook is disabled: `paused` by a caller, `gone` because the URL responded with 410, `failing` because no
   * delivery succeeded for three days. Null if it is enabled.
   */
  off_reason: v.nullable(v.picklist(OFF_REASONS)),
  /** Start of the current outage, ISO 8601; null if the last delivery succeeded. */
  failing_since: v.nullable(v.string()),
  /** When the earlier secrets expire, ISO 8601; null if there are none. */
  previous_until: v.nullable(v.string()),
  /** ISO 8601. */
  created_at: v.string(),
  /** ISO 8601. */
  updated_at: v.string(),
} as const;

export const Webhook = v.object(webhook);
/** An outgoing webhook: a URL to which Stepwell sends the events of an app. */
export interface Webhook extends Readonly<v.InferOutput<typeof Webhook>> {}

export const IssuedWebhook = v.object({
  ...webhook,
  /** Secret of the signatures (Standard Webhooks). Only this call returns it. */
  secret: v.string(),
});
/** A webhook with its new secret. */
export interface IssuedWebhook extends Readonly<v.InferOutput<typeof IssuedWebhook>> {}

export interface WebhookSecret {
  readonly encrypted: Encrypted;
  /** When the secret expires, ISO 8601; null for the current one. */
  readonly until: string | null;
}

/** Deliveries to retry early because the receiver is available again, or because a caller turned the webhook on. */
export interface CatchUp {
  /** When the outage started, ISO 8601. Only deliveries that failed in the outage are retried early. */
  readonly since: string;
  /** Whether all deliveries are retried for another three days, because a caller turned the webhook on. */
  readonly isFresh: boolean;
}

/** A webhook as stored. */
export interface WebhookDocument extends Omit<Webhook, "previous_until"> {
  /** Newest first. */
  readonly secrets: readonly WebhookSecret[];
  /** Present if the webhook was deleted and its deliveries are still being deleted. */
  readonly removed?: true;
  /** Null if no deliveries are to be retried early. */
  readonly catch_up: CatchUp | null;
}

function isReachable(text: string): boolean {
  if (text.length > MAX_URL_CHARS) return true; // reported above
  const parsed = parseWebUrl(text);
  if (parsed === null || parsed.hash !== "") return false;
  const isWeb = parsed.protocol === "http:" || parsed.protocol === "https:";
  return isWeb && parsed.username === "" && parsed.password === "";
}
