/** Finds the variant that a value belongs to. Pure. */
import { isRecord, type JsonObject, type JsonValue, ownField, sortedJson } from "../../json.ts";
import { fillControl } from "./fill-control.ts";
import type { ObjectShape, Shape, VariantsShape } from "./form-model.ts";
import type { Notation } from "./notation.ts";

/** Position of the variant that shows the value best, the first of several. Null if none can. */
export function closestVariant({ variants }: VariantsShape, value: JsonValue, notation: Notation): number | null {
  const misfits = variants.map(({ shape }) => misfit(shape, value, notation));
  const least = misfits.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  return least === Number.POSITIVE_INFINITY ? null : misfits.indexOf(least);
}

/** What a part is worth that its control cannot show, or that is missing. */
const WRONG_PART = 100;

/** How badly a value fits: zero if it fits, infinite if it has another type. */
function misfit(shape: Shape, value: JsonValue, notation: Notation): number {
  switch (shape.kind) {
    case "variants":
      return shape.variants.reduce(
        (least, variant) => Math.min(least, misfit(variant.shape, value, notation)),
        Number.POSITIVE_INFINITY,
      );
    case "object":
      return isRecord(value) ? objectMisfit(shape, value as JsonObject, notation) : Number.POSITIVE_INFINITY; // part of JSON
    case "list":
      if (!Array.isArray(value)) return Number.POSITIVE_INFINITY;
      return value.reduce<number>((sum, one) => sum + partMisfit(shape.item, one, notation), 0);
    case "constant":
      return sortedJson(shape.value) === sortedJson(value) ? 0 : Number.POSITIVE_INFINITY;
    case "json":
      // It shows everything, so another control is better.
      return 1;
    case "text":
      if (value === "" && shape.keepsEmpty !== true) return WRONG_PART;
      return fillControl(shape, value, notation).kind === "raw" ? Number.POSITIVE_INFINITY : 0;
    default:
      return fillControl(shape, value, notation).kind === "raw" ? Number.POSITIVE_INFINITY : 0;
  }
}

const partMisfit = (shape: Shape, value: JsonValue, notation: Notation) =>
  Math.min(misfit(shape, value, notation), WRONG_PART);

function objectMisfit({ fields, additional, extra }: ObjectShape, value: JsonObject, notation: Notation): number {
  let sum = 0;
  for (const { key, shape, isOptional } of fields) {
    const found = ownField(value, key);
    if (found === undefined || (found === null && isOptional)) sum += isOptional ? 0 : WRONG_PART;
    else if (shape.kind === "constant") sum += misfit(shape, found, notation);
    else sum += partMisfit(shape, found, notation);
  }
  const own = new Set(fields.map(({ key }) => key));
  for (const [name, one] of Object.entries(value)) {
    if (own.has(name)) continue;
    const isAccepted = additional === true || (additional !== false && additional.includes(name));
    sum += isAccepted ? 1 + partMisfit(extra, one, notation) : WRONG_PART;
  }
  return sum;
}
