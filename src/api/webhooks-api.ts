/** The functions of `stepwell.webhooks`. */
import type { Page } from "../documents/pagination.ts";
import type { IssuedWebhook, Webhook, WebhookCreate, WebhookRotate, WebhookUpdate } from "../webhooks/webhook.ts";
import type { WebhookAttempt, WebhookDelivery } from "../webhooks/webhook-delivery.ts";
import type { AllOptions, ListOptions, WebhookDeliveryListOptions } from "./list-options.ts";

/**
 * Outgoing webhooks: URLs to which Stepwell sends the events of an app. Each event is delivered at least once. The
 * events of a resource are delivered in order. Incoming webhooks are `stepwell.hooks`.
 */
export interface WebhooksApi {
  /**
   * Creates a webhook. Stepwell then sends events to its URL as POST requests, signed according to Standard Webhooks.
   * Only this call returns `secret`.
   * @param input `collection_id` limits the events to a collection, `workflow_id` to a workflow.
   * @throws StepwellError `invalid`, including for an unknown collection or workflow; `not_configured` if the option
   * `secret` is not set; `conflict` if the app already has 1,000 webhooks. Over HTTP, `forbidden` for a key without the
   * read scopes of the events
   * @example `const { secret } = await stepwell.webhooks.create(app.id, { url, events: ["record.*", "run.failed"] })`
   */
  create(appId: string, input: WebhookCreate): Promise<IssuedWebhook>;
  /** Lists the webhooks of an app, newest first, without secrets. */
  list(appId: string, options?: ListOptions): Promise<Page<Webhook>>;
  /** Iterates over all webhooks, as {@link list} lists them, page by page. */
  listAll(appId: string, options?: AllOptions): AsyncIterable<Webhook>;
  /** Returns a webhook, without its secret. */
  get(appId: string, webhookId: string): Promise<Webhook>;
  /**
   * Updates, enables or disables a webhook. Omitted fields keep their values. Disabling a webhook pauses pending
   * deliveries until you enable it again. A new filter applies to later events: pending deliveries are still sent, to
   * the current URL.
   * @throws StepwellError as {@link create}
   */
  update(appId: string, webhookId: string, input: WebhookUpdate): Promise<Webhook>;
  /** Deletes a webhook with its deliveries. A request in progress is completed. */
  remove(appId: string, webhookId: string): Promise<void>;
  /**
   * Rotates the secret. For `overlap` seconds (86,400 by default, at most 604,800), Stepwell also signs requests with
   * earlier secrets, at most five.
   * @throws StepwellError `not_configured` if the option `secret` is not set; `conflict` if five earlier secrets are
   * still valid
   */
  rotate(appId: string, webhookId: string, input?: WebhookRotate): Promise<IssuedWebhook>;
  /** Sends a `webhook.test` event immediately, even if the webhook is disabled, and returns the outcome. */
  test(appId: string, webhookId: string): Promise<WebhookAttempt>;
  /** Lists the deliveries of a webhook, newest first, with their attempts. Stepwell keeps them for 30 days. */
  deliveries(appId: string, webhookId: string, options?: WebhookDeliveryListOptions): Promise<Page<WebhookDelivery>>;
  /** Iterates over all deliveries of a webhook, as {@link deliveries} lists them, page by page. */
  allDeliveries(
    appId: string,
    webhookId: string,
    options?: AllOptions<WebhookDeliveryListOptions>,
  ): AsyncIterable<WebhookDelivery>;
  /**
   * Sends a delivery again, with retries for up to three days.
   * @throws StepwellError `conflict` if the webhook is disabled, or the event is no longer stored
   */
  redeliver(appId: string, webhookId: string, deliveryId: string): Promise<WebhookDelivery>;
}
