/** What is known of a value before and after a run: its JSON Schema, and what it was. Pure. */
import { isJsonObject, isRecord, type JsonObject, type JsonValue, ownField } from "../../../../src/json.ts";

export interface KnownValue {
  /** JSON Schema; `{}` for anything. */
  readonly schema: JsonObject;
  /** What it was in the chosen run; undefined if there is none. */
  readonly value: JsonValue | undefined;
}

export interface KnownField extends KnownValue {
  readonly name: string;
}

export const ANYTHING: KnownValue = { schema: {}, value: undefined };

/** Entries of a list that are shown. The others are like them. */
const MAX_ITEMS = 50;

/** The fields of an object, or the entries of a list that was seen. */
export function fieldsOf({ schema, value }: KnownValue): readonly KnownField[] {
  if (Array.isArray(value)) {
    const items = recordOf(schema["items"]);
    return value.slice(0, MAX_ITEMS).map((item, index) => ({ name: String(index), schema: items, value: item }));
  }
  const declared = recordOf(schema["properties"]);
  const seen: JsonObject = isJsonObject(value) ? value : {};
  const names = new Set([...Object.keys(declared), ...Object.keys(seen)]);
  return [...names].map((name) => ({
    name,
    schema: recordOf(ownField(declared, name)),
    value: ownField(seen, name),
  }));
}

/** The value that a path leads to; null if it cannot be there. */
export function valueAt(from: KnownValue, path: readonly (string | number)[]): KnownValue | null {
  let at: KnownValue = from;
  for (const part of path) {
    const next = typeof part === "number" ? itemOf(at) : fieldsOf(at).find(({ name }) => name === part);
    if (next === undefined) return null;
    at = next;
  }
  return at;
}

/** An item of a list, by its first one. */
export function itemOf({ schema, value }: KnownValue): KnownValue {
  const items = recordOf(schema["items"]);
  return { schema: items, value: Array.isArray(value) ? value[0] : undefined };
}

/** The type as JSON names it; null if nothing is known. */
export function typeOf({ schema, value }: KnownValue): string | null {
  if (value !== undefined && value !== null) return Array.isArray(value) ? "list" : typeof value;
  const { type } = schema;
  if (typeof type === "string") return type === "array" ? "list" : type;
  if (value === null) return "null";
  return isRecord(schema["properties"]) ? "object" : null;
}

export function isList(known: KnownValue): boolean {
  return typeOf(known) === "list";
}

function recordOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

const NAME = /^[A-Za-z_]\w*$/;
/** Names that CEL reads in backticks. */
const QUOTABLE = /^[\w.\-/ ]+$/;
/** Words that CEL keeps for itself. */
const RESERVED: ReadonlySet<string> = new Set(["true", "false", "null", "in"]);

export const isName = (name: string): boolean => NAME.test(name) && !RESERVED.has(name);

/** The field after a dot; null for a name that can only stand in brackets. */
export function fieldText(name: string): string | null {
  if (isName(name)) return name;
  return QUOTABLE.test(name) ? `\`${name}\`` : null;
}

/** The expression of a field, in CEL and in JavaScript alike. */
export function pathText(before: string, name: string, inList: boolean): string {
  if (inList) return `${before}[${name}]`;
  return isName(name) ? `${before}.${name}` : `${before}[${JSON.stringify(name)}]`;
}

/** A value in one line. */
export function shortText(value: JsonValue, most = 200): string {
  const text = JSON.stringify(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
