/** Creates, reads, updates and deletes webhooks, rotates their secrets, and reads their deliveries. */
import { listPage, marksOf, type PageQuery, updateDocument } from "../documents/documents.ts";
import type { Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { retryOnConflict } from "../documents/retry-on-conflict.ts";
import { notFound, StepwellError } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Secrets } from "../ports/secrets.ts";
import type { Store, Stored } from "../ports/store.ts";
import { generateStandardSecret } from "../signatures/signing-secrets.ts";
import { instant } from "../time/iso.ts";
import { DAY_SECONDS } from "../time/units.ts";
import { deliveriesOf, deliveryKey, type EventDocument, eventKey, putDelivery } from "./delivery-rows.ts";
import { earlierSecrets } from "./earlier-secrets.ts";
import {
  type EventFilter,
  filterProblems,
  type HasScope,
  type RequireParent,
  requireReadScopes,
} from "./event-filter.ts";
import { newWebhook } from "./new-webhook.ts";
import { boundTo, type SendEvent } from "./send-event.ts";
import type {
  IssuedWebhook,
  Webhook,
  WebhookCreate,
  WebhookDocument,
  WebhookRotate,
  WebhookUpdate,
} from "./webhook.ts";
import {
  type DeliveryDocument,
  type DeliveryQuery,
  deliveryView,
  type WebhookAttempt,
  type WebhookDelivery,
} from "./webhook-delivery.ts";
import { requireRoom, type WebhookIndex } from "./webhook-index.ts";
import { putWebhook, webhookKey, webhooksOf } from "./webhook-rows.ts";
import { isStampKey, type WebhookStamps } from "./webhook-stamps.ts";

export interface Webhooks {
  /**
   * @throws StepwellError `invalid` for an unknown collection or workflow; `not_configured` if the option `secret` is
   * not set; `conflict` if the app has 1,000 webhooks; `forbidden` if the caller cannot read the events
   */
  create(appId: string, input: WebhookCreate, hasScope: HasScope, receipt: Receipt): Promise<IssuedWebhook>;
  list(appId: string, query: PageQuery): Promise<Page<Webhook>>;
  /** @throws StepwellError `not_found` */
  get(appId: string, webhookId: string): Promise<Webhook>;
  /** @throws StepwellError as `create`. Turning a webhook on or off needs no scope. */
  update(appId: string, webhookId: string, input: WebhookUpdate, hasScope: HasScope): Promise<Webhook>;
  remove(appId: string, webhookId: string): Promise<void>;
  /**
   * Replaces the secret. For a while, requests are also signed with earlier ones.
   * @throws StepwellError `conflict` if five earlier secrets and the current one would be valid
   */
  rotate(appId: string, webhookId: string, input: WebhookRotate): Promise<IssuedWebhook>;
  /** Sends a `webhook.test` event now, even if the webhook is off. Stores nothing. */
  test(appId: string, webhookId: string, signal: AbortSignal | undefined): Promise<WebhookAttempt>;
  deliveries(appId: string, webhookId: string, query: DeliveryQuery): Promise<Page<WebhookDelivery>>;
  /** @throws StepwellError `conflict` if the webhook is disabled, or the event is no longer stored */
  redeliver(appId: string, webhookId: string, deliveryId: string): Promise<WebhookDelivery>;
}

const WEBHOOK_ID = /^whk_[0-9a-z]{26}$/;
const DELIVERY_ID = /^dlv_[0-9a-z]{26}$/;

export function createWebhooks(
  parts: RequireParent & {
    store: Store;
    clock: Clock;
    ids: Ids;
    secrets: Secrets;
    index: Pick<WebhookIndex, "put">;
    stamps: Pick<WebhookStamps, "changes">;
    send: SendEvent;
    /** Called when a delivery of a webhook may be due. */
    onDue(webhookId: string): void;
    /** Called when a webhook was deleted, so that its deliveries can be deleted. */
    onRemoved(webhookId: string): void;
  },
): Webhooks {
  const { store, clock, ids, secrets, index, stamps, send, onDue, onRemoved } = parts;

  function view({ secrets: all, removed: _, catch_up: _catchUp, ...webhook }: WebhookDocument): Webhook {
    const now = instant(clock.now());
    const previous = all.flatMap(({ until }) => (until !== null && until > now ? [until] : []));
    return { ...webhook, previous_until: previous.sort().at(-1) ?? null };
  }

  function own(found: Stored<WebhookDocument> | null, appId: string, id: string): Stored<WebhookDocument> {
    if (found === null || found.document.app_id !== appId || found.document.removed) throw notFound("webhook", id);
    return found;
  }

  async function find(appId: string, id: string): Promise<Stored<WebhookDocument>> {
    return own(WEBHOOK_ID.test(id) ? await store.get<WebhookDocument>(webhookKey(id)) : null, appId, id);
  }

  /** Changes a webhook, and updates the index before the call returns. */
  async function change(
    appId: string,
    id: string,
    decide: (before: WebhookDocument) => WebhookDocument | Promise<WebhookDocument>,
  ): Promise<WebhookDocument> {
    await find(appId, id);
    const stored = await retryOnConflict(isStampKey, () =>
      updateDocument<WebhookDocument, Stored<WebhookDocument>>(store, webhookKey(id), async (found) => {
        const { document: before, version } = own(found, appId, id);
        const document = await decide(before);
        const changes = [putWebhook(document, version), ...(await stamps.changes(appId))];
        return { changes, result: { document, version: version + 1 } };
      }),
    );
    index.put(stored.document, stored.version);
    return stored.document;
  }

  async function checkFilter(appId: string, { collection_id, workflow_id, events }: EventFilter): Promise<void> {
    const errors = await filterProblems(appId, { collection_id, workflow_id, events }, parts);
    if (errors.length > 0) throw invalid(errors);
  }

  return {
    async create(appId, input, hasScope, receipt) {
      const { events, collection_id = null, workflow_id = null } = input;
      requireReadScopes(events, { events }, hasScope);
      await checkFilter(appId, { collection_id, workflow_id, events });
      await requireRoom(store, appId, 1);
      const given = { ...input, id: ids.next("whk"), app_id: appId };
      const { document, secret } = await newWebhook(secrets, given, true, instant(clock.now()));
      const issued = { ...view(document), secret };
      await retryOnConflict(isStampKey, async () =>
        store.commit([putWebhook(document), ...(await stamps.changes(appId)), ...receipt(issued)]),
      );
      index.put(document, 1);
      return issued;
    },

    list: (appId, query) => listPage<WebhookDocument, Webhook>(store, webhooksOf(appId), query, webhookKey, view),

    get: async (appId, id) => view((await find(appId, id)).document),

    async update(appId, id, { enabled, ...input }, hasScope) {
      const document = await change(appId, id, async (before) => {
        const after = { ...before, ...omitUndefined(input), updated_at: instant(clock.now()) };
        if (Object.values(input).some((given) => given !== undefined)) requireReadScopes(after.events, input, hasScope);
        const isFiltered = [input.events, input.collection_id, input.workflow_id].some(
          (given) => given !== undefined && given !== null,
        );
        if (isFiltered) await checkFilter(appId, after);
        if (enabled === undefined || enabled === before.enabled) return after;
        const catch_up = enabled ? { since: before.created_at, isFresh: true } : null;
        return { ...after, enabled, off_reason: enabled ? null : "paused", failing_since: null, catch_up };
      });
      onDue(id);
      return view(document);
    },

    async remove(appId, id) {
      await change(appId, id, (before) => ({ ...before, enabled: false, secrets: [], removed: true }));
      onRemoved(id);
    },

    async rotate(appId, id, { overlap = DAY_SECONDS }) {
      const secret = generateStandardSecret();
      const now = clock.now();
      const document = await change(appId, id, async (before) => {
        const earlier = earlierSecrets(before.secrets, overlap, now);
        const current = { encrypted: await secrets.encrypt(secret, boundTo(before)), until: null };
        return { ...before, secrets: [current, ...earlier], updated_at: instant(now) };
      });
      return { ...view(document), secret };
    },

    async test(appId, id, signal) {
      const { document } = await find(appId, id);
      const event = { id: ids.next("evt"), type: "webhook.test", created_at: instant(clock.now()), app_id: appId };
      const json = JSON.stringify({ ...event, truncated: false, data: { webhook_id: id } });
      const { attempt } = await send(document, { id: event.id, json }, signal ?? new AbortController().signal);
      return attempt;
    },

    async deliveries(appId, id, { status, ...query }) {
      await find(appId, id);
      const rows = { ...query, marks: marksOf("status", status) };
      return listPage<DeliveryDocument, WebhookDelivery>(store, deliveriesOf(id), rows, deliveryKey, deliveryView);
    },

    async redeliver(appId, id, deliveryId) {
      const { document: webhook } = await find(appId, id);
      const key = deliveryKey(DELIVERY_ID.test(deliveryId) ? deliveryId : "none");
      const delivery = await updateDocument<DeliveryDocument, DeliveryDocument>(store, key, async (found) => {
        if (found === null || found.document.webhook_id !== id) throw notFound("delivery", deliveryId);
        if (!webhook.enabled) throw new StepwellError("conflict", "The webhook is disabled. Enable it first.");
        if ((await store.get<EventDocument>(eventKey(found.document.event_id))) === null) {
          throw new StepwellError(
            "conflict",
            "The event of the delivery has been deleted, so it cannot be sent again.",
          );
        }
        const now = instant(clock.now());
        const fresh = { status: "pending", due_at: now, tried_since: null, tries: 0, not_before: null } as const;
        const again: DeliveryDocument = { ...found.document, ...fresh };
        return { changes: [putDelivery(again, found.version)], result: again };
      });
      onDue(id);
      return deliveryView(delivery);
    },
  };
}
