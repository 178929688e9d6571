/** Whether the output of an input step is the answer that this page has sent. Pure. */
import { isRecord, type JsonObject, type JsonValue, ownField } from "../../../../src/json.ts";

/** Fields that were left out may have their defaults in the output. */
export function isSameAnswer(sent: JsonObject, output: JsonValue): boolean {
  return isRecord(output) && Object.entries(sent).every(([name, value]) => isSame(value, ownField(output, name)));
}

function isSame(sent: JsonValue, stored: JsonValue | undefined): boolean {
  if (Array.isArray(sent))
    return Array.isArray(stored) && sent.length === stored.length && sent.every((one, at) => isSame(one, stored[at]));
  if (isRecord(sent)) return isRecord(stored) && isSameAnswer(sent, stored);
  // A file is sent as its id.
  if (isRecord(stored)) return stored["id"] === sent;
  return sent === (stored ?? null);
}
