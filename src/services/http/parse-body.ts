/** Parses bodies of responses. */
import { isJsonType } from "../../encoding/text-types.ts";
import { isTooDeep, type JsonValue, MAX_DEPTH, parseJson } from "../../json.ts";

/** Parses text whose media type is JSON. @param type In lowercase, without parameters. */
export function parseBody(text: string, type: string): JsonValue {
  if (!isJsonType(type) || text === "") return text;
  return parsedJson(text) ?? text; // the media type claims JSON, but the body isn't
}

/** Undefined if the text is not JSON, or too deep as a field of an output. */
export function parsedJson(text: string): JsonValue | undefined {
  try {
    const value = parseJson(text);
    return isTooDeep(value, MAX_DEPTH - 1) ? undefined : value;
  } catch {
    return undefined;
  }
}
