/** The operations of the document: what a route reads, and what it responds with. */
import { STATUS_CODES } from "node:http";
import * as v from "valibot";
import { ERRORS, type ErrorCode } from "../../../src/errors.ts";
import type { AnyRoute } from "../../../src/http/route.ts";
import type { JsonObject } from "../../../src/json.ts";
import type { JsonSchemas } from "./json-schemas.ts";
import { headerParameters } from "./parameters.ts";
import type { Comment } from "./source-comments.ts";

export interface NamedRoute {
  /** The function of `stepwell.*`, such as `runs.create`. Routes without one have a name of the same form. */
  readonly name: string;
  readonly group: string;
  readonly route: AnyRoute;
}

const PROBLEM: JsonObject = {
  "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
};

export function operationOf(
  { name, group, route }: NamedRoute,
  parts: {
    readonly schemas: JsonSchemas;
    /** Comment of the function. */
    readonly comment: Comment | undefined;
    readonly query: readonly JsonObject[];
    readonly links: JsonObject | undefined;
  },
): JsonObject {
  const { schemas, comment, query, links } = parts;
  const [summary = "", description = ""] = route.summary.split(/(?<=\.)\s(.*)/s);
  const parameters = [...query, ...headerParameters(route)];
  const content = requestContent(route, schemas);
  return {
    operationId: name,
    tags: [group],
    summary: summary.replace(/\.$/, ""),
    ...(description === "" ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(content === undefined
      ? {}
      : { requestBody: isBodyRequired(route) ? { required: true, content } : { content } }),
    responses: { ...responses(route, schemas, links), ...problems(route, comment) },
    security: securityOf(route),
  };
}

/** An omitted body is an empty object. A route that takes bodies of several types decides itself what it needs. */
function isBodyRequired(route: AnyRoute): boolean {
  if (route.kind === "shaped" && route.needsBody) return true;
  const [schema, ...others] =
    route.kind === "shaped" ? [route.body] : Object.values(route.described.request.body ?? {});
  return schema !== undefined && schema !== null && others.length === 0 && !v.safeParse(schema, {}).success;
}

function requestContent(route: AnyRoute, schemas: JsonSchemas): JsonObject | undefined {
  if (route.kind === "raw") {
    const { body } = route.described.request;
    return body === undefined ? undefined : contentOf(body, schemas, "input");
  }
  return route.body === undefined ? undefined : contentOf({ "application/json": route.body }, schemas, "input");
}

function contentOf(
  body: Readonly<Record<string, Parameters<JsonSchemas["of"]>[0]["schema"] | null>>,
  schemas: JsonSchemas,
  mode: "input" | "output",
): JsonObject {
  const entries = Object.entries(body).map(([type, schema]) => [
    type,
    // Events are text that contains JSON.
    schema === null
      ? bodyWithoutSchema(type)
      : type === "text/event-stream"
        ? eventStream(schemas.of({ schema, mode }))
        : { schema: schemas.of({ schema, mode }) },
  ]);
  return Object.fromEntries(entries);
}

const bodyWithoutSchema = (type: string): JsonObject =>
  type.startsWith("text/") ? { schema: { type: "string" } } : {};

const eventStream = (data: JsonObject): JsonObject => ({
  schema: { type: "string", contentMediaType: "text/event-stream", contentSchema: data },
});

function responses(route: AnyRoute, schemas: JsonSchemas, links: JsonObject | undefined): JsonObject {
  if (route.kind === "raw") {
    const entries = Object.entries(route.described.answers).map(([status, { meaning, headers, body }]) => [
      status,
      {
        description: meaning ?? STATUS_CODES[Number(status)] ?? "",
        ...headersOf(headers ?? []),
        ...(body === undefined ? {} : { content: contentOf(body, schemas, "output") }),
      },
    ]);
    return Object.fromEntries(entries);
  }
  const { kind, status, schema, forms, versioned, isExisting } = route.answers;
  const tag = versioned === undefined ? [] : ["ETag"];
  const notModified: JsonObject =
    versioned !== undefined && route.method === "GET"
      ? { 304: { description: STATUS_CODES[304] ?? "", ...headersOf(tag) } }
      : {};
  const json = schema === null ? undefined : schemas.of({ schema, mode: "output" });
  const whole = kind === "page" && json !== undefined ? { type: "array", items: json } : json;
  const types = forms?.map(({ type }) => type) ?? ["application/json"];
  const content = types.map((type) => [type, type.endsWith("json") && whole !== undefined ? { schema: whole } : {}]);
  const answer = (code: number, headers: readonly string[], more: JsonObject = {}): JsonObject => ({
    [code]: {
      description: STATUS_CODES[code] ?? "",
      ...headersOf(headers),
      ...(whole === undefined ? {} : { content: Object.fromEntries(content) }),
      ...more,
    },
  });
  switch (kind) {
    case "nothing":
      return { [status]: { description: STATUS_CODES[status] ?? "" } };
    case "one":
      return { ...answer(status, tag), ...notModified };
    case "page":
      return answer(status, pageHeaders(route));
    case "created": {
      const headers = ["Location", ...tag];
      const again = isExisting === undefined ? {} : answer(200, headers);
      return { ...again, ...answer(status, headers, links === undefined ? {} : { links }) };
    }
  }
}

function pageHeaders({ kind, ...route }: AnyRoute): string[] {
  const query = "query" in route ? route.query : undefined;
  const entries = query !== undefined && "entries" in query ? Object(query.entries) : {};
  return [
    "Link",
    "X-Total-Count",
    ...("page_token" in entries ? ["X-Next-Page-Token"] : []),
    ...("filter" in entries ? ["X-Incomplete"] : []),
  ];
}

function headersOf(names: readonly string[]): JsonObject {
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}

/** Problems that the function declares, by status. All others have the same form. */
function problems(route: AnyRoute, comment: Comment | undefined): JsonObject {
  const byStatus = new Map<number, string[]>();
  for (const text of comment?.tags["throws"] ?? []) {
    for (const clause of overHttp(text).split(/;\s*/)) {
      const [, code = "", reason = ""] = /^`(\w+)`,?\s*(.*?)\.?$/s.exec(clause) ?? [];
      if (!isCode(code)) continue;
      const { status } = ERRORS[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\`${reason === "" ? "" : `: ${reason}`}`]);
    }
  }
  const taken = route.kind === "raw" ? Object.keys(route.described.answers).map(Number) : [];
  const entries = [...byStatus]
    .filter(([status]) => !taken.includes(status))
    .map(([status, reasons]) => [status, { description: reasons.join("; "), content: PROBLEM }]);
  return { ...Object.fromEntries(entries), default: { $ref: "#/components/responses/Problem" } };
}

/** Without what a caller in process gets, such as the reason of its signal. */
function overHttp(text: string): string {
  return text.replace(/^StepwellError\s*/, "").replace(/\.\s+Also rejects.*$/s, "");
}

function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

function securityOf({ access, scope }: AnyRoute): JsonObject[] {
  const key = { appKey: scope === undefined ? [] : [scope] };
  switch (access) {
    case "admin":
      return [{ adminKey: [] }];
    case "app":
      return [key];
    case "public":
      return [key, {}];
    case "open":
      return [];
  }
}
