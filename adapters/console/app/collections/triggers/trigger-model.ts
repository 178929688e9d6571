/** The settings of a trigger as a form, by the schemas that the server has of its type. Pure. */
import type { TriggerTypeInfo } from "../../../../../src/collections/triggers/trigger-type-info.ts";
import {
  ANY_VALUE,
  type FormModel,
  type ModelField,
  plainField,
  type Shape,
} from "../../../../../src/forms/model/form-model.ts";
import { joinedModel } from "../../../../../src/forms/model/schema-model.ts";
import { isRecord, type JsonObject } from "../../../../../src/json.ts";
import type { Messages } from "../../texts/messages.ts";

/**
 * @param type Null if the server does not know it: then its settings are any values.
 * @param names What mappings can be made of.
 */
export function triggerModel(
  type: TriggerTypeInfo | null,
  texts: Messages["collections"],
  names: MappingNames,
): FormModel {
  const any: FormModel = { kind: "object", fields: [], additional: true, extra: ANY_VALUE };
  const config = type === null ? any : withMappingNames(joinedModel(type.config, type.common_config), texts, names);
  const connection: Shape = { kind: "connection", allowedTypes: type === null ? null : [type.name] };
  const hasConnection = type === null || type.connection !== null;
  return {
    kind: "object",
    additional: false,
    extra: ANY_VALUE,
    fields: [
      ...(hasConnection
        ? [
            plainField("connection_id", connection, {
              label: texts.connection,
              isOptional: type?.needs_connection !== true,
            }),
          ]
        : []),
      plainField("config", config, { label: texts.config, isOptional: false }),
    ],
  };
}

/** Kinds of mappings. Any other kind does the same as `field`. */
const MAPPING_KINDS = ["field", "key", "file"] as const;

export interface MappingNames {
  /** Fields of records that mappings can write, as `entity:field`. Others are accepted too. */
  readonly fields: readonly string[];
  /** Kinds that mappings of the trigger have, which another program may have chosen. */
  readonly kinds: readonly string[];
}

/** Offers names in the mappings: their kinds, and the fields of records. */
function withMappingNames<Part extends Shape>(shape: Part, texts: Messages["collections"], names: MappingNames): Part {
  if (shape.kind === "variants") {
    const variants = shape.variants.map((one) => ({ ...one, shape: withMappingNames(one.shape, texts, names) }));
    return { ...shape, variants };
  }
  if (shape.kind !== "object") return shape;
  return { ...shape, fields: shape.fields.map((one) => (one.key === "mappings" ? offering(one, texts, names) : one)) };
}

function offering(mappings: ModelField, texts: Messages["collections"], names: MappingNames): ModelField {
  const { shape } = mappings;
  if (shape.kind !== "list" || shape.item.kind !== "object") return mappings;
  const fields = shape.item.fields.map((one): ModelField => {
    if (one.key === "type") return { ...one, preset: "field", placeholder: null, shape: kindShape(texts, names.kinds) };
    // An example by itself would look like a value.
    const example = { ...one, placeholder: one.placeholder === null ? null : texts.example(one.placeholder) };
    return one.key === "entity_path" && one.shape.kind === "text"
      ? { ...example, shape: oneOf(names.fields) }
      : example;
  });
  // The server takes a trigger without mappings only while it is disabled.
  return { ...mappings, isOptional: false, shape: { ...shape, item: { ...shape.item, fields } } };
}

function kindShape({ mappingKinds }: Messages["collections"], kinds: readonly string[]): Shape {
  const others = kinds.filter((kind) => !MAPPING_KINDS.some((known) => known === kind));
  return {
    kind: "choice",
    look: "dropdown",
    choices: [
      ...MAPPING_KINDS.map((value) => ({ value, label: value, desc: mappingKinds[value] })),
      ...[...new Set(others)].map((value) => ({ value, label: value, desc: mappingKinds.field })),
    ],
  };
}

const oneOf = (names: readonly string[]): Shape => ({
  kind: "text",
  look: "line",
  suggestions: names.map((value) => ({ value, label: value, desc: null })),
});

/** What another type has settings for, too. */
export function keptSettings(type: TriggerTypeInfo | null, values: JsonObject | null): JsonObject | null {
  const config = values?.["config"];
  if (type === null || !isRecord(config)) return values;
  const names = new Set(namesOf(joinedModel(type.config, type.common_config)));
  const kept = Object.entries(config as JsonObject).filter(([name]) => names.has(name)); // part of JSON
  return { config: Object.fromEntries(kept) };
}

const namesOf = (shape: Shape): readonly string[] =>
  shape.kind === "object"
    ? shape.fields.map(({ key }) => key)
    : shape.kind === "variants"
      ? shape.variants.flatMap((variant) => namesOf(variant.shape))
      : [];

/** How the triggers of a type get their events, in words; undefined for an unknown type. */
export function sourceHint(type: TriggerTypeInfo | null, texts: Messages["collections"]): string | undefined {
  if (type === null) return undefined;
  const { receives, polls, needs_connection, connection } = type;
  if (!polls) return receives ? texts.receivesEvents : "";
  if (!receives) return texts.pollsSource;
  // The type polls its source only with the connection that it can do without.
  const isOptional = connection !== null && !needs_connection;
  return `${texts.receivesEvents} ${isOptional ? texts.pollsWithConnection : texts.pollsToo}`;
}
