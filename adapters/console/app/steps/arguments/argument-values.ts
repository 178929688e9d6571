/** The values of arguments, by the shapes that forms know. Any text in them may be an expression. Pure. */
import { closestVariant } from "../../../../../src/forms/model/closest-variant.ts";
import type { ModelField, ObjectShape, Shape, VariantsShape } from "../../../../../src/forms/model/form-model.ts";
import type { Notation } from "../../../../../src/forms/model/notation.ts";
import { isRecord, type JsonObject, type JsonValue, ownField } from "../../../../../src/json.ts";
import { modeOf } from "../../expressions/modes.ts";

/** What is known of an argument, or of an entry of a list. */
export type Argument = Pick<ModelField, "label" | "desc" | "isOptional" | "empty" | "shape">;

/** Whether the control of a shape can show a plain value. */
export function fits(kind: Shape["kind"], value: JsonValue): boolean {
  switch (kind) {
    case "number":
    case "boolean":
      return typeof value === kind;
    case "choice":
    case "json":
      return true;
    default:
      return typeof value === "string";
  }
}

/** What a new value begins as; undefined for one that has to be entered. */
function blankValue(shape: Shape): JsonValue | undefined {
  switch (shape.kind) {
    case "object":
      return constantsOf(shape);
    case "list":
      return [];
    case "constant":
      return shape.value;
    case "variants":
      return shape.variants[0] === undefined ? undefined : blankValue(shape.variants[0].shape);
    default:
      return undefined;
  }
}

/** What a new entry of a list begins as: each entry has a value. */
export function blankEntry(shape: Shape): JsonValue {
  if (shape.kind === "number") return 0;
  if (shape.kind === "boolean") return false;
  return blankValue(shape) ?? "";
}

/** The fields that have one value only, such as the one that tells variants apart. */
export function constantsOf({ fields }: ObjectShape): JsonObject {
  const constants = fields.flatMap(({ key, shape, isOptional }): [string, JsonValue][] =>
    shape.kind === "constant" && !isOptional ? [[key, shape.value]] : [],
  );
  return Object.fromEntries(constants);
}

/**
 * The variant that is shown for a value: the one that a person has chosen, as long as the value can be one of it.
 * @returns Null for none
 */
export function shownVariant(
  shape: VariantsShape,
  value: JsonValue | undefined,
  wanted: number | null,
  notation: Notation,
): number | null {
  const variant = wanted === null ? undefined : shape.variants[wanted];
  if (value === undefined) return variant === undefined ? null : wanted;
  if (modeOf(value) === "expression" || modeOf(value) === "auto") {
    if (variant !== undefined && isScalar(variant.shape)) return wanted;
    const found = shape.variants.findIndex((one) => isScalar(one.shape));
    return found < 0 ? null : found;
  }
  if (variant !== undefined && closestVariant({ ...shape, variants: [variant] }, value, notation) !== null)
    return wanted;
  return closestVariant(shape, value, notation);
}

/** The value as another variant has it: what both have in common stays. */
export function switchedValue(shape: VariantsShape, value: JsonValue | undefined, next: number): JsonValue | undefined {
  const variant = shape.variants[next]?.shape;
  if (variant === undefined) return value;
  if (variant.kind === "object" && isRecord(value)) {
    const given = value as JsonObject; // a JSON value
    const kept = variant.fields.flatMap(({ key, shape: own }): [string, JsonValue][] => {
      const found = ownField(given, key);
      return found === undefined || own.kind === "constant" ? [] : [[key, found]];
    });
    return { ...Object.fromEntries(kept), ...constantsOf(variant) };
  }
  const isKept = value !== undefined && isScalar(variant) && fits(variant.kind, value);
  return isKept ? value : blankValue(variant);
}

const GROUPS: ReadonlySet<Shape["kind"]> = new Set(["object", "list", "variants", "constant"]);

/** Whether a single control shows the value, which can be an expression instead. */
export const isScalar = ({ kind }: Shape): boolean => !GROUPS.has(kind);
