/** Writes long JSON in parts. Between them, others get their turn of the event loop. */
import { approximateJsonSize, type JsonArray, type JsonObject, type JsonValue } from "../../json.ts";

/**
 * Characters of a part: about a millisecond of work. V8 copies texts of less than 128 KiB twice while they are young,
 * several megabytes in one turn.
 */
const PART_CHARS = 256 * 1024;

/** Whether a value has several parts. */
export function isLongJson(value: JsonValue): boolean {
  return approximateJsonSize(value, PART_CHARS) > PART_CHARS;
}

/** Writes a value in parts. Null above a length in characters. @param pause Called after each part. */
export async function jsonInParts(
  value: JsonValue,
  pause: () => Promise<void>,
  maxChars = Number.POSITIVE_INFINITY,
): Promise<string | null> {
  let json = "";
  for (const part of jsonParts(value)) {
    json += part; // V8 copies nothing yet
    if (json.length > maxChars) return null;
    await pause();
  }
  return json;
}

/** Returns consecutive parts of the JSON of a value, as `JSON.stringify` would write it. */
export function* jsonParts(value: JsonValue): Generator<string, void> {
  const isPlain = typeof value !== "object" || value === null || !("toJSON" in value);
  if (!isPlain || !isLongJson(value)) yield JSON.stringify(value);
  else if (typeof value === "string") yield* partsOfText(value);
  else if (typeof value === "object" && value !== null) yield* partsOfMembers(value);
}

/** JSON escapes a pair of surrogates that is divided, and joins it again. */
function* partsOfText(text: string): Generator<string, void> {
  for (let at = 0; at < text.length; at += PART_CHARS) {
    yield (at === 0 ? '"' : "") + content(text.slice(at, at + PART_CHARS));
  }
  yield '"';
}

function* partsOfMembers(value: JsonArray | JsonObject): Generator<string, void> {
  const isList = Array.isArray(value);
  const short: (readonly [string | number, JsonValue])[] = [];
  let chars = 0;
  let before = isList ? "[" : "{";

  function* shortOnes(): Generator<string, void> {
    const members = short.splice(0);
    chars = 0;
    if (members.length === 0) return;
    yield before + content(isList ? members.map(([, item]) => item) : Object.fromEntries(members));
    before = ",";
  }

  for (const member of isList ? value.entries() : Object.entries(value)) {
    const [key, item] = member;
    if (isLongJson(item)) {
      yield* shortOnes();
      yield before + (isList ? "" : `${JSON.stringify(key)}:`);
      yield* jsonParts(item);
      before = ",";
    } else if (isList || item !== undefined) {
      short.push(member);
      chars += approximateJsonSize(item, PART_CHARS) + (isList ? 1 : String(key).length + 4);
      if (chars > PART_CHARS) yield* shortOnes();
    }
  }
  yield* shortOnes();
  yield isList ? "]" : "}";
}

/** Without quotes or brackets. */
function content(value: JsonValue): string {
  return JSON.stringify(value).slice(1, -1);
}
