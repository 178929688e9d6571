/** The OpenAPI document of the route table. */
import { SCOPES, USER_HEADERS } from "../../../src/calls/caller.ts";
import type { AnyRoute, RouteTable } from "../../../src/http/route.ts";
import type { JsonObject } from "../../../src/json.ts";
import { REQUEST_HEADERS, RESPONSE_HEADERS } from "./headers.ts";
import { convertSchemas, type Wanted } from "./json-schemas.ts";
import { type NamedRoute, operationOf } from "./operations.ts";
import { pathParameterComponents, pathParameters, queryParameters } from "./parameters.ts";
import { PROBLEM_SCHEMA } from "./problem-schema.ts";
import { shareFields } from "./shared-fields.ts";
import type { SourceComments } from "./source-comments.ts";

/** Groups without functions of `stepwell.*`. */
const GROUPS: Readonly<Record<string, string>> = {
  me: "The key or session of the request, and its app.",
  runRequests: "Links to runs.",
  forms: "Forms of waiting input steps.",
  hookRequests: "Requests to incoming webhooks.",
  uploads: "Upload URLs.",
  triggerEvents: "Events for triggers.",
  mcp: "Workflows as tools of agents (Model Context Protocol).",
  console: "The web console: its page and sessions.",
  health: "Readiness.",
  openapi: "This document.",
};

export function openApiDocument(
  routes: RouteTable,
  comments: SourceComments,
  about: { readonly version: string; nameOf(route: string): string },
): JsonObject {
  const named: NamedRoute[] = Object.entries(routes).flatMap(([group, rows]) =>
    Object.entries(rows).map(([name, route]) => ({ name: about.nameOf(`${group}.${name}`), group, route })),
  );
  for (const { name, route } of named) {
    const given = route.kind === "raw" ? route.described.request.query : (route.body ?? route.query);
    if (given !== undefined) comments.addOptions(name, given);
  }
  const schemas = convertSchemas(
    comments,
    named.flatMap(({ route }) => schemasOf(route)),
  );
  const paths: Record<string, JsonObject> = {};
  const parameters: Record<string, JsonObject> = pathParameterComponents(named.map(({ route }) => route.path));
  for (const one of named) {
    const { route, name } = one;
    const comment = comments.ofFunction(name);
    const query = queryParameters(route, schemas);
    Object.assign(parameters, query.components);
    const path = route.path.replace(/\*\}/, "}");
    const inPath = pathParameters(path);
    const links = linksOf(one, named);
    paths[path] = {
      ...(inPath.length === 0 ? {} : { parameters: inPath }),
      ...paths[path],
      [route.method.toLowerCase()]: operationOf(one, { schemas, comment, query: query.parameters, links }),
    };
  }
  for (const [name, header] of Object.entries(REQUEST_HEADERS)) parameters[name] = { name, in: "header", ...header };
  const tags = Object.keys(routes).map((name) => ({
    name,
    description: comments.ofGroup(name)?.text ?? GROUPS[name] ?? "",
  }));
  return {
    openapi: "3.1.1",
    info: {
      title: "Stepwell",
      version: about.version,
      summary: "Durable workflows, embedded in your server.",
      description: ABOUT,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags,
    paths,
    components: {
      schemas: { ...shareFields(schemas.components), Problem: PROBLEM_SCHEMA },
      parameters,
      headers: RESPONSE_HEADERS as unknown as JsonObject, // plain JSON
      responses: {
        Problem: {
          description: "Problem details (RFC 9457), whose `code` says what was wrong.",
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      },
      securitySchemes: SECURITY,
    },
  };
}

const ABOUT =
  `Times are ISO 8601 in UTC. Text limits count UTF-16 code units. In the path, \`me\` stands for the app of the
key. The functions of \`stepwell.*\` have the names of the operations, and take the parameters of the path, then the body or
the query.`.replace(/\n/g, " ");

const SECURITY: JsonObject = {
  adminKey: {
    type: "http",
    scheme: "bearer",
    description: "The admin key, which manages apps and their keys. The host sets it with the option `adminKey`.",
  },
  appKey: {
    type: "http",
    scheme: "bearer",
    description:
      `A key of the app in the path, with the scope of the operation. Scopes: ${SCOPES.join(", ")}. To act for one of
your users, send \`${USER_HEADERS.id}\` and \`${USER_HEADERS.name}\` with a key that has \`users:act\`.`.replace(
        /\n/g,
        " ",
      ),
  },
};

function schemasOf(route: AnyRoute): Wanted[] {
  const wanted = (mode: Wanted["mode"], all: readonly (Wanted["schema"] | null | undefined)[]): Wanted[] =>
    all.filter((schema) => schema !== null && schema !== undefined).map((schema) => ({ schema, mode }));
  if (route.kind === "shaped") {
    return [
      ...wanted("query", [route.query]),
      ...wanted("input", [route.body]),
      ...wanted("output", [route.answers.schema]),
    ];
  }
  const { request, answers } = route.described;
  const bodies = Object.values(answers).flatMap(({ body = {} }) => Object.values(body));
  return [
    ...wanted("query", [request.query]),
    ...wanted("input", Object.values(request.body ?? {})),
    ...wanted("output", bodies),
  ];
}

/** From a new resource to the operation that reads it: the same path, and its id. */
function linksOf({ route, group }: NamedRoute, all: readonly NamedRoute[]): JsonObject | undefined {
  if (route.kind !== "shaped" || route.answers.kind !== "created") return undefined;
  const isItem = new RegExp(`^${route.path.replace(/[{}]/g, "\\$&")}/\\{(\\w+_id)\\}$`);
  const target = all.find(
    (other) => other.group === group && other.route.method === "GET" && isItem.test(other.route.path),
  );
  const [, id] = isItem.exec(target?.route.path ?? "") ?? [];
  if (target === undefined || id === undefined) return undefined;
  const outer = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, `$request.path.${name}`]);
  const parameters = Object.fromEntries([...outer, [id, "$response.body#/id"]]);
  return { get: { operationId: target.name, parameters } };
}
