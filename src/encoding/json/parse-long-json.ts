/**
 * Parses long JSON in parts. Between them, others get their turn of the event loop.
 *
 * A part ends behind a comma, at any level. It is parsed with brackets added for what is open there, and its members are
 * moved into the objects and lists that are open: the levels.
 */
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue, jsonProblem, MAX_DEPTH } from "../../json.ts";

/** About the length of a part, which takes about a millisecond. V8 allocates texts of 128 KiB and more apart, which takes longer. */
export const PART_BYTES = 64 * 1024;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const OPENING: readonly (number | undefined)[] = [OPEN_LIST, OPEN_OBJECT];
const SPACES: readonly (number | undefined)[] = [0x20, 0x0a, 0x0d, 0x09];

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A list or an object whose members are in several parts. */
interface Level {
  readonly target: JsonArray | JsonObject;
  /** Whether a comma or a bracket comes next, not a member. */
  isBehindMember: boolean;
  /** Whether a member must come next: there was a comma. */
  needsMember: boolean;
}

/** Where a part ends, and what is open there within its level, from the outside in. */
interface End {
  /** Of a comma, or of the bracket that closes the level. */
  readonly at: number;
  readonly closesLevel: boolean;
  readonly open: readonly Open[];
}

interface Open {
  readonly isList: boolean;
  /** Of the last string in an object before a colon: the key of what is open in it. */
  keyFrom: number;
  keyTo: number;
}

/**
 * Parses an object or a list in UTF-8 as `parseJson` does.
 * @param pause Called after each part.
 * @returns undefined for other values, and for what `parseJson` refuses, or may refuse as a field of an output
 */
export async function parseLongJson(
  bytes: Uint8Array,
  pause: () => Promise<void>,
  partBytes = PART_BYTES,
): Promise<JsonValue | undefined> {
  const start = afterSpaces(bytes, 0);
  const root = levelOf(bytes[start]);
  if (root === undefined) return undefined;
  const levels = [root];
  let at = start + 1;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (level.isBehindMember) {
      at = afterSpaces(bytes, at);
      if (bytes[at] === COMMA) {
        level.isBehindMember = false;
        level.needsMember = true;
      } else if (bytes[at] === closingByte(level.target)) close(levels);
      else return undefined;
      at++;
      continue;
    }
    const end = endOfPart(bytes, at, level, partBytes, MAX_DEPTH - levels.length - 1);
    const part = end === undefined ? undefined : partOf(bytes, at, end, level);
    if (end === undefined || part === undefined) return undefined;
    moveMembers(part, level.target);
    at = end.at + 1;
    if (end.closesLevel) close(levels);
    else {
      const inner = innerLevels(bytes, end.open, level);
      if (inner === undefined) return undefined;
      for (const one of inner) levels.push(one);
      await pause();
    }
  }
  return afterSpaces(bytes, at) === bytes.length ? root.target : undefined;
}

function levelOf(byte: number | undefined): Level | undefined {
  if (byte !== OPEN_LIST && byte !== OPEN_OBJECT) return undefined;
  return { target: byte === OPEN_LIST ? [] : {}, isBehindMember: false, needsMember: false };
}

const closingByte = (target: JsonArray | JsonObject) => (Array.isArray(target) ? CLOSE_LIST : CLOSE_OBJECT);

function close(levels: Level[]): void {
  levels.pop();
  const outer = levels.at(-1);
  if (outer !== undefined) outer.isBehindMember = true;
}

function afterSpaces(bytes: Uint8Array, from: number): number {
  let at = from;
  while (SPACES.includes(bytes[at])) at++;
  return at;
}

/** Undefined if the JSON ends before, or is nested too deep. What is wrong within the part is found when it is parsed. */
function endOfPart(
  bytes: Uint8Array,
  from: number,
  level: Level,
  partBytes: number,
  maxDepth: number,
): End | undefined {
  const open: Open[] = [];
  const own: Open = { isList: Array.isArray(level.target), keyFrom: from, keyTo: from };
  let [textFrom, textTo] = [from, from];
  for (let at = from; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        textFrom = at;
        at = endOfText(bytes, at);
        textTo = at;
        break;
      case COLON: {
        const object = open.at(-1) ?? own;
        object.keyFrom = textFrom;
        object.keyTo = textTo;
        break;
      }
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (open.length >= maxDepth) return undefined;
        open.push({ isList: bytes[at] === OPEN_LIST, keyFrom: at, keyTo: at });
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (open.length === 0) return { at, closesLevel: true, open: [] };
        open.pop();
        break;
      case COMMA:
        if (at - from < partBytes) break;
        // Nothing else would tell that a member is missing: the bracket gets one that closes it.
        if (open.length > 0 && OPENING.includes(byteBefore(bytes, at))) return undefined;
        return { at, closesLevel: false, open: [own, ...open] };
    }
  }
  return undefined;
}

/** The last one that is no space. */
function byteBefore(bytes: Uint8Array, end: number): number | undefined {
  let at = end - 1;
  while (SPACES.includes(bytes[at])) at--;
  return bytes[at];
}

/** The place of the quote that ends a text. */
function endOfText(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** The members of a level in a part; undefined if they are not JSON. */
function partOf(bytes: Uint8Array, from: number, end: End, level: Level): JsonArray | JsonObject | undefined {
  if (end.closesLevel && bytes[end.at] !== closingByte(level.target)) return undefined;
  const isList = Array.isArray(level.target);
  const closing = end.open.slice(1).map((one) => (one.isList ? "]" : "}"));
  const brackets = [isList ? "[" : "{", [...closing.reverse(), isList ? "]" : "}"].join("")] as const;
  try {
    const part: JsonValue = JSON.parse(brackets.join(decoder.decode(bytes.subarray(from, end.at))));
    if (jsonProblem(part) !== null || !(Array.isArray(part) || isJsonObject(part))) return undefined;
    const mayBeEmpty = end.closesLevel && !level.needsMember;
    return mayBeEmpty || Object.keys(part).length > 0 ? part : undefined;
  } catch {
    return undefined;
  }
}

/** The levels within another one at the end of a part. */
function innerLevels(bytes: Uint8Array, open: readonly Open[], outer: Level): readonly Level[] | undefined {
  const levels = [outer];
  for (const { keyFrom, keyTo } of open.slice(0, -1)) {
    const target = levels.at(-1)?.target;
    const inner = Array.isArray(target) ? target.at(-1) : target?.[keyOf(bytes.subarray(keyFrom, keyTo + 1))];
    if (!Array.isArray(inner) && !isJsonObject(inner)) return undefined;
    levels.push({ target: inner, isBehindMember: false, needsMember: false });
  }
  const innermost = levels.at(-1) ?? outer;
  innermost.needsMember = true;
  return levels.slice(1);
}

const keyOf = (text: Uint8Array): string => JSON.parse(decoder.decode(text));

function moveMembers(part: JsonArray | JsonObject, target: JsonArray | JsonObject): void {
  if (Array.isArray(part) && Array.isArray(target)) for (const item of part) target.push(item);
  else Object.assign(target, part);
}
