/** The data of a record as a form: a part for each entity, with the fields that are known of it. Pure. */
import type { Collection } from "../../../../src/collections/collection.ts";
import type { CollectionRecord, RecordData } from "../../../../src/collections/records/record.ts";
import {
  ANY_VALUE,
  type FormModel,
  type ObjectShape,
  plainField,
  type Shape,
  type Variant,
} from "../../../../src/forms/model/form-model.ts";
import type { JsonValue } from "../../../../src/json.ts";

/** More fields are edited as JSON: a page with thousands of controls is slow. */
const MAX_FIELDS = 300;

/** The fields that a collection names: those of its mappings, indexes and triggers, as `entity:field`. */
export function namedFields({ config, triggers }: Pick<Collection, "config" | "triggers">): readonly string[] {
  return [
    ...config.mappings.flatMap(({ source_path, destination_paths }) => [source_path, ...destination_paths]),
    ...config.indexes,
    ...triggers.flatMap((trigger) => trigger.config.mappings.map(({ entity_path }) => entity_path)),
  ];
}

/** @param records Records whose fields the form has. What their values are is what new ones probably are, too. */
export function recordModel(named: readonly string[], records: readonly Pick<CollectionRecord, "data">[]): FormModel {
  const entities = new Map<string, Map<string, JsonValue | undefined>>();
  const add = (entity: string, field: string, value: JsonValue | undefined) => {
    const fields = entities.get(entity) ?? new Map<string, JsonValue | undefined>();
    entities.set(entity, fields.set(field, fields.get(field) ?? value));
  };
  for (const { data } of records) {
    for (const [entity, field, value] of valuesOf(data)) add(entity, field, value);
  }
  for (const path of named) {
    const [entity = "", field = ""] = path.split(":");
    add(entity, field, undefined);
  }
  const count = [...entities.values()].reduce((sum, fields) => sum + fields.size, 0);
  if (count > MAX_FIELDS) return { kind: "json" };
  const parts = [...entities].map(([entity, fields]) => {
    const inner = [...fields].map(([field, value]) => plainField(field, fieldShape(value)));
    return plainField(entity, { ...ENTITY, fields: inner });
  });
  return { kind: "object", fields: parts, additional: true, extra: ENTITY };
}

const ENTITY: ObjectShape = { kind: "object", fields: [], additional: true, extra: ANY_VALUE };

function* valuesOf(data: RecordData): Generator<readonly [string, string, JsonValue], void> {
  for (const [entity, fields] of Object.entries(data)) {
    for (const [field, value] of Object.entries(fields)) yield [entity, field, value];
  }
}

/** Any value, of the kind that is probable first. A text that is left empty is no value. */
function fieldShape(value: JsonValue | undefined): Shape {
  const kind = typeof value === "object" ? "json" : typeof value;
  const isProbable = ({ shape }: Variant) => shape.kind === kind;
  const variants = ANY_VALUE.variants.map((variant): Variant => {
    const { shape } = variant;
    return shape.kind === "text" ? { ...variant, shape: { ...shape, keepsEmpty: false } } : variant;
  });
  const sorted = [...variants.filter(isProbable), ...variants.filter((variant) => !isProbable(variant))];
  return { ...ANY_VALUE, variants: sorted };
}
