/** Describes trigger types for editors: their settings, with JSON Schemas. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import * as v from "valibot";
import type { JsonObject } from "../../json.ts";
import { jsonObject } from "../../schema.ts";
import { commonSettings } from "./trigger.ts";
import type { AnyTriggerType } from "./trigger-type.ts";

export const TriggerTypeInfo = v.object({
  /** Name of the type, the `type` of triggers. */
  name: v.string(),
  /** Title for people, or null. */
  title: v.nullable(v.string()),
  /** Whether triggers need a `connection_id`. If not, `connection` says whether they may have one. */
  needs_connection: v.boolean(),
  /** JSON Schema of the credentials; null if the type takes none or the schema library cannot generate it. */
  connection: v.nullable(jsonObject),
  /** Whether triggers have a URL that receives events. */
  receives: v.boolean(),
  /** Whether triggers poll their source, with `interval` in their settings. */
  polls: v.boolean(),
  /** Whether the type has a sample event, which a test without data delivers. */
  has_sample: v.boolean(),
  /** JSON Schema (draft 2020-12) of the settings of this type in `config`; null if the schema library cannot generate it. */
  config: v.nullable(jsonObject),
  /** JSON Schema (draft 2020-12) of the other settings in `config`, without `type`. */
  common_config: v.nullable(jsonObject),
});
/** A trigger type that collections can use. */
export interface TriggerTypeInfo extends Readonly<v.InferOutput<typeof TriggerTypeInfo>> {}

/** The JSON Schema of a schema; null if its library cannot generate it. */
export type JsonSchemaOf = (schema: StandardSchemaV1) => Promise<JsonObject | null>;

/** Sorted by name. */
export async function describeTriggerTypes(
  types: readonly AnyTriggerType[],
  jsonSchemaOf: JsonSchemaOf,
): Promise<TriggerTypeInfo[]> {
  const infos = await Promise.all(types.map((type) => describe(type, jsonSchemaOf)));
  return infos.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function describe(type: AnyTriggerType, jsonSchemaOf: JsonSchemaOf): Promise<TriggerTypeInfo> {
  const { name, title, config, connection, connectionOptional, receive, poll, test } = type;
  return {
    name,
    title: title ?? null,
    needs_connection: connection !== undefined && connectionOptional !== true,
    connection: connection === undefined ? null : await jsonSchemaOf(connection),
    receives: receive !== undefined,
    polls: poll !== undefined,
    has_sample: test !== undefined,
    config: await jsonSchemaOf(config),
    common_config: await jsonSchemaOf(commonSettings(poll !== undefined)),
  };
}
