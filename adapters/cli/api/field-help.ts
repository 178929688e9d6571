/** The fields of a function, from openapi.json of the package. Only the help of one function reads that file. */
import { readFile } from "node:fs/promises";
import { isRecord } from "../../../src/json.ts";
import { columns } from "../terminal/table.ts";
import type { ApiFunction } from "./functions.ts";

const OWN = ["url", "key", "app", "body", "out", "all", "json"];

type Json = Readonly<Record<string, unknown>>;

/** Lines with an option for each field of the query or the body; null if they are unknown. */
export async function fieldHelp({ method, path }: Pick<ApiFunction, "method" | "path">): Promise<string | null> {
  const document = await readReference();
  const operation = document === null ? null : at(document, ["paths", path, method.toLowerCase()]);
  if (document === null || operation === null) return null;
  const reference = createReference(document);
  const rows = [...reference.query(operation), ...reference.body(operation)];
  return rows.length === 0 ? null : columns(rows);
}

/** From `dist/cli/`, and from `adapters/cli/api/` in a clone. tsup puts shared code one folder above that of the program. */
async function readReference(): Promise<Json | null> {
  for (const place of ["../openapi.json", "../../openapi.json", "../../../openapi.json"]) {
    try {
      const found: unknown = JSON.parse(await readFile(new URL(place, import.meta.url), "utf8"));
      if (isRecord(found)) return found;
    } catch {
      // it is in one of the other places
    }
  }
  return null;
}

function at(document: Json, names: readonly string[]): Json | null {
  let found: unknown = document;
  for (const name of names) found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : null;
  return isRecord(found) ? found : null;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function createReference(document: Json) {
  const resolve = (given: unknown): Json => {
    if (!isRecord(given)) return {};
    const { $ref: name } = given;
    if (typeof name !== "string") return given;
    return resolve(at(document, name.slice("#/".length).split("/")));
  };

  function typeOf(given: unknown): string {
    const schema = resolve(given);
    const { type, enum: values, const: value, items } = schema;
    if (value !== undefined) return JSON.stringify(value);
    if (Array.isArray(values))
      return values.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("|");
    const alternatives = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
    if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(" or ");
    if (type === "array") return `list of ${typeOf(items)}`;
    return Array.isArray(type) ? type.join(" or ") : textOf(type) || "any JSON";
  }

  const row = (name: string, schema: unknown, about: string, isRequired: boolean): readonly string[] => [
    // An option of the command itself has another meaning.
    OWN.includes(name) ? `  ${name}, in --body` : `  --${name.replaceAll("_", "-")}`,
    `${typeOf(schema)}${isRequired ? ", required" : ""}`,
    (about || textOf(resolve(schema)["description"])).replace(/\s+/g, " "),
  ];

  /** Properties of an object, or of each alternative of it. */
  function properties(given: unknown): (readonly [name: string, schema: unknown, isRequired: boolean])[] {
    const schema = resolve(given);
    const parts = [...listOf(schema["allOf"]), ...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
    const required = listOf(schema["required"]);
    const own = Object.entries(isRecord(schema["properties"]) ? schema["properties"] : {});
    return [
      ...own.map(([name, one]) => [name, one, required.includes(name)] as const),
      ...parts.flatMap((part) => properties(part)),
    ];
  }

  return {
    query: (operation: Json) =>
      listOf(operation["parameters"]).flatMap((given) => {
        const { in: part, name, schema, description, required } = resolve(given);
        return part === "query" ? [row(textOf(name), schema, textOf(description), required === true)] : [];
      }),
    body(operation: Json) {
      const content = at(resolve(operation["requestBody"]), ["content", "application/json"]);
      const found = new Map(properties(content?.["schema"]).map((one) => [one[0], one]));
      return [...found.values()].map(([name, schema, isRequired]) => {
        const about = isRecord(schema) ? textOf(schema["description"]) : "";
        return row(name, schema, about, isRequired);
      });
    },
  };
}
