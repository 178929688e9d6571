/** The routes of outgoing webhooks. */

import { type Caller, hasScope } from "../calls/caller.ts";
import { pageQuery, tokenQuery } from "../documents/pagination.ts";
import { createdSecret, nothing, one, pageOf, route } from "../http/route.ts";
import { strictObject } from "../schema.ts";
import type { HasScope } from "./event-filter.ts";
import { IssuedWebhook, Webhook, WebhookCreate, WebhookRotate, WebhookUpdate } from "./webhook.ts";
import { DeliveryQuery, WebhookAttempt, WebhookDelivery } from "./webhook-delivery.ts";
import type { Webhooks } from "./webhooks.ts";

export interface Slices {
  readonly webhooks: Webhooks;
}

const WEBHOOKS = "/apps/{app_id}/webhooks";
const WEBHOOK = "/apps/{app_id}/webhooks/{webhook_id}";
const read = { access: "app", scope: "webhooks:read" } as const;
const write = { access: "app", scope: "webhooks:write" } as const;
const scopesOf =
  (caller: Caller): HasScope =>
  (scope) =>
    hasScope(caller, scope);

export const webhookRoutes = {
  create: route({
    method: "POST",
    path: WEBHOOKS,
    ...write,
    summary:
      "Create an outgoing webhook, which sends events of an app to a URL. Only this response contains the secret. The key also needs the read scopes of the events.",
    body: WebhookCreate,
    answers: createdSecret(IssuedWebhook),
    run: ({ webhooks }: Slices, { params, body, caller, receipt }) =>
      webhooks.create(params.app_id, body, scopesOf(caller), receipt),
  }),
  list: route({
    method: "GET",
    path: WEBHOOKS,
    ...read,
    summary: "List the outgoing webhooks of an app, newest first.",
    query: strictObject({ ...pageQuery, ...tokenQuery }),
    answers: pageOf(Webhook),
    run: ({ webhooks }: Slices, { params, query }) => webhooks.list(params.app_id, query),
  }),
  get: route({
    method: "GET",
    path: WEBHOOK,
    ...read,
    summary: "Get an outgoing webhook, without its secret.",
    answers: one(Webhook),
    run: ({ webhooks }: Slices, { params }) => webhooks.get(params.app_id, params.webhook_id),
  }),
  update: route({
    method: "PATCH",
    path: WEBHOOK,
    ...write,
    summary:
      "Update, enable or disable an outgoing webhook. Pending deliveries are still sent, to the current URL, even if a new filter excludes them. To change more than `enabled`, the key also needs the read scopes of the events.",
    body: WebhookUpdate,
    answers: one(Webhook),
    run: ({ webhooks }: Slices, { params, body, caller }) =>
      webhooks.update(params.app_id, params.webhook_id, body, scopesOf(caller)),
  }),
  remove: route({
    method: "DELETE",
    path: WEBHOOK,
    ...write,
    summary: "Delete an outgoing webhook with its deliveries.",
    answers: nothing(),
    run: ({ webhooks }: Slices, { params }) => webhooks.remove(params.app_id, params.webhook_id),
  }),
  rotate: route({
    method: "POST",
    path: `${WEBHOOK}/rotate`,
    ...write,
    summary:
      "Rotate the secret. Only this response contains the new one. For `overlap` seconds, requests are also signed with earlier secrets, at most five; beyond that, the response is 409.",
    body: WebhookRotate,
    answers: one(IssuedWebhook),
    run: ({ webhooks }: Slices, { params, body }) => webhooks.rotate(params.app_id, params.webhook_id, body),
  }),
  test: route({
    method: "POST",
    path: `${WEBHOOK}/test`,
    ...write,
    summary: "Send a `webhook.test` event immediately and return the outcome.",
    answers: one(WebhookAttempt),
    run: ({ webhooks }: Slices, { params, signal }) => webhooks.test(params.app_id, params.webhook_id, signal),
  }),
  deliveries: route({
    method: "GET",
    path: `${WEBHOOK}/deliveries`,
    ...read,
    summary: "List the deliveries of an outgoing webhook, newest first. They are kept for 30 days.",
    query: DeliveryQuery,
    answers: pageOf(WebhookDelivery),
    run: ({ webhooks }: Slices, { params, query }) => webhooks.deliveries(params.app_id, params.webhook_id, query),
  }),
  redeliver: route({
    method: "POST",
    path: `${WEBHOOK}/deliveries/{delivery_id}/redeliver`,
    ...write,
    summary: "Send a delivery again, with retries for up to three days.",
    answers: one(WebhookDelivery),
    run: ({ webhooks }: Slices, { params }) => webhooks.redeliver(params.app_id, params.webhook_id, params.delivery_id),
  }),
};
