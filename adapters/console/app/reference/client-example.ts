/** How an operation is called with the client: a program that works when it is pasted. Pure. */
import { ROUTES } from "../../../../src/client/routes.ts";
import { rowOf } from "../../../../src/client/table-row.ts";
import { isGiven, pathNames, queryOf, sentBody, takesKey } from "./call.ts";
import type { Operation, Parameter } from "./document.ts";
import { type Call, declarations, variableOf } from "./examples.ts";
import { fieldsOf, objectLiteral } from "./object-parameter.ts";

const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = ROUTES;

/** Operations whose functions have names of their own. */
const NAMES: ReadonlyMap<string, string> = new Map([["me.get", "me"]]);

/** Functions that the client has in another group than its table of routes. */
const MOVED: ReadonlySet<string> = new Set(["files.createUpload"]);

/** Operations whose functions return their events one by one. */
const STREAMS: ReadonlySet<string> = new Set(["apps.stream", "runs.events"]);

/** Null for an operation that the client has no function for, or one that takes or gives bytes. */
export function clientExample({ operation, given, server }: Call): string | null {
  const name = functionOf(operation);
  if (name === null) return null;
  const { method } = operation;
  const body = sentBody(given);
  const query = queryOf(operation, given).map(
    ([parameter, value]) => `${parameter.name}: ${literal(parameter, value)}`,
  );
  const args = [
    ...pathNames(operation).map((one) =>
      isGiven(given, one) ? JSON.stringify(given.values[one] ?? "") : variableOf(operation, one),
    ),
    ...(query.length === 0 ? [] : [`{ ${query.join(", ")} }`]),
    ...(body === null ? [] : [body]),
  ];
  const call = `client.${name}(${args.join(", ")})`;
  return [
    'import { createClient } from "stepwell/client";',
    "",
    ...declarations(operation, given),
    `const client = createClient({ url: "${server}"${takesKey(operation) ? ", key" : ""} });`,
    ...(STREAMS.has(name)
      ? [`for await (const event of ${call}) console.log(event);`]
      : method === "DELETE"
        ? [`await ${call};`]
        : [`const result = await ${call};`, "console.log(result);"]),
  ].join("\n");
}

function functionOf({ operationId }: Operation): string | null {
  const named = NAMES.get(operationId);
  if (named !== undefined) return named;
  if (MOVED.has(operationId)) return operationId;
  const [group = "", name = ""] = operationId.split(".");
  const rows = Object.hasOwn(GROUPS, group) ? GROUPS[group] : undefined;
  if (rows === undefined || !Object.hasOwn(rows, name)) return null;
  return rowOf(rows, name).kind === "raw" && !STREAMS.has(operationId) ? null : operationId;
}

/** The value of a query parameter in TypeScript. */
function literal(parameter: Parameter, value: string): string {
  const { type } = parameter.schema ?? {};
  const fields = fieldsOf(parameter, value);
  if (fields !== null) return objectLiteral(parameter.name, fields);
  if (type === "array") return JSON.stringify(value.split(","));
  const isPlain = (type === "boolean" && /^(true|false)$/.test(value)) || (type === "integer" && /^\d+$/.test(value));
  return isPlain ? value : JSON.stringify(value);
}
