/** Stores a delivery for each new event of a trigger, in one commit. */
import type { Clock } from "../../../ports/clock.ts";
import type { Hash } from "../../../ports/hash.ts";
import type { Ids } from "../../../ports/ids.ts";
import type { Change, Store } from "../../../ports/store.ts";
import { instant } from "../../../time/iso.ts";
import type { FoundTrigger } from "../find-trigger.ts";
import type { TriggerEvent } from "../trigger-type.ts";
import {
  type DeliveryDocument,
  deliveryChange,
  deliveryIdOf,
  deliveryKey,
  expiryOf,
  needsRenewal,
} from "./delivery.ts";
import type { HandleDeliveries } from "./handle-deliveries.ts";

/**
 * Returns the delivery of each event, including events that were received before.
 * @throws StepwellError `conflict` with the key of a delivery that another call stored meanwhile; `too_many_requests`
 */
export type StoreEvents = (
  found: FoundTrigger,
  events: readonly TriggerEvent[],
  alsoCommit?: readonly Change[],
) => Promise<readonly { readonly id: string; readonly event_id: string }[]>;

export function createStoreEvents(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  hash: Hash;
  handling: Pick<HandleDeliveries, "handleSoon" | "checkCapacity">;
}): StoreEvents {
  const { store, clock, ids, hash, handling } = parts;

  return async (found, events, alsoCommit = []) => {
    await handling.checkCapacity();
    const triggerId = found.trigger.id;
    // If a request contains several events with the same id, the first one is used.
    const byId = new Map(
      [...events].reverse().map((event) => [deliveryIdOf(triggerId, event.id, hash), event] as const),
    );
    const deliveryIds = [...byId.keys()].reverse();
    const stored = await store.getMany<DeliveryDocument>(deliveryIds.map(deliveryKey));
    const created = deliveryIds.flatMap((id, index) => {
      const event = byId.get(id);
      return event === undefined || stored[index] !== null
        ? []
        : [newDelivery(id, found, event, clock.now(), ids.next("arrival"))];
    });
    // The expiry of a repeated event is renewed, such as that of an item that stays in a polled list.
    const renewed = stored.flatMap((found) => {
      if (found === null || !needsRenewal(found.document, clock.now())) return [];
      const expires_at = expiryOf(clock.now());
      return [deliveryChange({ ...found.document, expires_at }, found.version)];
    });
    const changes = [...renewed, ...created.map((delivery) => deliveryChange(delivery, null)), ...alsoCommit];
    // There is nothing to store for a repeated event.
    if (changes.length > 0) await store.commit(changes);
    // The commit of a pending event may have been stored although it was reported as failed.
    const pending = deliveryIds.filter((_, index) => (stored[index]?.document.status ?? "pending") === "pending");
    handling.handleSoon(triggerId, pending);
    return deliveryIds.flatMap((id) => {
      const event = byId.get(id);
      return event === undefined ? [] : [{ id, event_id: event.id }];
    });
  };
}

export function newDelivery(
  id: string,
  { state, trigger }: FoundTrigger,
  { id: event_id, milestone, folder, data }: TriggerEvent,
  now: number,
  arrival: string,
): DeliveryDocument {
  const received_at = instant(now);
  const { app_id, collection_id } = state.document;
  return {
    ...{ id, app_id, collection_id, trigger_id: trigger.id, event_id, data },
    milestone: milestone ?? null,
    folder: folder ?? null,
    status: "pending",
    record_id: null,
    reason: null,
    attempts: 0,
    next_attempt_at: received_at,
    received_at,
    finished_at: null,
    expires_at: expiryOf(now),
    arrival,
  };
}
