/** The form of an input definition: of a run, of an input step that waits, of a schedule, of a rule. Pure. */
import { isRecord, type JsonObject, type JsonValue, ownField } from "../../json.ts";
import { canHaveLines, choicesOf, hasChoices } from "../../workflows/field-options.ts";
import type { Display } from "../../workflows/input/display.ts";
import { entriesInOrder } from "../../workflows/input/entries-in-order.ts";
import type { InputDefinition, InputField, InputOptions } from "../../workflows/input/input-field.ts";
import {
  ANY_VALUE,
  type Choice,
  type ChoiceShape,
  type FormModel,
  MAX_RADIO_BUTTONS,
  type ModelField,
  type ObjectShape,
  type Shape,
} from "./form-model.ts";

interface InputModelParts {
  /** `input_default` of the version. */
  readonly defaults?: JsonObject | null;
  /** `input_options` of the version. */
  readonly options?: InputOptions | null;
}

type Values = Readonly<Record<string, JsonValue>>;

/** A definition without fields accepts any values. */
export function inputModel(definition: InputDefinition, parts: InputModelParts = {}): FormModel {
  const { defaults, options } = parts;
  if (Object.keys(definition).length === 0) return { kind: "object", fields: [], additional: true, extra: ANY_VALUE };
  return objectShape(definition, defaults ?? {}, options?.display ?? {}, false);
}

function objectShape(
  definition: InputDefinition,
  defaults: Values,
  display: Display,
  additional: ObjectShape["additional"],
): ObjectShape {
  const fields = entriesInOrder(definition)
    .filter(([, { config }]) => config !== true)
    .map(([key, field]) => modelField(key, field, ownField(defaults, key), display));
  return { kind: "object", fields, additional, extra: ANY_VALUE };
}

function modelField(key: string, field: InputField, configured: JsonValue | undefined, display: Display): ModelField {
  const preset = presetOf(field, configured);
  const shape = fieldShape(field, isRecord(preset) ? (preset as JsonObject) : {}, display, preset);
  return {
    key,
    label: field.name ?? key,
    desc: field.desc ?? null,
    link: field.link !== undefined && /^https?:\/\//i.test(field.link) ? field.link : null,
    placeholder: field.placeholder ?? null,
    isOptional: field.optional === true,
    // Without its value, the form could not be sent.
    isHidden: field.display?.hidden === true && hasValueWithoutAnswer(field, preset),
    isInline: (field.display?.field ?? display.field) === "inline",
    width: field.display?.container ?? display.container ?? "full",
    preset,
    empty: "omitted",
    shape,
  };
}

function presetOf(field: InputField, configured: JsonValue | undefined): JsonValue | undefined {
  if (configured !== undefined && configured !== null) return configured;
  return "default" in field ? field.default : undefined;
}

/** An object that the version sets must have all of its own fields, even if it is optional. */
function hasValueWithoutAnswer(field: InputField, preset: JsonValue | undefined): boolean {
  if (field.type === "content") return true;
  if (preset === undefined) return field.optional === true;
  if (field.type !== "object" || field.array === true || !isRecord(preset)) return true;
  const inner = preset as JsonObject; // a preset is JSON
  return Object.entries(field.fields).every(
    ([key, one]) => one.config === true || hasValueWithoutAnswer(one, presetOf(one, ownField(inner, key))),
  );
}

function fieldShape(field: InputField, defaults: Values, display: Display, preset: JsonValue | undefined): Shape {
  const isList = field.array === true;
  const shape = valueShape(field, isList ? {} : defaults, display, preset);
  return isList && field.type !== "file" && field.type !== "content" ? { kind: "list", item: shape } : shape;
}

function valueShape(field: InputField, defaults: Values, display: Display, preset: JsonValue | undefined): Shape {
  const withChoices = hasChoices(field) ? field : null;
  if (withChoices !== null) return choiceShape(withChoices);
  switch (field.type) {
    case "string": {
      if (field.validation === "url") return { kind: "text", look: "url", suggestions: [] };
      if (!canHaveLines(field)) return { kind: "text", look: "line", suggestions: [] };
      return { kind: "text", look: field.display?.control === "multiline" ? "lines" : "grows", suggestions: [] };
    }
    case "number":
      return { kind: "number", isWhole: false };
    case "boolean": {
      if (preset !== undefined || field.array === true) return { kind: "boolean", hasThirdState: false };
      const hasThirdState = field.optional === true;
      return { kind: "boolean", hasThirdState, isAsked: !hasThirdState };
    }
    case "select":
      return { kind: "text", look: "line", suggestions: choices(field) };
    case "object":
      return objectShape(field.fields, defaults, display, field.additional_fields ?? false);
    case "file":
      return {
        kind: "file",
        allowedTypes: field.allowed_types ?? null,
        maxSize: field.max_size ?? null,
        visibility: field.visibility ?? "PRIVATE",
        isMany: field.array === true,
      };
    case "connection":
      return { kind: "connection", allowedTypes: field.allowed_types ?? null };
    case "content":
      return { kind: "content", markdown: field.content ?? "" };
    default:
      return { kind: field.type };
  }
}

type ChoiceField = Parameters<typeof choicesOf>[0];

function choiceShape(field: ChoiceField): ChoiceShape {
  const accepted = new Set<Choice["value"]>(choicesOf(field));
  const offered = choices(field).filter(({ value }) => accepted.has(value));
  const { control = offered.length <= MAX_RADIO_BUTTONS ? "radio" : "dropdown" } = field.display ?? {};
  return { kind: "choice", choices: offered, look: control === "dropdown" ? "dropdown" : "radio" };
}

/** Each value once: the first label counts. */
function choices(field: ChoiceField): Choice[] {
  const all = [...(field.type === "select" ? field.options : []), ...(field.list ?? [])].map((choice): Choice => {
    if (typeof choice !== "object") return { value: typedValue(field, choice), label: String(choice), desc: null };
    const desc = "desc" in choice ? (choice.desc ?? null) : null;
    return { value: typedValue(field, choice.value), label: choice.label ?? String(choice.value), desc };
  });
  const seen = new Set<Choice["value"]>();
  return all.filter(({ value }) => !seen.has(value) && seen.add(value));
}

const typedValue = ({ type }: ChoiceField, value: string | number) =>
  type === "number" ? Number(value) : String(value);
