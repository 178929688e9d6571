/** What a definition gives runs by itself, the `default` of a field and `input_default`: by the check of the runs. Pure. */
import type { FieldError } from "../errors.ts";
import { type JsonObject, pointer } from "../json.ts";
import { type Found, fields, fieldValue, nothingFound, type Path } from "./check-input.ts";
import type { InputDefinition, InputField } from "./input-field.ts";

/** The fields themselves: defaults that they would not take, and what nobody could ever give. */
export function checkFields(definition: InputDefinition, path: Path): FieldError[] {
  return Object.entries(definition).flatMap(([name, field]) => fieldErrors(field, [...path, name], false));
}

function fieldErrors(field: InputField, path: Path, isInList: boolean): FieldError[] {
  const found = nothingFound();
  if (isInList && field.config === true) {
    found.errors.push({
      pointer: pointer([...path, "config"]),
      message:
        "Within a list of objects nothing can be configured: input_default does not reach into what a run gives. " +
        "Leave config out here, or set it on the list itself.",
    });
  }
  if ("default" in field && field.default !== undefined) {
    fieldValue(field, field.default, null, [...path, "default"], found);
  }
  if (field.type !== "object") return found.errors;
  const inner = Object.entries(field.fields).flatMap(([name, one]) =>
    fieldErrors(one, [...path, "fields", name], isInList || field.array === true),
  );
  return [...found.errors, ...inner];
}

/**
 * `input_default` for the fields of one input, with the files and connections that it names. What it leaves out is for a
 * run to give, but for what only it can say. Of fields that are wrong themselves nothing more is said.
 */
export function checkInputDefault(definition: InputDefinition, defaults: JsonObject): Found {
  const found = nothingFound();
  const sound = Object.entries(definition).filter(([, field]) => fieldErrors(field, [], false).length === 0);
  fields(Object.fromEntries(sound), {}, defaults, ["input_default"], false, found);
  return found;
}
