/** A trigger: turns events of another system into records of a collection. */
import * as v from "valibot";
import { omitUndefined } from "../../json.ts";
import type { Ids } from "../../ports/ids.ts";
import { jsonValue, list, Name, strictObject, wholeNumber } from "../../schema.ts";
import { dateOf } from "../../time/iso.ts";
import { DAY_SECONDS } from "../../time/units.ts";
import { FieldPath } from "../mapping.ts";
import { InputPath } from "./input-path.ts";

const MAX_MAPPINGS = 1_000;
export const DEFAULT_INTERVAL_SECONDS = 300;
const MAX_NAMES = 1_000;

const text = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(1_024, "Must have at most 1024 characters."),
);
const names = (title: string, description: string) =>
  v.exactOptional(
    v.pipe(
      list(text),
      v.maxLength(MAX_NAMES, `Must have at most ${MAX_NAMES} names.`),
      v.title(title),
      v.description(description),
    ),
    () => [],
  );

/** The kind of the mapping that finds the record. */
export const KEY = "key";
/** The kind of a mapping whose value is the id of a file, or a list of ids. */
export const FILE = "file";

const TriggerMapping = strictObject({
  /**
   * Kind of the mapping. `key` looks the record up by the value; at most one mapping can have this kind. `file` writes
   * one file or a list of files by id. Any other kind writes the value.
   */
  type: v.pipe(
    text,
    // With another case, each event would silently make a record of its own.
    v.check(
      (kind) => ![KEY, FILE].includes(kind.toLowerCase()) || [KEY, FILE].includes(kind),
      ({ input }) => `Must be "${input.toLowerCase()}", in lower case.`,
    ),
    v.title("Kind"),
    v.description("key finds the record, file writes files by their ids, and field writes the value."),
    v.examples(["field"]),
  ),
  /** Field of the record, as `entity:field`. */
  entity_path: v.pipe(
    FieldPath,
    v.title("Field of the record"),
    v.description("As entity:field."),
    v.examples(["loan:amount"]),
  ),
  /** Path to the value in the event: one name for each level, at most 100. Digits select an item of a list. */
  input_path: v.pipe(
    InputPath,
    v.title("Path in the event"),
    v.description("One name for each level. Digits select an item of a list."),
  ),
  /** Name for people. */
  name: v.pipe(text, v.title("Name"), v.description("What people call this value.")),
});

const coreSettings = {
  /** Name of the trigger type: the same as the `type` of the trigger. */
  type: text,
  /** Values of the event to copy to the record, at most 1,000. @default [] */
  mappings: v.exactOptional(
    v.pipe(
      list(TriggerMapping),
      v.maxLength(MAX_MAPPINGS, `Must have at most ${MAX_MAPPINGS} mappings.`),
      v.title("Mappings"),
      v.description("Values of the event to copy to the record."),
    ),
    () => [],
  ),
  /** Milestones whose events to handle; empty for all. The misspelling is part of the interface. @default [] */
  pull_on_millestones: names("Milestones", "Milestones whose events to handle. Leave it empty for all."),
  /** Folders whose events to handle; empty for all. @default [] */
  pull_on_folders: names("Folders", "Folders whose events to handle. Leave it empty for all."),
  /** Seconds between polls, from 30 to 86,400 (24 hours), if the trigger polls. @default 300 */
  interval: v.exactOptional(
    v.pipe(wholeNumber(30, DAY_SECONDS), v.title("Interval"), v.description("Seconds between polls. Default: 300.")),
  ),
} as const;

/** The type of the trigger may have further settings. Without a prototype, so that one may be named "toString". */
const ownSettings: typeof coreSettings = Object.assign(Object.create(null), coreSettings);
const TriggerConfig = v.objectWithRest(ownSettings, jsonValue);
export type TriggerConfig = v.InferOutput<typeof TriggerConfig>;
const CoreSettings = v.object(coreSettings);
const { type: _, interval, ...unpolled } = coreSettings;
/** The settings that triggers of every type have, besides their type. */
export const commonSettings = (polls: boolean) => v.object(polls ? { ...unpolled, interval } : unpolled);
/** The settings that triggers of every type have. */
export interface CoreTriggerSettings extends v.InferInput<typeof CoreSettings> {}

/** The settings that the trigger type has a schema for. */
export function settingsOf(config: TriggerConfig): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !Object.hasOwn(coreSettings, name)));
}

const connectionId = v.pipe(v.string(), v.regex(/^con_[\w-]+$/, "Must be the id of a connection (con_…)."));

const fields = {
  /** Name of the trigger type: `loan_origination`, `webhook`, `poll`, or one of the option `triggers`. */
  type: text,
  /** Name for people, 1 to 256 characters. */
  name: Name,
  /** Settings of the trigger: those of every trigger, and those of its type. */
  config: TriggerConfig,
  /** Whether the trigger accepts events. @default true */
  enabled: v.exactOptional(v.boolean(), true),
  /** Id of the connection of the app to use, if the trigger type needs one. @default none */
  connection_id: v.exactOptional(connectionId),
} as const;

export const TriggerUpdate = strictObject({
  /** Name of the trigger type. */
  type: v.exactOptional(text),
  /** Name for people, 1 to 256 characters. */
  name: v.exactOptional(Name),
  /** Settings that replace all stored ones. */
  config: v.exactOptional(TriggerConfig),
  /** Whether the trigger accepts events. */
  enabled: v.exactOptional(v.boolean()),
  /** Id of the connection of the app to use, or null for none. */
  connection_id: v.exactOptional(v.nullable(connectionId)),
});
export interface TriggerUpdate extends v.InferOutput<typeof TriggerUpdate> {}

/** The trigger after an update. */
export function updatedTrigger(before: Trigger, { connection_id, ...update }: TriggerUpdate, now: string): Trigger {
  const { connection_id: stored, ...rest } = before;
  const connected = connection_id === undefined ? stored : (connection_id ?? undefined);
  return { ...rest, ...update, ...omitUndefined({ connection_id: connected }), updated_at: now };
}

/** Maximum number of triggers. Each has its own document, which is written with the collection. */
export const MAX_TRIGGERS = 500;
const TOO_MANY = `Must have at most ${MAX_TRIGGERS} triggers.`;

/**
 * A new trigger.
 * @example
 * { "type": "webhook", "name": "Orders", "config": { "type": "webhook", "mappings":
 *   [{ "type": "field", "entity_path": "order:number", "input_path": ["number"], "name": "Number" }] } }
 */
export const TriggerCreate = strictObject(fields);
export const TriggerCreates = v.pipe(list(TriggerCreate), v.maxLength(MAX_TRIGGERS, TOO_MANY));
/** A trigger: turns events of another system into records of a collection. */
export interface TriggerInput extends v.InferInput<typeof TriggerCreate> {}
export interface TriggerCreate extends v.InferOutput<typeof TriggerCreate> {}

const TriggerReplace = strictObject({
  /** Id of the stored trigger to replace. @default none: the trigger is new */
  id: v.exactOptional(v.string()),
  ...fields,
});
export const TriggerReplaces = v.pipe(list(TriggerReplace), v.maxLength(MAX_TRIGGERS, TOO_MANY));
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
/** A trigger: turns events of another system into records of a collection. */
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
