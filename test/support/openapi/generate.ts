/** Generates the OpenAPI document from the route table, the schemas and the comments of the source. */
import { routes } from "../../../src/api/route-table.ts";
import { isRecord, type JsonObject, type JsonValue } from "../../../src/json.ts";
import { operationName } from "../http/operation-names.ts";
import { openApiDocument } from "./document.ts";
import { readSourceComments } from "./source-comments.ts";

/** Its imports lead to all schemas, and to the interface `Api`. */
const ENTRY = "src/api/create-api.ts";

export async function generateDocument(version: string): Promise<JsonObject> {
  return openApiDocument(routes, await readSourceComments(ENTRY), { version, nameOf: operationName });
}

/** JSON with a line for each operation and each component, so that a difference shows what changes. */
export function inLines(value: JsonValue, depth = 3): string {
  if (!isRecord(value) || depth === 0) return JSON.stringify(value);
  const lines = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${inLines(one as JsonValue, depth - 1)}`,
  );
  return `{\n${lines.join(",\n")}\n}`;
}
