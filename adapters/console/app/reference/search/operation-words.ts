/** The words by which an operation is found, each with how much it says about the operation. Pure. */
import { nameOf, type OpenApiDocument, type Operation, type ResponseInfo, type Schema } from "../document.ts";
import { partsOf, stemOf, wordsIn } from "./words.ts";

/** The larger, the more a word says. */
const WEIGHTS = {
  /** The id, the method, and where a summary says what is done with what, such as "List the runs". */
  name: 8,
  summary: 5,
  /** Of the path, parameters, headers, fields, values and errors. */
  part: 3,
  /** Of the fields and values of responses. */
  response: 2,
  description: 1,
} as const;

/** So many words of a summary say what is done with what. */
const CORE_WORDS = 3;

/** Deeper fields of a response belong to what it contains. */
const MAX_RESPONSE_DEPTH = 3;

/** @returns For each operation: weights by the stems of words. */
export function wordsOfAll(
  document: OpenApiDocument,
  operations: readonly Operation[],
): readonly ReadonlyMap<string, number>[] {
  // Operations share most of their texts.
  const known = new Map<string, ReadonlySet<string>>();
  const stemsOf = (text: string): ReadonlySet<string> => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const stems = new Set([...wordsIn(text), ...text.split(/\s/).flatMap(partsOf)].map(stemOf));
    known.set(text, stems);
    return stems;
  };
  const namesOf = namesReader(document);
  return operations.map((operation) => {
    const found = new Map<string, number>();
    const note = ([kind, text]: Text) => {
      for (const stem of stemsOf(text)) found.set(stem, Math.max(found.get(stem) ?? 0, WEIGHTS[kind]));
    };
    for (const text of textsOf(operation, namesOf)) note(text);
    return found;
  });
}

type Text = readonly [keyof typeof WEIGHTS, string];

/** The names in a schema. @param depth Of objects in objects. @default all */
type NamesOf = (schema: Schema, depth?: number) => string;

function* textsOf(operation: Operation, namesOf: NamesOf): Generator<Text> {
  const { operationId, method, path, summary = "", description = "" } = operation;
  const said = summary.split(" ");
  yield ["name", `${operationId} ${method} ${said.slice(0, CORE_WORDS).join(" ")}`];
  yield ["summary", said.slice(CORE_WORDS).join(" ")];
  yield ["part", path.replaceAll("/", " ")];
  yield ["description", description];
  for (const parameter of operation.parameters ?? []) {
    yield ["part", parameter.name];
    yield ["description", parameter.description ?? ""];
    yield ["part", namesOf(parameter.schema ?? {})];
  }
  for (const scopes of operation.security ?? []) yield ["part", Object.values(scopes).flat().join(" ")];
  for (const [type, { schema = {} }] of Object.entries(operation.requestBody?.content ?? {})) {
    yield ["part", type];
    yield ["part", namesOf(schema)];
  }
  // The response that all operations share says nothing about one of them.
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    if (status !== "default") yield* textsOfResponse(status, response, namesOf);
  }
}

function* textsOfResponse(status: string, response: ResponseInfo, namesOf: NamesOf): Generator<Text> {
  const { description = "", content = {}, headers = {} } = response;
  yield ["part", status];
  // "`conflict`: if the workflow has no deployed version"
  for (const code of description.split("`").filter((_, index) => index % 2 === 1)) yield ["part", code];
  yield ["description", description];
  for (const name of Object.keys(headers)) yield ["part", name];
  for (const [type, { schema = {} }] of Object.entries(content)) {
    if (type === "application/problem+json") continue;
    yield ["response", type];
    yield ["response", namesOf(schema, MAX_RESPONSE_DEPTH)];
  }
}

/** Reads each schema once: operations share most of them. */
function namesReader(document: OpenApiDocument): NamesOf {
  const known = new Map<string, string>();
  return (schema, depth = Number.POSITIVE_INFINITY) => {
    const key = `${depth} ${JSON.stringify(schema)}`;
    const names = known.get(key) ?? [...namesIn(document, schema, depth)].join(" ");
    known.set(key, names);
    return names;
  };
}

/** Names of fields, and values of enumerations. */
function namesIn(document: OpenApiDocument, schema: Schema, depth: number): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const collect = (one: Schema, left: number): void => {
    if (left === 0) return;
    if (one.$ref !== undefined && !seen.has(one.$ref)) {
      seen.add(one.$ref);
      collect(document.components.schemas?.[nameOf(one.$ref)] ?? {}, left);
    }
    for (const value of [...(one.enum ?? []), one.const]) if (typeof value === "string") names.add(value);
    for (const [name, field] of Object.entries(one.properties ?? {})) {
      names.add(name);
      collect(field, left - 1);
    }
    const { items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = one;
    for (const inner of [items, additionalProperties, ...anyOf, ...oneOf, ...allOf]) {
      if (typeof inner === "object") collect(inner, left);
    }
  };
  collect(schema, depth);
  return names;
}
