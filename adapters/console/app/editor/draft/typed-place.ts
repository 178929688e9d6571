/** Which field a person types into: letters that follow each other in one field are one change of the history. Pure. */
import { isRecord, ownField, pointer } from "../../../../../src/json.ts";
import { isSameJson } from "../../merging/same-json.ts";

/** Deeper values are edited as JSON, in one field. */
const MAX_DEPTH = 16;

/** JSON Pointer of the only text or number that differs; null if another kind of value does, or several do. */
export function typedPlace(before: unknown, after: unknown): string | null {
  const path: string[] = [];
  let [one, other] = [before, after];
  while (path.length < MAX_DEPTH && isNested(one) && isNested(other)) {
    const [name, ...others] = changedNames(one, other);
    if (name === undefined || others.length > 0) return null;
    path.push(name);
    [one, other] = [ownField(one, name), ownField(other, name)];
  }
  return isTyped(one) && isTyped(other) ? pointer(path) : null;
}

type Nested = Readonly<Record<string, unknown>>;

/** Of lists, too: a step of a list has the name of its index. */
const isNested = (value: unknown): value is Nested => Array.isArray(value) || isRecord(value);

/** A field that is cleared is left out. */
const isTyped = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === "string" || typeof value === "number";

function changedNames(one: Nested, other: Nested): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => !isSameJson(ownField(one, name), ownField(other, name)));
}
