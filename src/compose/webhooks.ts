/** Creates outgoing webhooks: the index of subscriptions, the outbox and the deliverer. */
import { createSecrets } from "../encryption/encryption.ts";
import { notFound } from "../errors.ts";
import type { Store } from "../ports/store.ts";
import type { Background } from "../time/background.ts";
import { createAttemptDelivery } from "../webhooks/attempt-delivery.ts";
import { createCatchUp } from "../webhooks/catch-up.ts";
import { createDeliverer } from "../webhooks/deliverer.ts";
import { webhooksWithDue } from "../webhooks/delivery-rows.ts";
import { createPrepareWebhooks } from "../webhooks/imported-webhooks.ts";
import { createEventOutbox, createOutbox } from "../webhooks/outbox.ts";
import { createPurgeWebhooks } from "../webhooks/purge-webhooks.ts";
import { createSendEvent } from "../webhooks/send-event.ts";
import { createWebhookIndex, type WebhookIndex } from "../webhooks/webhook-index.ts";
import { createWebhookStamps, type WebhookStamps } from "../webhooks/webhook-stamps.ts";
import { createWebhooks } from "../webhooks/webhooks.ts";
import type { DefinitionSlices, HostParts } from "./slices.ts";
import type { Base } from "./storage.ts";

/** What commits need of webhooks. @param wake Called when events have been stored. */
export function createWebhookEvents(parts: { store: Store; isShared: boolean }, wake: () => void) {
  const stamps = createWebhookStamps(parts);
  const index = createWebhookIndex({ ...parts, stamps });
  return { index, stamps, outbox: createEventOutbox(index, wake) };
}

export function composeWebhooks(
  base: Base,
  { fetch, secrets: given }: HostParts,
  { collections, workflows }: Pick<DefinitionSlices, "collections" | "workflows">,
  { index, stamps, background }: { index: WebhookIndex; stamps: WebhookStamps; background: Background },
) {
  const { store, duties } = base;
  const secrets = createSecrets(given);
  const send = createSendEvent({ ...base, fetch, secrets });
  const deliverer = createDeliverer({
    ...{ ...base, background, catchUp: createCatchUp(base), index },
    attempt: createAttemptDelivery({ ...base, index, stamps, send }),
  });
  const onDue = duties.assign("webhook", deliverer.wake);
  const outbox = createOutbox({
    ...{ ...base, background, index },
    onDeliveries: (webhookIds) => webhookIds.forEach(onDue),
  });
  const purge = createPurgeWebhooks({ ...base, index, stamps, outbox, onDue });
  let isStopped = false;
  const ended = () => isStopped;

  const webhooks = createWebhooks({
    ...{ ...base, secrets, index, stamps, send, onDue },
    async requireCollection(appId, collectionId) {
      const { deleted } = await collections.get(appId, collectionId, false);
      if (deleted) throw notFound("collection", collectionId);
    },
    requireWorkflow: workflows.get,
    onRemoved: duties.assign("removed-webhook", (webhookId) => {
      void background.retryUntilDone("webhooks", () => purge.removed(webhookId, ended));
    }),
  });

  return {
    webhooks,
    prepareWebhooks: createPrepareWebhooks({ store, secrets, index }),
    purge,
    wake: duties.assign("events-for-webhooks", outbox.wake),
    /** Resumes what an earlier process left. */
    async resume(): Promise<void> {
      await index.load();
      await purge.allRemoved(ended);
      outbox.wake();
      for await (const id of webhooksWithDue(store)) onDue(id);
    },
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all([outbox.stop(), deliverer.stop()]);
    },
  };
}
