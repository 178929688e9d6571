/** What the body of an HTTP response becomes in the output of a step. Nothing of it is lost. */
import { toBase64 } from "../../encoding/base64.ts";
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { decodeText } from "../../encoding/decode-text.ts";
import { essenceOf, isJsonType, isMediaFamily } from "../../encoding/text-types.ts";
import { type JsonObject, type JsonValue, parseJson } from "../../json.ts";
import { StepError } from "../step-error.ts";

/** As base64 they fit into the output of a step. */
const MAX_BINARY_BYTES = 7 * MEBIBYTE;

export interface ResponseBody extends JsonObject {
  /** Parsed, where it is JSON; text, decoded by its charset; else base64. */
  body: JsonValue;
  /** `base64` where `body` is that; null where it is text or JSON. */
  encoding: "base64" | null;
  /** As the server says, without parameters and in lower case; null where it says nothing. */
  mime_type: string | null;
}

/** @throws StepError `output_limit` for a binary body that is too large for the output of a step */
export function responseBody(bytes: Uint8Array, contentType: string): ResponseBody {
  const type = essenceOf(contentType);
  const mime_type = type === "" ? null : type;
  const text = responseText(bytes, contentType);
  if (text !== null) return { body: parsed(text, type), encoding: null, mime_type };
  if (bytes.length > MAX_BINARY_BYTES) {
    const message = `The response has ${bytes.length} bytes of binary data. A step accepts at most ${MAX_BINARY_BYTES}.`;
    throw new StepError("output_limit", message);
  }
  return { body: toBase64(bytes), encoding: "base64", mime_type };
}

/** Null where the body is not text. */
export function responseText(bytes: Uint8Array, contentType: string): string | null {
  return isMediaFamily(essenceOf(contentType)) && bytes.length > 0 ? null : decodeText(bytes, contentType);
}

function parsed(text: string, type: string): JsonValue {
  if (!isJsonType(type) || text === "") return text;
  try {
    return parseJson(text);
  } catch {
    return text; // it only says that it is JSON
  }
}
