/** What JSON can hold, and the check that a value is just that: what is put in comes back the same. */
import { cut, type FieldError, StepwellError } from "./errors.ts";

export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;
/** With a name, so that the compiler can take it as it is where it would otherwise follow arrays in arrays without end. */
export interface JsonArray extends Array<JsonValue> {}
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Brackets within brackets; deeper data has no honest use here and would exhaust the stack of what walks it. */
export const MAX_DEPTH = 100;

/** Characters of a key in a pointer that people read. */
const MAX_KEY_LENGTH = 200;

/** An RFC 6901 pointer from path parts, for errors: long keys are cut, since a sender chooses them. */
export function pointer(path: readonly (string | number)[]): string {
  return path
    .map((part) => {
      const shown = typeof part === "string" ? cut(part, MAX_KEY_LENGTH) : String(part);
      return `/${shown.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    })
    .join("");
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Parses a JSON text.
 * @throws StepwellError `malformed` when it is none, nests deeper than {@link MAX_DEPTH}, or holds what would not come
 * back the same: `__proto__` as a key, or a number too large for a double.
 */
export function parseJson(text: string): JsonValue {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StepwellError("malformed", `The body is not valid JSON: ${reason}.`, { cause });
  }
  return checkedJson(value);
}

/**
 * The same value, which comes from a request.
 * @throws StepwellError `malformed` where it is not plain JSON that comes back the same
 */
export function checkedJson<Value>(value: Value, within?: FieldError["in"]): Value & JsonValue {
  const wrong = jsonProblem(value);
  if (wrong === null) return value as Value & JsonValue; // just looked through
  const error = within === undefined ? wrong : { ...wrong, in: within };
  throw new StepwellError("malformed", wrong.message, { errors: [error] });
}

/** Where a value stands: as links, since copies of paths would cost depth times size. */
interface Place {
  readonly parent: Place | null;
  readonly key: string | number;
  readonly depth: number;
}

/** Why a value is not plain JSON that comes back the same, or null when it is. */
export function jsonProblem(root: unknown): FieldError | null {
  // A stack of our own: hostile depth must not become a stack overflow.
  const open: { value: unknown; place: Place | null }[] = [{ value: root, place: null }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, place } = next;
    const depth = place?.depth ?? 0;
    const message = depth > MAX_DEPTH ? `Must not be nested deeper than ${MAX_DEPTH} levels.` : scalarProblem(value);
    if (message !== null) return { pointer: pointer(pathTo(place).slice(0, MAX_DEPTH)), message };
    if (Array.isArray(value)) {
      for (let key = 0; key < value.length; key++) {
        const item = value[key];
        if (needsLook(item)) open.push({ value: item, place: { parent: place, key, depth: depth + 1 } });
      }
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        if (key === "__proto__") {
          return { pointer: pointer([...pathTo(place), key]), message: 'The key "__proto__" is not allowed.' };
        }
        const item = value[key];
        if (item !== undefined && needsLook(item)) {
          open.push({ value: item, place: { parent: place, key, depth: depth + 1 } });
        }
      }
    }
  }
  return null;
}

function pathTo(place: Place | null): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = place; at !== null; at = at.parent) path.push(at.key);
  return path.reverse();
}

/**
 * The same value without properties that are `undefined`, which in TypeScript stand for "left out". Gives the value
 * itself when there are none; its depth must have been checked.
 */
export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(withoutUndefined);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  let same = true;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const kept = withoutUndefined(item);
    same &&= kept === item && item !== undefined;
    if (item !== undefined) entries.push([key, kept]);
  }
  return same ? value : Object.fromEntries(entries);
}

/** The type of an object after {@link omitUndefined}: what may be undefined may be missing, and is never undefined. */
type Present<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/**
 * A copy of a plain object without its properties that are `undefined`, in the same order; values are not looked into,
 * and names are those that the code writes. For what leaves this code, such as documents, answers and calls of other
 * libraries: there, a field without a value is missing. Functions of our own accept `undefined` instead
 * (`after?: string | undefined`).
 */
export function omitUndefined<Fields extends object>(fields: Fields): Present<Fields> {
  const present: Partial<Fields> = {};
  for (const name in fields) {
    if (fields[name] !== undefined) present[name] = fields[name]; // twice as fast as Object.fromEntries
  }
  return present as unknown as Present<Fields>; // what is undefined was left out
}

/** The same value in objects of its own, without properties that are `undefined`. To be checked before. */
export function copyOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isRecord(value)) return value;
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) copy[key] = copyOf(item); // what was checked has no "__proto__" as a key
  }
  return copy;
}

/** How many characters a value has as JSON, or fewer: cheap where its text would be large. Stops at the limit. */
export function leastLength(value: unknown, limit: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 1;
  let sum = 2;
  for (const key in value) {
    if (sum > limit) break;
    sum += (Array.isArray(value) ? 1 : key.length + 4) + leastLength(Reflect.get(value, key), limit);
  }
  return sum - 1;
}

/**
 * How many characters a value has as JSON, without those that escape others: never more than it has. Stops counting
 * when it is over the limit.
 */
export function approximateJsonSize(value: JsonValue, limit: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return String(value).length;
  let sum = 1; // and a comma or a bracket behind each item
  if (Array.isArray(value)) {
    for (const item of value) {
      if (sum > limit) break;
      sum += approximateJsonSize(item, limit) + 1;
    }
  } else {
    for (const key in value) {
      if (sum > limit) break;
      const item = value[key];
      if (item !== undefined) sum += key.length + 4 + approximateJsonSize(item, limit);
    }
  }
  return Math.max(2, sum);
}

function needsLook(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value !== "string" && typeof value !== "boolean" && value !== null;
}

function scalarProblem(value: unknown): string | null {
  switch (typeof value) {
    case "string":
    case "boolean":
      return null;
    case "number":
      return Number.isFinite(value) ? null : "Must be a finite number.";
    case "object": {
      if (value === null || Array.isArray(value)) return null;
      const prototype: unknown = Object.getPrototypeOf(value);
      if (prototype === Object.prototype || prototype === null) return null;
      return `Must be plain JSON, not a ${value.constructor?.name ?? "special object"}.`;
    }
    default:
      return `Must be plain JSON, not a value of type ${typeof value}.`;
  }
}
