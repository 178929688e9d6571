/** A trigger: describes where the records of a collection come from. Stepwell stores triggers but does not run them. */
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
  /** Kind of the mapping. */
  type: text,
  /** Field of the record to write. */
  entity_path: text,
  /** Path to the value in the event: one name for each level. */
  input_path: list(text),
  /** Name for people. */
  name: text,
});

const TriggerConfig = strictObject({
  /** Kind of the source. */
  type: text,
  /** Values of the event to copy to the record. @default [] */
  mappings: v.exactOptional(list(TriggerMapping), () => []),
  /** Milestones at which to pull records. The misspelling is part of the interface. @default [] */
  pull_on_millestones: v.exactOptional(list(text), () => []),
  /** Folders from which to pull records. @default [] */
  pull_on_folders: v.exactOptional(list(text), () => []),
});

const fields = {
  /** Kind of the trigger. */
  type: text,
  /** Name for people, 1 to 256 characters. */
  name: Name,
  /** Settings of the trigger. */
  config: TriggerConfig,
  /** Whether the trigger is enabled. @default true */
  enabled: v.exactOptional(v.boolean(), true),
  /** Id of the connection of the app to use. @default none */
  connection_id: v.exactOptional(
    v.pipe(v.string(), v.regex(/^con_[\w-]+$/, "Must be the id of a connection (con_…).")),
  ),
} as const;

export const TriggerCreate = strictObject(fields);
/** A trigger: describes where the records of a collection come from. Stored only. */
export interface TriggerInput extends v.InferInput<typeof TriggerCreate> {}

export const TriggerReplace = strictObject({
  /** Id of the stored trigger to replace. @default none: the trigger is new */
  id: v.exactOptional(v.string()),
  ...fields,
});
export interface TriggerReplace extends v.InferOutput<typeof TriggerReplace> {}
/** A trigger in a list that replaces the stored list. */
export interface TriggerChanges extends v.InferInput<typeof TriggerReplace> {}

export const Trigger = v.object({
  /** `trig_…` */
  id: v.string(),
  ...fields,
  /** Collection that the trigger belongs to. */
  collection_id: v.string(),
  /** Date, `YYYY-MM-DD`. */
  created_at: v.string(),
  /** Date, `YYYY-MM-DD`. */
  updated_at: v.string(),
});
/** A trigger: describes where the records of a collection come from. Stored only. */
export interface Trigger extends v.InferOutput<typeof Trigger> {}

/** Builds the list that replaces the stored one. The caller has checked the ids. */
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

/** Converts the stored times to dates. */
export function triggerView(trigger: Trigger): Trigger {
  return { ...trigger, created_at: dateOf(trigger.created_at), updated_at: dateOf(trigger.updated_at) };
}
