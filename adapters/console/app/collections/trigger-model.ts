/** The settings of a trigger as a form, by the schemas that the server has of its type. Pure. */
import type { TriggerTypeInfo } from "../../../../src/collections/triggers/trigger-type-info.ts";
import { ANY_VALUE, type FormModel, type ModelField, type Shape } from "../../../../src/forms/model/form-model.ts";
import { joinedModel } from "../../../../src/forms/model/schema-model.ts";
import { isRecord, type JsonObject } from "../../../../src/json.ts";
import type { Messages } from "../texts/messages.ts";

/** @param type Null if the server does not know it: then its settings are any values. */
export function triggerModel(type: TriggerTypeInfo | null, texts: Messages["collections"]): FormModel {
  const any: FormModel = { kind: "object", fields: [], additional: true, extra: ANY_VALUE };
  const config = type === null ? any : joinedModel(type.config, type.common_config);
  const connection: Shape = { kind: "connection", allowedTypes: type === null ? null : [type.name] };
  const hasConnection = type === null || type.connection !== null;
  return {
    kind: "object",
    additional: false,
    extra: ANY_VALUE,
    fields: [
      ...(hasConnection ? [field("connection_id", texts.connection, connection, type?.needs_connection !== true)] : []),
      field("config", texts.config, config, false),
    ],
  };
}

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

const field = (key: string, label: string, shape: Shape, isOptional: boolean): ModelField => ({
  key,
  label,
  desc: null,
  link: null,
  placeholder: null,
  isOptional,
  isHidden: false,
  isInline: false,
  width: "full",
  preset: undefined,
  empty: "omitted",
  shape,
});
