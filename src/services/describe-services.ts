/** Describes services for editors: their actions, with JSON Schemas for arguments and results. */
import { jsonSchemaOf } from "./action-schema.ts";
import type { RegisteredAction, RegisteredService } from "./service.ts";
import type { ActionInfo, ServiceInfo } from "./service-info.ts";

/** Sorted by name. */
export async function describeServices(services: readonly RegisteredService[]): Promise<ServiceInfo[]> {
  const infos = services.map(async ({ name, title, connection, connectionOptional, actions }): Promise<ServiceInfo> => {
    const described = Object.entries(actions).map(([action, definition]) => describe(action, definition));
    return {
      name,
      title: title ?? null,
      needs_connection: connection !== undefined && connectionOptional !== true,
      connection: connection === undefined ? null : await jsonSchemaOf(connection),
      actions: await Promise.all(described),
    };
  });
  return (await Promise.all(infos)).sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function describe(name: string, { title, description, input, output }: RegisteredAction): Promise<ActionInfo> {
  const schemas = await Promise.all([jsonSchemaOf(input), jsonSchemaOf(output)]);
  return { name, title: title ?? null, description: description ?? null, input: schemas[0], output: schemas[1] };
}
