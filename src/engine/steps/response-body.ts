/** Converts the body of an HTTP response to the output of a step without losing data. */
import { toBase64 } from "../../encoding/base64.ts";
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { decodeText } from "../../encoding/decode-text.ts";
import { essenceOf, isJsonType, isMediaFamily } from "../../encoding/text-types.ts";
import { type JsonObject, type JsonValue, parseJson } from "../../json.ts";
import { StepError } from "../step-error.ts";

/** Encoded as base64, this fits into the output of a step. */
const MAX_BINARY_BYTES = 7 * MEBIBYTE;

export interface ResponseBody extends JsonObject {
  /** Parsed JSON, text decoded by its charset, or base64. */
  body: JsonValue;
  /** `base64` if `body` is encoded, or null if it is text or JSON. */
  encoding: "base64" | null;
  /** The server's media type in lowercase without parameters, or null if missing. */
  mime_type: string | null;
}

/** @throws StepError `output_limit` if a binary body is too large for the output of a step. */
export function responseBody(bytes: Uint8Array, contentType: string): ResponseBody {
  const type = essenceOf(contentType);
  const mime_type = type === "" ? null : type;
  const text = responseText(bytes, contentType);
  if (text !== null) return { body: parseBody(text, type), encoding: null, mime_type };
  if (bytes.length > MAX_BINARY_BYTES) {
    const message = `The response has ${bytes.length} bytes of binary data. A step accepts at most ${MAX_BINARY_BYTES}.`;
    throw new StepError("output_limit", message);
  }
  return { body: toBase64(bytes), encoding: "base64", mime_type };
}

/** Returns null if the body is not text. */
export function responseText(bytes: Uint8Array, contentType: string): string | null {
  return isMediaFamily(essenceOf(contentType)) && bytes.length > 0 ? null : decodeText(bytes, contentType);
}

/** Parses text whose media type is JSON. */
export function parseBody(text: string, type: string): JsonValue {
  if (!isJsonType(type) || text === "") return text;
  try {
    return parseJson(text);
  } catch {
    return text; // the media type claims JSON, but the body isn't
  }
}
