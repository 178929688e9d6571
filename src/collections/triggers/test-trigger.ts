/** Delivers a test event to a trigger. */
import * as v from "valibot";
import type { Receipt } from "../../documents/receipt.ts";
import { StepwellError } from "../../errors.ts";
import { minJsonLength } from "../../json.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Ids } from "../../ports/ids.ts";
import { jsonObject, strictObject } from "../../schema.ts";
import { callInTime } from "./call-type.ts";
import { deliveryIdOf, deliveryView, type TriggerDelivery } from "./deliveries/delivery.ts";
import { newDelivery, type StoreEvents } from "./deliveries/store-events.ts";
import { type FindTrigger, requireTrigger, type TriggerRef } from "./find-trigger.ts";
import { MAX_EVENT_BYTES } from "./trigger-type.ts";
import type { TriggerTypes } from "./trigger-types.ts";

const text = v.exactOptional(v.pipe(v.string(), v.maxLength(1_024, "Must have at most 1024 characters.")));

export const TriggerTest = strictObject({
  /** The event, at most 1 MiB of JSON. @default the sample of the trigger type, if it has one */
  data: v.exactOptional(jsonObject),
  /** Milestone of the event. @default none */
  milestone: text,
  /** Folder of the event. @default none */
  folder: text,
});
/** An event to deliver to a trigger. */
export interface TriggerTest extends v.InferOutput<typeof TriggerTest> {}

/**
 * Delivers an event with a new id, as if the source had sent it. Does not wait for its handling.
 * @throws StepwellError `not_found`; `conflict` for a disabled trigger; `invalid` without data if the type has no sample;
 * `unavailable` if the type takes too long to return one
 */
export type TestTrigger = (at: TriggerRef, input: TriggerTest, receipt: Receipt) => Promise<TriggerDelivery>;

export function createTestTrigger(parts: {
  clock: Clock;
  ids: Ids;
  hash: Hash;
  types: TriggerTypes;
  find: FindTrigger;
  storeEvents: StoreEvents;
}): TestTrigger {
  const { clock, ids, hash, types, find, storeEvents } = parts;
  const called = { clock, name: "test", stopping: new AbortController().signal };

  return async (at, input, receipt) => {
    const found = await requireTrigger(find, at);
    const { id: trigger_id, type: name, enabled } = found.trigger;
    if (!enabled) throw new StepwellError("conflict", "The trigger is disabled. Enable it first.");
    const type = types.find(name);
    const sample = typeof type === "string" ? undefined : await callInTime(called, async () => type.test?.());
    const { data = sample?.data } = input;
    if (data === undefined) {
      const message = `Is required: the trigger type ${JSON.stringify(name)} has no sample.`;
      throw invalid([{ pointer: "/data", message }]);
    }
    if (minJsonLength(data, MAX_EVENT_BYTES) > MAX_EVENT_BYTES) {
      throw new StepwellError("too_large", `An event exceeds the limit of ${MAX_EVENT_BYTES} bytes.`);
    }
    const event = { ...sample, ...input, data, id: ids.next("test") };
    const id = deliveryIdOf(trigger_id, event.id, hash);
    const delivery = deliveryView(newDelivery(id, found, event, clock.now(), ids.next("arrival")));
    await storeEvents(found, [event], receipt(delivery));
    return delivery;
  };
}
