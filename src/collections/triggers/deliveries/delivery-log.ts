/** Lists and reads deliveries, and delivers them again. */
import { listPage, updateDocument } from "../../../documents/documents.ts";
import type { Page } from "../../../documents/pagination.ts";
import { notFound } from "../../../errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Store, Stored } from "../../../ports/store.ts";
import { instant } from "../../../time/iso.ts";
import { type FindTrigger, requireTrigger, type TriggerRef } from "../find-trigger.ts";
import {
  type DeliveryDocument,
  type DeliveryQuery,
  deliveriesOf,
  deliveryChange,
  deliveryKey,
  deliveryView,
  isDeliveryId,
  statusMarks,
  type TriggerDelivery,
} from "./delivery.ts";
import type { HandleDeliveries } from "./handle-deliveries.ts";

export interface DeliveryRef extends TriggerRef {
  readonly delivery_id: string;
}

/** All functions throw StepwellError `not_found`, including for a deleted collection. */
export interface TriggerDeliveries {
  /** Newest first. */
  list(at: TriggerRef, query: DeliveryQuery): Promise<Page<TriggerDelivery>>;
  get(at: DeliveryRef): Promise<TriggerDelivery>;
  /** Handles the event again, with the current settings of the trigger. A pending delivery is attempted at once. */
  redeliver(at: DeliveryRef): Promise<TriggerDelivery>;
}

export function createTriggerDeliveries(parts: {
  store: Store;
  clock: Clock;
  find: FindTrigger;
  handling: Pick<HandleDeliveries, "handleSoon" | "checkCapacity">;
}): TriggerDeliveries {
  const { store, clock, find, handling } = parts;

  function own(found: Stored<DeliveryDocument> | null, { trigger_id, delivery_id }: DeliveryRef) {
    if (found?.document.trigger_id !== trigger_id) throw notFound("delivery", delivery_id);
    return found;
  }

  async function require(at: DeliveryRef): Promise<void> {
    await requireTrigger(find, at);
    if (!isDeliveryId(at.delivery_id)) throw notFound("delivery", at.delivery_id);
  }

  return {
    async list(at, { status, ...query }) {
      await requireTrigger(find, at);
      const marked = { ...query, marks: statusMarks(status) };
      return listPage<DeliveryDocument, TriggerDelivery>(
        store,
        deliveriesOf(at.trigger_id),
        marked,
        (id) => deliveryKey(id),
        deliveryView,
      );
    },

    async get(at) {
      await require(at);
      return deliveryView(own(await store.get<DeliveryDocument>(deliveryKey(at.delivery_id)), at).document);
    },

    async redeliver(at) {
      await require(at);
      await handling.checkCapacity();
      const pending = await updateDocument<DeliveryDocument, DeliveryDocument>(
        store,
        deliveryKey(at.delivery_id),
        (found) => {
          const { document, version } = own(found, at);
          const next_attempt_at = instant(clock.now());
          const again = { status: "pending", attempts: 0, record_id: null, reason: null, finished_at: null } as const;
          const after: DeliveryDocument = { ...document, ...again, next_attempt_at };
          return { changes: [deliveryChange(after, version)], result: after };
        },
      );
      handling.handleSoon(at.trigger_id, [at.delivery_id]);
      return deliveryView(pending);
    },
  };
}
