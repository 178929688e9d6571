/** Turns the body of a hook request into the input of a run: JSON, a form, text, or anything else as base64. */
import { toBase64 } from "../encoding/base64.ts";
import { requireUncompressed } from "../encoding/content-coding.ts";
import { decodeText } from "../encoding/decode-text.ts";
import { matchNames } from "../encoding/multipart/part-name.ts";
import { essenceOf, isJsonType, isMediaFamily } from "../encoding/text-types.ts";
import { requireUtf8, utf8 } from "../encoding/utf8.ts";
import { fileNameIn } from "../files/file-name.ts";
import { checkedJson, isRecord, type JsonObject, type JsonValue, parseJson } from "../json.ts";
import type { InputDefinition } from "../workflows/input/input-field.ts";
import { type InputNames, type ReceivedFile, readForm, readMultipartForm } from "./form-payload.ts";
import { fileFieldsOf } from "./request-files.ts";

export interface Payload {
  readonly values: JsonObject;
  readonly files: readonly ReceivedFile[];
}

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

/**
 * A body that is not an object becomes `body`. Bytes that are not text become `{ body, encoding: "base64", mime_type }`.
 * @param definition Its fields that take files get the files of a multipart form. If there is one such field, it gets a body
 * that is neither JSON nor a form.
 * @throws StepwellError `malformed` for a body that does not match its type, such as invalid JSON under
 * `application/json`; `unsupported_media_type` for a compressed body, and for JSON that is not in UTF-8. It starts no run.
 */
export async function readPayload(bytes: Uint8Array, headers: Headers, definition: InputDefinition): Promise<Payload> {
  const contentType = headers.get("content-type") ?? "";
  const type = essenceOf(contentType);
  const [field, ...otherFields] = fileFieldsOf(definition);
  const isFile =
    field !== undefined && otherFields.length === 0 && !isJsonType(type) && type !== FORM && type !== MULTIPART;
  if (bytes.length === 0) return { values: {}, files: [] };
  requireUncompressed(headers);
  if (isFile) return { values: {}, files: [{ field, name: nameOf(headers) ?? field, body: bytes }] };
  if (type === MULTIPART) {
    const { fields, files } = await readMultipartForm(bytes, contentType, namesOf(definition));
    return { values: groupByName(fields), files };
  }
  const body = parseBody(bytes, contentType, type, definition);
  return { values: isRecord(body) ? (body as JsonObject) : { body }, files: [] };
}

const namesOf = (definition: InputDefinition): InputNames => ({
  match: matchNames(Object.keys(definition)),
  ofFiles: new Set(fileFieldsOf(definition)),
});

function parseBody(bytes: Uint8Array, contentType: string, type: string, definition: InputDefinition): JsonValue {
  if (isJsonType(type)) {
    requireUtf8(contentType);
    return parseJson(utf8(bytes));
  }
  if (type === FORM) return groupByName(readForm(bytes, contentType, namesOf(definition)));
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

function nameOf(headers: Headers): string | undefined {
  const disposition = headers.get("content-disposition");
  return disposition === null ? undefined : fileNameIn(disposition);
}
