/**
 * Retries deliveries early when a receiver is available again. During an outage, the pause of each delivery grows to up to 12
 * hours. After the first success, all deliveries that failed in the same outage become due immediately, once. This retry doesn't
 * advance their pauses. If it fails, it belongs to the next outage, of which it is the first attempt.
 *
 * An event that the receiver never accepts keeps its pauses as long as others are delivered between its attempts: its first
 * attempt was before the webhook last started to fail, and it has had only one since.
 */
import { updateDocument } from "../documents/documents.ts";
import { isStepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Change, Store, Stored } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { createWorkShare } from "../time/work-share.ts";
import { DUE, deliveryKey, dueRange, putDelivery } from "./delivery-rows.ts";
import { maxPauseAfter, triesAfterOutage } from "./retry-policy.ts";
import type { CatchUp, WebhookDocument } from "./webhook.ts";
import type { DeliveryDocument } from "./webhook-delivery.ts";
import { putWebhook, webhookKey } from "./webhook-rows.ts";

export interface CatchUpWebhook {
  /** Makes the deliveries due, then clears `catch_up` of the webhook. Does nothing if it is null. */
  run(webhook: WebhookDocument): Promise<void>;
  /** Stops early. The next process starts over. */
  stop(): void;
}

/** Deliveries in one commit. */
const PER_COMMIT = 50;

export function createCatchUp({ store, clock }: { store: Store; clock: Clock }): CatchUpWebhook {
  const share = createWorkShare(clock);
  let isStopped = false;

  /** Returns the position of the next page, or undefined after the last one. */
  async function hastenPage(
    webhookId: string,
    catchUp: CatchUp,
    after: string | undefined,
  ): Promise<string | undefined> {
    const now = clock.now();
    const furthest = instant(now + maxPauseAfter(now - Date.parse(catchUp.since)));
    const range = dueRange(webhookId, catchUp.isFresh ? {} : { from: instant(now), until: furthest });
    const page = await store.list(DUE, { ...range, limit: PER_COMMIT, descending: false, after, withoutTotal: true });
    const found = await store.getMany<DeliveryDocument>(page.ids.map(deliveryKey));
    const changes = found.flatMap((stored) => hastened(stored, catchUp, now));
    try {
      if (changes.length > 0) await store.commit(changes);
    } catch (error) {
      // One of them was sent or deleted meanwhile. Read them again.
      if (!isStepwellError(error, "conflict")) throw error;
      return hastenPage(webhookId, catchUp, after);
    }
    return page.next;
  }

  const end = (webhookId: string, catchUp: CatchUp) =>
    updateDocument<WebhookDocument, void>(store, webhookKey(webhookId), (found) => {
      // A caller may have turned the webhook off and on again meanwhile.
      const isSame = found?.document.catch_up?.since === catchUp.since;
      const changes =
        found !== null && isSame ? [putWebhook({ ...found.document, catch_up: null }, found.version)] : [];
      return { changes, result: undefined };
    });

  return {
    async run(webhook) {
      const { id, catch_up } = webhook;
      if (catch_up === null) return;
      share.begin();
      let after: string | undefined;
      do {
        after = await hastenPage(id, catch_up, after);
        if (isStopped) return;
        if (after !== undefined) await share.rest();
      } while (after !== undefined);
      await end(id, catch_up);
    },

    stop() {
      isStopped = true;
      share.stop();
    },
  };
}

function hastened(stored: Stored<DeliveryDocument> | null, catchUp: CatchUp, now: number): Change[] {
  if (stored === null) return [];
  const { document, version } = stored;
  if (document.status !== "pending" || document.due_at === null || !isOfOutage(document, catchUp)) return [];
  const soon = instant(now);
  const earliest = document.not_before !== null && document.not_before > soon ? document.not_before : soon;
  const due_at = document.due_at < earliest ? document.due_at : earliest;
  const tried_since = catchUp.isFresh ? null : document.tried_since;
  if (due_at === document.due_at && tried_since === document.tried_since) return [];
  const tries = catchUp.isFresh ? 0 : triesAfterOutage(document.tries);
  return [putDelivery({ ...document, due_at, tried_since, tries, caught_up: catchUp.since }, version)];
}

/** Whether the delivery failed because the receiver was down, as opposed to rejecting this event. */
function isOfOutage({ tried_since, attempts, caught_up }: DeliveryDocument, { since, isFresh }: CatchUp): boolean {
  if (isFresh) return true;
  if (caught_up === since) return false; // the next outage began within the same millisecond
  if (tried_since !== null && tried_since >= since) return true;
  return attempts.filter(({ at }) => at >= since).length > 1;
}
