/** A trigger: what brings records into a collection from elsewhere. */
import * as v from "valibot";
import type { Ids } from "../ports/ids.ts";
import { list, Name, strictObject } from "../schema.ts";
import { dateOf } from "../time/iso.ts";

const text = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(1_024, "Must have at most 1024 characters."),
);

const TriggerMapping = strictObject({
  type: text,
  /** Where in the record the value goes. */
  entity_path: text,
  /** Where in the event the value stands: one name for each level. */
  input_path: list(text),
  name: text,
});

const TriggerConfig = strictObject({
  type: text,
  mappings: v.exactOptional(list(TriggerMapping), () => []),
  /** The spelling is part of the interface. */
  pull_on_millestones: v.exactOptional(list(text), () => []),
  pull_on_folders: v.exactOptional(list(text), () => []),
});

const fields = {
  type: text,
  name: Name,
  config: TriggerConfig,
  enabled: v.exactOptional(v.boolean(), true),
  /** A connection of the app. */
  connection_id: v.exactOptional(
    v.pipe(v.string(), v.regex(/^con_[\w-]+$/, "Must be the id of a connection (con_…).")),
  ),
} as const;

export const TriggerCreate = strictObject(fields);

/** In a list that replaces another: with an id, the trigger that has it stays and changes; without one, it is new. */
export const TriggerReplace = strictObject({ id: v.exactOptional(v.string()), ...fields });
export interface TriggerReplace extends v.InferOutput<typeof TriggerReplace> {}

export const Trigger = v.object({
  id: v.string(),
  ...fields,
  collection_id: v.string(),
  created_at: v.string(),
  updated_at: v.string(),
});
export interface Trigger extends v.InferOutput<typeof Trigger> {}

/** The list after it was replaced; its ids must have been checked. */
export function replaceTriggers(
  { id: collection_id, triggers: before }: { readonly id: string; readonly triggers: readonly Trigger[] },
  given: readonly TriggerReplace[],
  ids: Ids,
  now: string,
): Trigger[] {
  return given.map(({ id = ids.next("trig"), ...fields }) => {
    const created_at = before.find((trigger) => trigger.id === id)?.created_at ?? now;
    return { id, ...fields, collection_id, created_at, updated_at: now };
  });
}

/** With dates where the document has instants. */
export function triggerView(trigger: Trigger): Trigger {
  return { ...trigger, created_at: dateOf(trigger.created_at), updated_at: dateOf(trigger.updated_at) };
}
