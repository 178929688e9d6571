/** What changes between two states of a record's data, as the server takes it: null deletes a field or an entity. */

import type { RecordData, RecordPatch } from "../../../../src/collections/records/record.ts";
import { type JsonValue, ownField } from "../../../../src/json.ts";
import type { FormPartState } from "../forms/parts/use-form-part.ts";

export function patchOf(before: RecordData, after: RecordData): RecordPatch {
  const patch: Record<string, Readonly<Record<string, JsonValue>> | null> = {};
  for (const entity of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, next] = [ownField(before, entity), ownField(after, entity)];
    if (next === undefined) patch[entity] = null;
    else {
      const fields = fieldPatch(old ?? {}, next);
      if (Object.keys(fields).length > 0) patch[entity] = fields;
    }
  }
  return patch;
}

type Fields = Readonly<Record<string, JsonValue>>;

function fieldPatch(before: Fields, after: Fields): Fields {
  const patch: Record<string, JsonValue> = {};
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, next] = [ownField(before, field), ownField(after, field)];
    if (next === undefined) patch[field] = null;
    else if (JSON.stringify(old) !== JSON.stringify(next)) patch[field] = next;
  }
  return patch;
}

/** The data in a form; null if it cannot be read: the form then says so. @param message What is wrong with data of another form. */
export function readRecordData(part: FormPartState, message: string): RecordData | null {
  const data = part.read();
  if (data === null || isRecordData(data)) return data;
  part.shown.current?.show([{ pointer: "", message }]);
  return null;
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
