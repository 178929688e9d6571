/** Keys, lists and changes of webhooks. */
import type { Change, Key, RowChange } from "../ports/store.ts";
import { appMark } from "./delivery-rows.ts";
import type { WebhookDocument } from "./webhook.ts";

/** All webhooks that were not deleted. */
export const ALL_WEBHOOKS = "webhooks.all";
/** Deleted webhooks whose deliveries are still being deleted. */
export const REMOVED_WEBHOOKS = "webhooks.removed";
export const webhooksOf = (appId: string) => `webhooks.${appId}`;
export const webhookKey = (webhookId: string): Key => `webhook:${webhookId}`;

/** Stores a webhook. */
export interface WebhookChange extends Change {
  readonly document: WebhookDocument;
}

export function putWebhook(webhook: WebhookDocument, expected?: number): WebhookChange {
  const { id, app_id, removed } = webhook;
  const listed: RowChange[] = [ALL_WEBHOOKS, webhooksOf(app_id)].map((list) =>
    removed === true ? { list, delete: id } : { list, put: { id } },
  );
  const gone: RowChange[] = removed === true ? [{ list: REMOVED_WEBHOOKS, put: { id, marks: [appMark(app_id)] } }] : [];
  return { key: webhookKey(id), document: webhook, expected, rows: [...listed, ...gone] };
}

export function deleteWebhook({ id, app_id }: WebhookDocument, expected: number): Change {
  const rows = [ALL_WEBHOOKS, webhooksOf(app_id), REMOVED_WEBHOOKS].map((list) => ({ list, delete: id }));
  return { key: webhookKey(id), document: null, expected, rows };
}
