/** What changes between two states of a record's data, as the server takes it: null deletes a field or an entity. */

import type { RecordData, RecordPatch } from "../../../../src/collections/records/record.ts";
import { type JsonValue, ownField } from "../../../../src/json.ts";
import type { FormPartState } from "../forms/parts/use-form-part.ts";

export function patchOf(before: RecordData, after: RecordData): RecordPatch {
  const patch = namesOf(before, after).flatMap((entity): [string, Fields | null][] => {
    const [old, next] = [ownField(before, entity), ownField(after, entity)];
    if (next === undefined) return [[entity, null]];
    const fields = fieldPatch(old ?? {}, next);
    return Object.keys(fields).length > 0 ? [[entity, fields]] : [];
  });
  return Object.fromEntries(patch);
}

type Fields = Readonly<Record<string, JsonValue>>;

function fieldPatch(before: Fields, after: Fields): Fields {
  const patch = namesOf(before, after).flatMap((field): [string, JsonValue][] => {
    const [old, next] = [ownField(before, field), ownField(after, field)];
    if (next === undefined) return [[field, null]];
    return JSON.stringify(old) === JSON.stringify(next) ? [] : [[field, next]];
  });
  return Object.fromEntries(patch);
}

const namesOf = (before: object, after: object) => [...new Set([...Object.keys(before), ...Object.keys(after)])];

/** The data in a form; null if it cannot be read: the form then says so. @param message What is wrong with data of another form. */
export function readRecordData(part: FormPartState, message: string): RecordData | null {
  const data = part.read();
  if (data === null || isRecordData(data)) return data;
  part.shown.current?.show([{ pointer: "", message }]);
  return null;
}

/** Whether all that is in a form can be read as data. */
export function isDataReadable(part: FormPartState): boolean {
  return (part.shown.current?.unread() ?? []).length === 0 && isRecordData(part.peek());
}

/** The data in a form, with what can be read only. */
export function dataOf(part: FormPartState): RecordData {
  const data = part.peek();
  return isRecordData(data) ? data : {};
}

/** Whether a value has the form of a record's data. */
function isRecordData(value: JsonValue): value is { [entity: string]: { [field: string]: JsonValue } } {
  const isObject = (one: JsonValue) => typeof one === "object" && one !== null && !Array.isArray(one);
  return isObject(value) && Object.values(Object(value)).every((one) => isObject(one as JsonValue));
}
