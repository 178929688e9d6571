/** Turns an event into a change of a record: applies the filters and mappings of its trigger. Pure. */
import * as v from "valibot";
import { cut, type FieldError, MAX_ERRORS } from "../../../errors.ts";
import { type JsonValue, minJsonLength, pointer } from "../../../json.ts";
import { fieldErrors } from "../../../messages/field-errors.ts";
import { MAX_RECORD_BYTES, RecordCreate, type RecordPatch, RecordUpsert } from "../../records/record.ts";
import { parsePath } from "../../records/record-data.ts";
import { isAmbiguous, SEND_AS_STRING } from "../exact-number.ts";
import { valueIn } from "../input-path.ts";
import { FILE, KEY, type TriggerConfig } from "../trigger.ts";
import type { TriggerEvent } from "../trigger-type.ts";

/** Characters of an id in an error. */
const MAX_SHOWN_CHARS = 100;

export type MappedEvent =
  | { readonly kind: "filtered"; readonly message: string }
  | { readonly kind: "refused"; readonly message: string }
  /** Without a mapping of the type `key`, each event creates a record. */
  | { readonly kind: "create"; readonly input: RecordCreate; readonly reason: Reason | null }
  | { readonly kind: "upsert"; readonly input: RecordUpsert; readonly reason: Reason | null };

/** Why the record got no value. */
interface Reason {
  readonly code: string;
  readonly message: string;
}

const NOTHING_MAPPED: Reason = {
  code: "nothing_mapped",
  message: "The event has no value at any input_path of the mappings, so no field was written.",
};

export function mapEvent(config: TriggerConfig, event: TriggerEvent): MappedEvent {
  const excluded = exclusionOf(config, event);
  if (excluded !== null) return { kind: "filtered", message: excluded };
  const data = dataOf(config, event);
  if (typeof data === "string") return refused(data);
  // Before the schemas, which read every value: a mapping may copy a large value to many fields.
  if (minJsonLength(data, MAX_RECORD_BYTES) > MAX_RECORD_BYTES) {
    return refused(`The mapped record would exceed ${MAX_RECORD_BYTES} bytes of JSON.`);
  }
  const key = keyOf(config);
  const isOnlyFound = config.mappings.length > 0 && config.mappings.every(({ type }) => type === KEY);
  const reason = Object.keys(data).length === 0 && !isOnlyFound ? NOTHING_MAPPED : null;
  if (key === undefined) {
    const created = v.safeParse(RecordCreate, { data });
    return created.success
      ? { kind: "create", input: created.output, reason }
      : refused(messageOf(fieldErrors(created.issues)));
  }
  const value = valueIn(event.data, key.input_path);
  if (value === undefined || value === null) {
    return refused(`The event has no value at ${JSON.stringify(key.input_path)}, so the record cannot be looked up.`);
  }
  if (isAmbiguous(value)) return refused(`${pointer(key.input_path)}: ${SEND_AS_STRING}`);
  const upsert = v.safeParse(RecordUpsert, { path: key.entity_path, value, data });
  return upsert.success
    ? { kind: "upsert", input: upsert.output, reason }
    : refused(messageOf(fieldErrors(upsert.issues)));
}

/** Errors of events whose key is a number that lost digits, so that the sender learns of it. */
export function keyErrors(config: TriggerConfig, events: readonly TriggerEvent[]): FieldError[] {
  const key = keyOf(config);
  if (key === undefined) return [];
  const wrong = events.filter((event) => isAmbiguous(valueIn(event.data, key.input_path)));
  return wrong
    .filter((event) => exclusionOf(config, event) === null)
    .map(({ id }) => ({
      pointer: pointer(key.input_path),
      message: `${SEND_AS_STRING} It identifies the record of the event ${JSON.stringify(cut(id, MAX_SHOWN_CHARS))}.`,
    }));
}

const keyOf = ({ mappings }: TriggerConfig) => mappings.find(({ type }) => type === KEY);

/** Why the filters exclude the event; null if they do not. */
function exclusionOf(config: TriggerConfig, { milestone, folder }: TriggerEvent): string | null {
  return (
    exclusion("milestone", config.pull_on_millestones, milestone) ?? exclusion("folder", config.pull_on_folders, folder)
  );
}

function exclusion(what: string, wanted: readonly string[], found: string | undefined): string | null {
  if (wanted.length === 0 || (found !== undefined && wanted.includes(found))) return null;
  return found === undefined
    ? `The event has no ${what}.`
    : `The trigger does not accept the ${what} ${JSON.stringify(found.slice(0, 100))}.`;
}

/**
 * Values of the mapped fields, or a message for a value that is not a file. If the event does not have a value, the field stays
 * as it is. Null deletes it.
 */
function dataOf({ mappings }: TriggerConfig, event: TriggerEvent): RecordPatch | string {
  const entities = new Map<string, Map<string, JsonValue>>();
  for (const { type, entity_path, input_path } of mappings) {
    const value = type === KEY ? undefined : valueIn(event.data, input_path);
    if (value === undefined) continue;
    const written = type === FILE ? fileReferences(value) : value;
    if (written === undefined)
      return `The value at ${JSON.stringify(input_path)} must be the id of a file, or a list of ids.`;
    const [entity, field] = parsePath(entity_path);
    const fields = entities.get(entity) ?? new Map<string, JsonValue>();
    fields.set(field, written);
    entities.set(entity, fields);
  }
  return Object.fromEntries([...entities].map(([entity, fields]) => [entity, Object.fromEntries(fields)]));
}

/** References to the files with these ids; undefined if a value is not an id. */
function fileReferences(value: JsonValue): JsonValue | undefined {
  if (typeof value === "string") return { file_id: value };
  if (!Array.isArray(value)) return value === null ? null : undefined;
  return value.every((id) => typeof id === "string") ? value.map((file_id) => ({ file_id })) : undefined;
}

const refused = (message: string): MappedEvent => ({ kind: "refused", message });

function messageOf(errors: readonly FieldError[]): string {
  return errors
    .slice(0, MAX_ERRORS)
    .map(({ pointer, message }) => `${pointer}: ${message}`)
    .join("; ");
}
