/** How an operation is called: with curl, with fetch, and with the client. */
import { mount } from "../routing/location.ts";
import type { Operation, Schema } from "./document.ts";

export interface Examples {
  readonly curl: string;
  readonly fetch: string;
  readonly client: string;
}

export function examplesOf(operation: Operation): Examples {
  const { method, path, operationId } = operation;
  const url = `${location.origin}${mount}${path.replace("{app_id}", "me")}`;
  const body = exampleBody(operation);
  const needsKey = (operation.security ?? []).some((one) => Object.keys(one).length > 0);
  const headers = [
    ...(needsKey ? ["Authorization: Bearer $STEPWELL_KEY"] : []),
    ...(body === null ? [] : ["Content-Type: application/json"]),
  ];
  const curl = [
    `curl${method === "GET" ? "" : ` -X ${method}`} "${url}"`,
    ...headers.map((header) => `-H "${header}"`),
    ...(body === null ? [] : [`-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ].join(" \\\n  ");
  const init = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0
      ? []
      : [
          "  headers: {",
          ...(needsKey ? [`    authorization: "Bearer " + key,`] : []),
          ...(body === null ? [] : ['    "content-type": "application/json",']),
          "  },",
        ]),
    ...(body === null ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
  ];
  const fetchText =
    init.length === 0
      ? `const response = await fetch("${url}");`
      : `const response = await fetch("${url}", {\n${init.join("\n")}\n});`;
  return { curl, fetch: fetchText, client: clientExample(operation, operationId, body) };
}

function clientExample({ path }: Operation, operationId: string, body: unknown): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => (name === "app_id" ? '"me"' : camelCase(name)));
  const given = body === null ? names : [...names, JSON.stringify(body)];
  return `import { createClient } from "stepwell/client";

const client = createClient({ url: "${location.origin}${mount}", key });
await client.${operationId}(${given.join(", ")});`;
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The example of the schema of the body; null for no body in JSON. */
function exampleBody({ requestBody }: Operation): unknown {
  const schema = requestBody?.content?.["application/json"]?.schema;
  return schema === undefined ? null : exampleOf(schema);
}

function exampleOf(schema: Schema): unknown {
  return schema.example ?? schema.examples?.[0] ?? {};
}
