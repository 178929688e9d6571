/** The first values that a run was given, to tell runs apart in a list. Pure. */
import { cut } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { choiceLabel } from "../workflows/field-options.ts";
import { entriesInOrder } from "../workflows/input/entries-in-order.ts";
import type { InputDefinition, InputField } from "../workflows/input/input-field.ts";
import type { InputPreview } from "./waiting-input.ts";

const MAX_VALUES = 3;
const MAX_LABEL_CHARS = 60;
const MAX_VALUE_CHARS = 80;
/** What these contain says nothing to a person: ids, or nothing. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "file",
  "connection",
  "content",
  "object",
] satisfies InputField["type"][]);

/** In the order of the form, then those that the definition does not know. Without lists, objects and files. */
export function inputPreview(input: JsonObject, definition: InputDefinition): InputPreview[] {
  const found: InputPreview[] = [];
  for (const name of namesOf(input, definition)) {
    if (found.length === MAX_VALUES) break;
    const field = Object.hasOwn(definition, name) ? definition[name] : undefined;
    const value = shortValue(Object.hasOwn(input, name) ? input[name] : undefined, field);
    if (value !== null) found.push({ name, label: cut(field?.name ?? name, MAX_LABEL_CHARS), value });
  }
  return found;
}

function* namesOf(input: JsonObject, definition: InputDefinition): Iterable<string> {
  for (const [name] of entriesInOrder(definition)) yield name;
  for (const name of Object.keys(input)) if (!Object.hasOwn(definition, name)) yield name;
}

/** Null if it is left out. */
function shortValue(value: JsonValue | undefined, field: InputField | undefined): InputPreview["value"] | null {
  if (field !== undefined && LEFT_OUT.has(field.type)) return null;
  if (typeof value === "boolean") return value;
  if (typeof value !== "number" && typeof value !== "string") return null;
  const label = field === undefined ? undefined : choiceLabel(field, value);
  if (label === undefined && typeof value === "number") return value;
  const text = (label ?? String(value)).trim();
  return text === "" ? null : cut(text, MAX_VALUE_CHARS);
}
