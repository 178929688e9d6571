/** Brings together what two people did to the same value, as deep as both sides are objects. Pure. */
import { pointerPart } from "../../../../src/encoding/json-pointer.ts";
import { isRecord, ownField } from "../../../../src/json.ts";
import { isSameJson } from "./same-json.ts";

/** Which side something is taken from. */
export type Side = "mine" | "theirs";

/** Which side has changed a value: both only if they changed it differently. Null where both are the same. */
export function changedBy(base: unknown, mine: unknown, theirs: unknown): Side | "both" | null {
  if (isSameJson(mine, theirs)) return null;
  if (isSameJson(base, theirs)) return "mine";
  return isSameJson(base, mine) ? "theirs" : "both";
}

/** The names that lead to a part of a value. */
export type Path = readonly string[];

export const pathPointer = (path: Path): string => path.map((name) => `/${pointerPart(name)}`).join("");

/** A part that both sides have changed differently. */
export interface Clash {
  readonly path: Path;
  /** Undefined if they have removed it. */
  readonly theirs: unknown;
}

export interface Merged<Value> {
  /** What only one side changed is that side's. Mine where both did. */
  readonly value: Value;
  readonly clashes: readonly Clash[];
  /** The parts that only they have changed. */
  readonly elsewhere: readonly Path[];
}

/**
 * Whether a field is not merged but taken from one side, because its parts make sense only together.
 * @param sides The field as it was, mine and theirs
 */
export type IsWhole = (name: string, sides: readonly unknown[]) => boolean;

export function merged<Value extends object>(
  base: Value,
  mine: Value,
  theirs: Value,
  isWhole: IsWhole = () => false,
): Merged<Value> {
  const clashes: Clash[] = [];
  const elsewhere: Path[] = [];
  const visit = (path: Path, before: unknown, own: unknown, other: unknown): unknown => {
    const by = changedBy(before, own, other);
    if (by === null || by === "mine") return own;
    const [field, ...inner] = path;
    const isOne = field !== undefined && inner.length === 0 && isWhole(field, [before, own, other]);
    if (!isOne && isRecord(own) && isRecord(other)) {
      const old = isRecord(before) ? before : {};
      return ofFields([own, other], (name) =>
        visit([...path, name], ownField(old, name), ownField(own, name), ownField(other, name)),
      );
    }
    if (by === "theirs") {
      elsewhere.push(path);
      return other;
    }
    clashes.push({ path, theirs: other });
    return own;
  };
  const value = visit([], base, mine, theirs) as Value; // each part is that of a side
  return { value, clashes, elsewhere };
}

/**
 * What both sides began with, where this side has stored something in between of which it does not know: the response was
 * lost.
 * @param sent What this side sent
 */
export function withStored<Value extends object>(base: Value, sent: Value, theirs: Value): Value {
  const visit = (before: unknown, own: unknown, other: unknown): unknown => {
    if (isSameJson(own, other)) return other;
    if (!isRecord(before) || !isRecord(own) || !isRecord(other)) return before;
    return ofFields([before, own, other], (name) =>
      visit(ownField(before, name), ownField(own, name), ownField(other, name)),
    );
  };
  return visit(base, sent, theirs) as Value; // each part is one of the base or of theirs
}

/** Undefined where the value has no such part. */
export const partAt = (value: unknown, path: Path): unknown =>
  path.reduce((part, name) => (isRecord(part) ? ownField(part, name) : undefined), value);

/** The value with another part, or without it. */
export function withPart<Value extends object>(value: Value, path: Path, part: unknown): Value {
  const visit = (now: unknown, [name, ...rest]: Path): unknown => {
    if (name === undefined) return part;
    const old = isRecord(now) ? now : {};
    return ofFields([old, { [name]: null }], (one) =>
      one === name ? visit(ownField(old, one), rest) : ownField(old, one),
    );
  };
  return visit(value, path) as Value; // the part is one of such a value
}

/** An object with the names of others. Names without a value are left out. */
function ofFields(
  objects: readonly Readonly<Record<string, unknown>>[],
  partOf: (name: string) => unknown,
): Readonly<Record<string, unknown>> {
  const names = new Set(objects.flatMap((one) => Object.keys(one)));
  const fields = [...names].map((name): [string, unknown] => [name, partOf(name)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** A list of distinct texts whose order does not matter, such as tags, so that it is merged by its items. */
export type TextSet = Readonly<Record<string, true>>;

export const setOf = (texts: Iterable<string>): TextSet =>
  Object.fromEntries([...texts].map((text): [string, true] => [text, true]));
