/** A JSON Schema of the server with the titles and descriptions of the language. Pure. */
import { isJsonObject, isRecord, type JsonObject, type JsonValue, ownField } from "../../../../src/json.ts";
import type { Described, SchemaTexts } from "../texts/built-in-texts.ts";

/** Where a schema stands, with the constants of the alternatives that it is part of, and without. */
interface Place {
  readonly exact: string;
  readonly plain: string;
}

/** What has no translation stays as it is. */
export function translatedSchema(schema: JsonObject | null, texts: SchemaTexts | undefined): JsonObject | null {
  if (schema === null || texts === undefined) return schema;
  return translated(schema, undefined, { texts, at: { exact: "", plain: "" } });
}

interface Within {
  readonly texts: SchemaTexts;
  readonly at: Place;
}

function translated(schema: JsonObject, said: Described | undefined, within: Within): JsonObject {
  const keywords = Object.entries(schema).map(([keyword, value]): [string, JsonValue] => [
    keyword,
    keywordOf(keyword, value, said, within),
  ]);
  return Object.fromEntries(keywords);
}

function keywordOf(keyword: string, value: JsonValue, said: Described | undefined, within: Within): JsonValue {
  switch (keyword) {
    case "title":
    case "description":
      return said?.[keyword] ?? value;
    case "properties":
      return isJsonObject(value) ? propertiesOf(value, within) : value;
    case "items":
      return partOf(value, (path) => `${path}[]`, within);
    case "oneOf":
    case "anyOf":
      return Array.isArray(value) ? value.map((one: JsonValue) => alternativeOf(one, within)) : value;
    default:
      return value;
  }
}

function propertiesOf(properties: JsonObject, within: Within): JsonObject {
  const parts = Object.entries(properties).map(([name, part]): [string, JsonValue] => [
    name,
    partOf(part, (path) => joined(path, name), within),
  ]);
  return Object.fromEntries(parts);
}

function partOf(part: JsonValue, below: (path: string) => string, { texts, at }: Within): JsonValue {
  if (!isJsonObject(part)) return part;
  const place = { exact: below(at.exact), plain: below(at.plain) };
  return translated(part, ownField(texts, place.exact) ?? ownField(texts, place.plain), { texts, at: place });
}

function alternativeOf(alternative: JsonValue, { texts, at }: Within): JsonValue {
  if (!isJsonObject(alternative)) return alternative;
  const exact = joined(at.exact, kindOf(alternative));
  const said = exact === at.exact ? undefined : ownField(texts, exact);
  return translated(alternative, said, { texts, at: { exact, plain: at.plain } });
}

/** The constant that tells an alternative from the others. */
function kindOf({ properties }: JsonObject): string {
  const constants = Object.values(isRecord(properties) ? properties : {}).flatMap((one) =>
    isRecord(one) && typeof one["const"] === "string" ? [one["const"]] : [],
  );
  return constants[0] ?? "";
}

const joined = (path: string, name: string) => (path === "" || name === "" ? path + name : `${path}.${name}`);
