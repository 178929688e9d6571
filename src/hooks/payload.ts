/** Turns the body of a hook request into the input of a run: JSON, a form, text, or anything else as base64. */
import { toBase64 } from "../encoding/base64.ts";
import { decodeText } from "../encoding/decode-text.ts";
import { essenceOf, isJsonType, isMediaFamily } from "../encoding/text-types.ts";
import { StepwellError } from "../errors.ts";
import { checkedJson, isRecord, type JsonObject, type JsonValue, parseJson } from "../json.ts";
import { readForm, readMultipartForm } from "./form-payload.ts";

/**
 * A body that is not an object becomes `body`. Bytes that are not text become `{ body, encoding: "base64", mime_type }`.
 * @throws StepwellError `malformed` for a body that does not match its type, such as invalid JSON under
 * `application/json`. It starts no run.
 */
export async function readPayload(bytes: Uint8Array, contentType: string): Promise<JsonObject> {
  const body = bytes.length === 0 ? {} : await parseBody(bytes, contentType);
  return isRecord(body) ? (body as JsonObject) : { body };
}

async function parseBody(bytes: Uint8Array, contentType: string): Promise<JsonValue> {
  const type = essenceOf(contentType);
  if (isJsonType(type)) return parseJson(utf8(bytes));
  if (type === "application/x-www-form-urlencoded") return groupByName(readForm(bytes, contentType));
  if (type === "multipart/form-data") return groupByName(await readMultipartForm(bytes, contentType));
  const text = isMediaFamily(type) ? null : decodeText(bytes, contentType);
  return text === null ? toBase64Body(bytes, type) : { body: text };
}

/** Binary data as base64. */
function toBase64Body(bytes: Uint8Array, type: string): JsonObject {
  return { body: toBase64(bytes), encoding: "base64", mime_type: type === "" ? null : type };
}

/** Turns repeated names into lists. */
function groupByName(pairs: Iterable<readonly [string, JsonValue]>): JsonObject {
  const values = new Map<string, JsonValue>();
  for (const [given, value] of pairs) {
    const name = given.endsWith("[]") ? given.slice(0, -2) : given;
    const before = values.get(name);
    if (Array.isArray(before)) before.push(value);
    else if (before !== undefined) values.set(name, [before, value]);
    else values.set(name, given === name ? value : [value]);
  }
  return checkedJson(Object.fromEntries(values));
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new StepwellError("malformed", "The body is not valid UTF-8.", { cause });
  }
}
