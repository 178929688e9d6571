/** The services as an editor sees them: their actions, with what each takes and gives as JSON Schema. DESIGN 5.5. */
import * as v from "valibot";
import { jsonObject, list } from "../schema.ts";
import { jsonSchemaOf } from "./action-schema.ts";
import type { AnyAction, Offering, Pause } from "./define-service.ts";

export const ActionInfo = v.object({
  name: v.string(),
  title: v.nullable(v.string()),
  description: v.nullable(v.string()),
  /** JSON Schema (draft 2020-12); null where the library of the schema does not say. */
  input: v.nullable(jsonObject),
  output: v.nullable(jsonObject),
});
export interface ActionInfo extends Readonly<v.InferOutput<typeof ActionInfo>> {}

export const ServiceInfo = v.object({
  name: v.string(),
  title: v.nullable(v.string()),
  /** Whether its steps need a `connection_id`. */
  needs_connection: v.boolean(),
  /** The credentials of its connections as JSON Schema; null where it needs none, or the library does not say. */
  connection: v.nullable(jsonObject),
  actions: list(ActionInfo),
});
export interface ServiceInfo extends Readonly<v.InferOutput<typeof ServiceInfo>> {}

/** In order of their names. */
export async function describeServices(services: readonly Offering[]): Promise<ServiceInfo[]> {
  const infos = services.map(async ({ name, title, connection, actions }): Promise<ServiceInfo> => {
    const described = Object.entries(actions).map(([action, definition]) => describe(action, definition));
    return {
      name,
      title: title ?? null,
      needs_connection: connection !== undefined,
      connection: connection === undefined ? null : await jsonSchemaOf(connection),
      actions: await Promise.all(described),
    };
  });
  return (await Promise.all(infos)).sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function describe(name: string, { title, description, input, output }: AnyAction | Pause): Promise<ActionInfo> {
  const schemas = await Promise.all([jsonSchemaOf(input), jsonSchemaOf(output)]);
  return { name, title: title ?? null, description: description ?? null, input: schemas[0], output: schemas[1] };
}
