/** Checks whether authors may write what they have written for a field: a value, an expression, or either. Pure. */
import type { FieldError } from "../../errors.ts";
import { isRecord, pointer } from "../../json.ts";
import type { InputDefinition, InputField } from "../input/input-field.ts";

type Path = readonly (string | number)[];

const VALUE_ONLY = "Must be a value: allowed_modes of the field has no expression.";
const EXPRESSION_ONLY = "Must be an expression in {{ }}: allowed_modes of the field has no value.";

const hasExpression = (value: unknown) => JSON.stringify(value)?.includes("{{") === true;

/**
 * Checks input that a step has for the fields of a workflow. Input of callers, webhooks and forms is never an expression,
 * and is not checked.
 */
export function* checkModes(definition: InputDefinition, given: unknown, path: Path): Generator<FieldError, void> {
  if (!isRecord(given)) return;
  for (const [name, field] of Object.entries(definition)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined && value !== null) yield* fieldModes(field, value, [...path, name]);
  }
}

function* fieldModes(field: InputField, value: unknown, path: Path): Generator<FieldError, void> {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) yield* fieldModes(field, one, [...path, index]);
    return;
  }
  if (field.type === "object") return yield* checkModes(field.fields, value, path);
  const modes = "allowed_modes" in field ? field.allowed_modes : undefined;
  if (modes === undefined) return;
  const mode = hasExpression(value) ? "expression" : "value";
  if (!modes.includes(mode)) {
    yield { pointer: pointer(path), message: mode === "value" ? EXPRESSION_ONLY : VALUE_ONLY };
  }
}
