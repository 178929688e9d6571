/** What came to a webhook, as the input of a run: JSON, a form, or anything else as text. */
import { toBase64 } from "../base64.ts";
import { StepwellError } from "../errors.ts";
import { isRecord, type JsonObject, type JsonValue, parseJson } from "../json.ts";

/** Of what was no object, the value stands under `body`. @throws StepwellError `malformed` for what is not of its type */
export async function readPayload(bytes: Uint8Array, contentType: string): Promise<JsonObject> {
  const body = bytes.length === 0 ? {} : await understood(bytes, contentType);
  return isRecord(body) ? (body as JsonObject) : { body };
}

/** A body as it came. @throws StepwellError `too_large` */
export async function collected(source: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size > limit) {
      throw new StepwellError("too_large", `The body is larger than ${limit} bytes, which is the limit.`);
    }
    pieces.push(piece.slice());
  }
  return joined(pieces);
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

async function understood(bytes: Uint8Array, contentType: string): Promise<JsonValue> {
  const [type = ""] = contentType.toLowerCase().split(";", 1);
  if (/^application\/([\w.-]+\+)?json$/.test(type.trim())) return parseJson(utf8(bytes));
  if (type.trim() === "application/x-www-form-urlencoded") return listed(new URLSearchParams(utf8(bytes)));
  if (type.trim() === "multipart/form-data") return listed(await formOf(bytes, contentType));
  try {
    return utf8(bytes);
  } catch {
    return toBase64(bytes); // no text
  }
}

async function formOf(bytes: Uint8Array, contentType: string): Promise<Iterable<[string, string]>> {
  try {
    const body = bytes as Uint8Array<ArrayBuffer>; // made here, of an ArrayBuffer
    const form = await new Response(body, { headers: { "content-type": contentType } }).formData();
    return await Promise.all([...form].map(async ([name, value]) => [name, await textOf(value)] as [string, string]));
  } catch (cause) {
    throw new StepwellError("malformed", "The body is not multipart/form-data.", { cause });
  }
}

const textOf = (value: FormDataEntryValue) => (typeof value === "string" ? value : value.text());

/** A name that comes several times is a list. */
function listed(pairs: Iterable<[string, string]>): JsonObject {
  const values = new Map<string, JsonValue>();
  for (const [given, value] of pairs) {
    const name = given.endsWith("[]") ? given.slice(0, -2) : given;
    const before = values.get(name);
    if (Array.isArray(before)) before.push(value);
    else if (before !== undefined) values.set(name, [before, value]);
    else values.set(name, given === name ? value : [value]);
  }
  return Object.fromEntries(values);
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new StepwellError("malformed", "The body is not valid UTF-8.", { cause });
  }
}
