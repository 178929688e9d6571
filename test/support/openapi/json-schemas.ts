/** Converts schemas to JSON Schema: the named ones once, as components, to which the others refer. */
import { toJsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { isRecord, type JsonObject, type JsonValue, omitUndefined } from "../../../src/json.ts";
import { described, describedParameter } from "./describe.ts";
import { childrenOf, nameSchemas, optionsOf } from "./schema-names.ts";
import { simplified } from "./simplify.ts";
import type { Comment, SourceComments } from "./source-comments.ts";

/** `input`: what callers send. `output`: what they get. `query`: the parameters of a URL. */
export type Mode = "input" | "output" | "query";

export interface Wanted {
  readonly schema: v.GenericSchema;
  readonly mode: Mode;
}

export interface JsonSchemas {
  readonly components: Readonly<Record<string, JsonObject>>;
  of(wanted: Wanted): JsonObject;
}

const PREFIX = "#/components/schemas/";
/** Checks that the comments describe, and changes that make no difference to what is accepted. */
const IN_WORDS = ["check", "raw_check", "trim", "to_lower_case"];

type Config = NonNullable<Parameters<typeof toJsonSchemaDefs>[1]>;
type Converted = Parameters<NonNullable<Config["overrideSchema"]>>[0]["jsonSchema"];

/** @param all All schemas that are asked for. */
export function convertSchemas(comments: SourceComments, all: readonly Wanted[]): JsonSchemas {
  const names = nameSchemas(comments.schemas);
  const inMode = (mode: Mode, names: ReadonlyMap<v.GenericSchema, string>) => {
    const roots = new Set(all.filter((one) => one.mode === mode).map(({ schema }) => schema));
    const reachable = reachableFrom(roots);
    const definitions: Record<string, v.GenericSchema> = {};
    for (const schema of reachable) {
      const name = names.get(schema);
      if (name !== undefined) definitions[name] = schema;
    }
    const inline = [...roots].filter((schema) => !names.has(schema));
    inline.forEach((schema, index) => {
      // A copy, so that nothing refers to it.
      definitions[`inline ${index}`] = { ...schema };
    });
    const converted = toJsonSchemaDefs(definitions, configOf(mode, comments, names));
    const jsonOf = (name: string) => simplified(converted[name] as JsonObject); // what toJsonSchemaDefs returns is JSON
    const named = Object.keys(definitions).filter((name) => !name.startsWith("inline "));
    return {
      components: Object.fromEntries(named.map((name) => [name, withTypeComment(jsonOf(name), name, comments)])),
      inline: new Map(inline.map((schema, index) => [schema, jsonOf(`inline ${index}`)])),
    };
  };

  const [input, output] = [inMode("input", names), inMode("output", names)];
  const query = inMode("query", new Map());
  const renamed = differing(input.components, output.components);
  const asInput = (value: JsonObject) => renameReferences(value, renamed);
  const components: Record<string, JsonObject> = { ...output.components };
  for (const [name, schema] of Object.entries(input.components)) {
    components[renamed.has(name) ? `${name}Input` : name] = asInput(schema);
  }
  return {
    components: Object.fromEntries(Object.entries(components).sort(([one], [other]) => (one < other ? -1 : 1))),
    of({ schema, mode }) {
      if (mode === "query") return query.inline.get(schema) ?? {};
      const name = names.get(schema);
      const found = name === undefined ? (mode === "input" ? input : output).inline.get(schema) : reference(name);
      if (found === undefined) throw new Error(`a schema of the type ${schema.type} was not converted`);
      return mode === "input" ? asInput(found) : found;
    },
  };
}

function configOf(mode: Mode, comments: SourceComments, names: ReadonlyMap<v.GenericSchema, string>): Config {
  return {
    target: "draft-2020-12",
    typeMode: mode === "output" ? "output" : "input",
    ignoreActions: IN_WORDS,
    overrideRef: ({ referenceId }) => `${PREFIX}${referenceId}`,
    overrideAction({ valibotAction: action, jsonSchema: { pattern, maxLength, ...rest } }) {
      const before = { ...rest, ...omitUndefined({ pattern, maxLength }) };
      // JSON Schema has no flags: the comment says what a pattern with one accepts.
      if (action.type === "regex") return hasFlags(action) ? { ...rest, ...omitUndefined({ maxLength }) } : before;
      // Of a text or a list: the comment says how many values it may have.
      if (action.type === "max_length" && rest.type === undefined) return { ...rest, ...omitUndefined({ pattern }) };
      // In responses, values have been stored in their final form, which has the same type.
      return action.type === "transform" && mode === "output" ? before : undefined;
    },
    overrideSchema({ valibotSchema: schema, jsonSchema }) {
      if (mode === "query" && schema.type === "union") return inUrl(schema, jsonSchema);
      if (schema.type === "file") return { type: "string", contentMediaType: "application/octet-stream" } as Converted;
      if (schema.type === "variant") return withDiscriminator(schema, jsonSchema, names);
      if (!("entries" in schema)) return undefined;
      const fields = mode === "query" ? withItems(schema, jsonSchema) : jsonSchema;
      return withComments(schema, fields, mode, comments);
    },
  };
}

function hasFlags(action: { readonly type: string }): boolean {
  const pattern: unknown = "requirement" in action ? action.requirement : undefined;
  return pattern instanceof RegExp && pattern.flags !== "" && pattern.flags !== "u";
}

/** Of the forms of a value, the one that it has in a URL, where everything is text: a number, not its digits. */
function inUrl(schema: v.GenericSchema, json: Converted): Converted | undefined {
  const forms = json.anyOf ?? [];
  const isRead = childrenOf(schema).map(isTransformed);
  const texts = forms.filter((_, index) => isRead[index] === true);
  const others = forms.filter((_, index) => isRead[index] === false);
  if (texts.length === 0) return undefined;
  const [first] = others.some((one) => typeof one === "object" && one.type !== "object") ? others : texts;
  return typeof first === "object" ? first : undefined;
}

function isTransformed(schema: v.GenericSchema): boolean {
  const pipe: readonly unknown[] = "pipe" in schema && Array.isArray(schema.pipe) ? schema.pipe : [];
  const [first] = pipe;
  const isText = isRecord(first) && (first["type"] === "string" || first["type"] === "picklist");
  return isText && pipe.some((one) => isRecord(one) && one["type"] === "transform");
}

/** A list in a URL is checked as a text first. */
function withItems(schema: v.GenericSchema, json: Converted): Converted {
  const entries = "entries" in schema && isRecord(schema.entries) ? schema.entries : {};
  const properties = Object.entries(json.properties ?? {}).map(([name, field]) => {
    const item = itemOf(entries[name]);
    const converted = item === undefined ? undefined : toJsonSchema(item, { ...ITEM, ignoreActions: IN_WORDS });
    return [name, converted === undefined ? field : { ...(field as Converted), items: converted }];
  });
  return { ...json, properties: Object.fromEntries(properties) };
}

const ITEM = { target: "draft-2020-12", typeMode: "input" } as const;

function itemOf(field: unknown): v.GenericSchema | undefined {
  if (!isRecord(field)) return undefined;
  if (isRecord(field["wrapped"])) return itemOf(field["wrapped"]);
  const pipe: readonly unknown[] = Array.isArray(field["pipe"]) ? field["pipe"] : [];
  const last = pipe.findLast((one) => isRecord(one) && one["kind"] === "schema");
  const isList = isRecord(last) && last["type"] === "array" && last !== pipe[0];
  return isList ? (last["item"] as v.GenericSchema) : undefined;
}

/** Adds the comments of the fields. In responses, fields with a default are always present. */
function withComments(schema: v.GenericSchema, json: Converted, mode: Mode, comments: SourceComments): Converted {
  const texts = comments.ofFields(schema);
  const entries = "entries" in schema && isRecord(schema.entries) ? schema.entries : {};
  const describe = mode === "query" ? describedParameter : described;
  const fields = Object.entries(json.properties ?? {}).map(([name, field]) => [
    name,
    describe(field as JsonObject, texts[name]),
  ]);
  const isSet = (name: string) => isRecord(entries[name]) && entries[name]["default"] !== undefined;
  const always = mode === "output" ? Object.keys(entries).filter(isSet) : [];
  const required = [...new Set([...(json.required ?? []), ...always])];
  return { ...json, properties: Object.fromEntries(fields), required };
}

/** Names the field that tells the variants apart, if each variant is a component. */
function withDiscriminator(
  schema: v.GenericSchema,
  json: Converted,
  names: ReadonlyMap<v.GenericSchema, string>,
): Converted {
  const options = optionsOf(schema).map(({ option, value }) => ({ name: names.get(option), value }));
  if (options.some(({ name, value }) => name === undefined || value === undefined)) return json;
  const mapping = Object.fromEntries(options.map(({ name, value }) => [value, `${PREFIX}${name}`]));
  const propertyName = "key" in schema ? String(schema.key) : "";
  return { ...json, discriminator: { propertyName, mapping } } as Converted;
}

const reference = (name: string): JsonObject => ({ $ref: `${PREFIX}${name}` });

function withTypeComment(json: JsonObject, name: string, comments: SourceComments): JsonObject {
  return described(json, comments.ofType(name) ?? discriminatorComment(json));
}

/** Of a variant without a type of its own, the comment of its discriminator says what it is. */
function discriminatorComment({ properties }: JsonObject): Comment | undefined {
  const fields = Object.values(isRecord(properties) ? properties : {});
  const field = fields.find((one) => isRecord(one) && one["const"] !== undefined);
  const text = isRecord(field) ? field["description"] : undefined;
  return typeof text === "string" ? { text, tags: {} } : undefined;
}

function reachableFrom(roots: Iterable<v.GenericSchema>): ReadonlySet<v.GenericSchema> {
  const found = new Set<v.GenericSchema>();
  const open = [...roots];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (found.has(schema)) continue;
    found.add(schema);
    open.push(...childrenOf(schema));
  }
  return found;
}

/**
 * Names of the components that requests and responses don't share, because they or their parts differ. A response that only
 * has more fields for certain is no difference: it shares the component of the request.
 */
function differing(
  input: Readonly<Record<string, JsonObject>>,
  output: Readonly<Record<string, JsonObject>>,
): ReadonlySet<string> {
  const both = Object.keys(input).filter((name) => name in output);
  const different = new Set(both.filter((name) => textOf(input[name]) !== textOf(output[name])));
  for (let size = -1; size !== different.size; ) {
    size = different.size;
    for (const name of both) {
      const text = JSON.stringify(input[name]);
      if ([...different].some((other) => text.includes(JSON.stringify(`${PREFIX}${other}`)))) different.add(name);
    }
  }
  return different;
}

/** Without `required`, in which responses are stricter. */
function textOf(schema: JsonObject | undefined): string {
  return JSON.stringify(schema, (name, value: unknown) => (name === "required" ? undefined : value));
}

function renameReferences<Json extends JsonValue>(value: Json, renamed: ReadonlySet<string>): Json {
  const text = JSON.stringify(value, (_key, given: unknown) =>
    typeof given === "string" && given.startsWith(PREFIX) && renamed.has(given.slice(PREFIX.length))
      ? `${given}Input`
      : given,
  );
  return JSON.parse(text);
}
