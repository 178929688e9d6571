/** Deletes expired deliveries, and the triggers and deliveries of a deleted app. */
import { deleteAllListed, rowIds } from "../../../documents/documents.ts";
import { isStepwellError } from "../../../errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Store } from "../../../ports/store.ts";
import { instant } from "../../../time/iso.ts";
import { stateDeletion, type TriggerState, triggerKey, triggersOf } from "../trigger-state.ts";
import { appMark, type DeliveryDocument, deliveryDeletion, deliveryKey, EXPIRING_LIST } from "./delivery.ts";

export function createDeleteDeliveries({ store, clock }: { store: Store; clock: Clock }) {
  /** @param isDeletable Whether to delete a delivery that was found. */
  async function deleteEach(
    deliveryIds: AsyncIterable<string>,
    isStopped: () => boolean,
    isDeletable: (delivery: DeliveryDocument) => boolean,
  ): Promise<void> {
    for await (const id of deliveryIds) {
      if (isStopped()) return;
      const found = await store.get<DeliveryDocument>(deliveryKey(id));
      if (found === null || !isDeletable(found.document)) continue;
      try {
        await store.commit([deliveryDeletion(found.document, found.version)]);
      } catch (error) {
        // It is being handled. The next round finds it again.
        if (!isStepwellError(error, "conflict")) throw error;
      }
    }
  }

  return {
    /** Keeps events that have not been handled, because no process may have been running for a month. */
    deleteExpired: (isStopped: () => boolean): Promise<void> => {
      const until = instant(clock.now());
      const isDeletable = (delivery: DeliveryDocument) => delivery.status !== "pending";
      return deleteEach(rowIds(store, EXPIRING_LIST, { until }), isStopped, isDeletable);
    },

    async deleteAll(appId: string, isStopped: () => boolean): Promise<void> {
      await deleteAllListed<TriggerState>(store, triggersOf(appId), triggerKey, stateDeletion, isStopped);
      await deleteEach(rowIds(store, EXPIRING_LIST, { marks: [[appMark(appId)]] }), isStopped, () => true);
    },
  };
}
