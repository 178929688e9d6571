/** Checks the `default` of fields and `input_default` with the check for inputs of runs. Pure. */
import type { FieldError } from "../../errors.ts";
import { type JsonObject, pointer } from "../../json.ts";
import { canHaveLines, hasChoices } from "../field-options.ts";
import { createFindings, type Findings, fields, fieldValue, type Path } from "../input/check-input.ts";
import { defaultOf, type InputDefinition, type InputField } from "../input/input-field.ts";

/** Checks the fields themselves: invalid defaults, and config fields that cannot be set. */
export function* checkFields(definition: InputDefinition, path: Path): Generator<FieldError, void> {
  for (const [name, field] of Object.entries(definition)) yield* fieldErrors(field, [...path, name], false);
}

function* fieldErrors(field: InputField, path: Path, isInList: boolean): Generator<FieldError, void> {
  if (isInList && field.config === true) {
    yield {
      pointer: pointer([...path, "config"]),
      message:
        "Must be omitted within an array of objects, because input_default cannot address its items. " +
        "Set config on the array field instead.",
    };
  }
  if ("allowed_modes" in field && field.allowed_modes?.length === 0) {
    yield {
      pointer: pointer([...path, "allowed_modes"]),
      message: "Must contain value, expression or both. Omit it to allow both.",
    };
  }
  const misplaced = misplacedControl(field);
  if (misplaced !== null) yield { pointer: pointer([...path, "display", "control"]), message: misplaced };
  const value = defaultOf(field);
  if (value !== undefined) {
    const found = createFindings();
    fieldValue(field, value, null, [...path, "default"], found);
    yield* found.errors;
  }
  if (field.type !== "object") return;
  for (const [name, one] of Object.entries(field.fields)) {
    yield* fieldErrors(one, [...path, "fields", name], isInList || field.array === true);
  }
}

/** Why `display.control` can have no effect; null if it has one. */
function misplacedControl(field: InputField): string | null {
  const control = field.display?.control;
  if (control === undefined) return null;
  if (control === "multiline") {
    const message = "Must be omitted: only a string field without list, validation and array can have several lines.";
    return canHaveLines(field) ? null : message;
  }
  const message = `Must be omitted: ${control} needs a select field without additional_options, or a string or number field with list; none with array.`;
  return hasChoices(field) && field.array !== true ? null : message;
}

/**
 * Checks `input_default` against the fields of one input, and collects the files and connections that it names. Missing
 * values are valid, because a run can provide them, except for config fields. Skips fields that are invalid themselves.
 */
export function checkInputDefault(definition: InputDefinition, defaults: JsonObject): Findings {
  const found = createFindings();
  const valid = Object.entries(definition).filter(([, field]) => fieldErrors(field, [], false).next().done === true);
  fields(Object.fromEntries(valid), {}, defaults, ["input_default"], false, found);
  return found;
}
