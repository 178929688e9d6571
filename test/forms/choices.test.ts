/** Values of one of several forms: random schemas with alternatives, against the library that they are of. */
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { type Entry, emptyEntry } from "../../src/forms/model/entry.ts";
import { blankForm, chooseVariant, fillForm } from "../../src/forms/model/fill-entry.ts";
import type { FormModel, Shape, VariantsShape } from "../../src/forms/model/form-model.ts";
import { keptEntry } from "../../src/forms/model/kept-entry.ts";
import { createNotation } from "../../src/forms/model/notation.ts";
import { placeErrors } from "../../src/forms/model/place-errors.ts";
import { readForm } from "../../src/forms/model/read-entry.ts";
import { schemaModel } from "../../src/forms/model/schema-model.ts";
import { isRecord, type JsonObject, type JsonValue, pointer } from "../../src/json.ts";
import { jsonSchemaOf } from "../../src/services/action-schema.ts";
import { HttpConnection } from "../../src/services/http/credentials.ts";
import { type ObjectWithValue, schemaWithValue } from "../support/forms/arbitrary-schema.ts";

const notation = createNotation("en");

async function modelOf(schema: v.GenericSchema): Promise<FormModel> {
  const described = await jsonSchemaOf(schema);
  expect(described).not.toBeNull();
  return schemaModel(described);
}

const read = (model: FormModel, entry: Entry) => readForm(model, entry, notation);

async function ofEach(check: (given: ObjectWithValue, model: FormModel) => void): Promise<void> {
  await fc.assert(fc.asyncProperty(schemaWithValue, async (given) => check(given, await modelOf(given.schema))));
}

describe("the form of a schema with alternatives", () => {
  it("gives the value that it was filled with again, and the library accepts it", async () => {
    await ofEach(({ schema, value }, model) => {
      const { value: found, problems } = read(model, fillForm(model, value, notation));
      expect({ found, problems }).toEqual({ found: value, problems: [] });
      expect(v.is(schema, found)).toBe(true);
    });
  });

  it("shows each value in the control of its variant, not as JSON", async () => {
    await ofEach(({ value }, model) => {
      expect(JSON.stringify(fillForm(model, value, notation))).not.toContain('"kind":"raw"');
      expect(JSON.stringify(withoutExtra(model))).not.toContain('"kind":"json"');
    });
  });

  it("gives the same value after a look at every other variant", async () => {
    await ofEach(({ value }, model) => {
      const looked = lookAround(model, fillForm(model, value, notation));
      expect(read(model, looked)).toEqual({ value, problems: [] });
    });
  });

  it("is restored from what the browser has kept", async () => {
    await ofEach(({ value }, model) => {
      const entry = lookAround(model, fillForm(model, value, notation));
      expect(keptEntry(model, JSON.parse(JSON.stringify(entry)))).toEqual(entry);
    });
  });

  it("has a control for what the server says about any part of a value, except about constants", async () => {
    await ofEach(({ value }, model) => {
      const entry = fillForm(model, value, notation);
      const paths = pathsOf(value).map((path) => ({ pointer: `/credentials${pointer(path)}`, message: "Wrong." }));
      for (const { place, labels } of placeErrors(model, entry, paths, "/credentials")) {
        expect(place === null || place.startsWith("/")).toBe(true);
        if (place === null) expect(labels).toHaveLength(1);
      }
    });
  });
});

/** Paths of the values in a value, without those of lists of single values. */
function pathsOf(value: JsonValue): (string | number)[][] {
  if (Array.isArray(value)) return value.flatMap((one, index) => pathsOf(one).map((path) => [index, ...path]));
  if (!isRecord(value)) return [[]];
  return Object.entries(value).flatMap(([key, one]) => pathsOf(one as JsonValue).map((path) => [key, ...path])); // part of JSON
}

/** Chooses all other variants of each value, and at last the first one again. */
function lookAround(shape: Shape, entry: Entry): Entry {
  if (shape.kind === "object" && entry.kind === "object") {
    const fields = shape.fields.map(({ key, shape: inner }) => [
      key,
      lookAround(inner, entry.fields[key] ?? emptyEntry(inner)),
    ]);
    return { ...entry, fields: Object.fromEntries(fields) };
  }
  if (shape.kind === "list" && entry.kind === "list") {
    return { ...entry, rows: entry.rows.map((row) => ({ ...row, entry: lookAround(shape.item, row.entry) })) };
  }
  if (shape.kind !== "variants" || entry.kind !== "variants") return entry;
  const all = [...shape.variants.keys(), entry.chosen];
  return all.reduce<Entry>((now, position) => chooseVariant(shape, now, position, notation), entry);
}

/** Further values are any JSON, which has JSON among its variants. */
function withoutExtra(shape: Shape): unknown {
  if (shape.kind === "object") return shape.fields.map((field) => withoutExtra(field.shape));
  if (shape.kind === "list") return withoutExtra(shape.item);
  return shape.kind === "variants" ? shape.variants.map((variant) => withoutExtra(variant.shape)) : shape;
}

const of = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const tagged = (type: string, properties: JsonObject, more: JsonObject = {}): JsonObject =>
  of({ type: { const: type }, ...properties }, { required: ["type"], ...more });

function variantsOf(model: Shape): VariantsShape {
  if (model.kind !== "variants") throw new Error(`It is ${model.kind}.`);
  return model;
}
const labels = (model: Shape) => variantsOf(model).variants.map(({ label }) => label);
const keys = (shape: Shape | undefined) => (shape?.kind === "object" ? shape.fields.map(({ key }) => key) : []);

describe("the variants of a schema", () => {
  it("are those of the credentials of the service http, named for people, with masked secrets", async () => {
    const model = await modelOf(HttpConnection);
    expect(labels(model)).toEqual([
      "Bearer token",
      "User name and password",
      "Header",
      "Query parameter",
      "OAuth 2.0 (client credentials)",
    ]);
    const secrets = variantsOf(model).variants.map(({ shape }) =>
      shape.kind === "object"
        ? shape.fields.filter((one) => one.shape.kind === "text" && one.shape.look === "secret").map(({ key }) => key)
        : [],
    );
    expect(secrets).toEqual([["token"], ["password"], ["value"], ["value"], ["client_secret"]]);
  });

  it("keep what both have when another one is chosen, and what only one has until it is chosen again", async () => {
    const model = variantsOf(await modelOf(HttpConnection));
    const bearer = { type: "bearer", base_url: "https://api.example.com", token: "t" };
    const basic = chooseVariant(model, fillForm(model, bearer, notation), 1, notation);
    expect(read(model, basic).value).toEqual({ type: "basic", base_url: "https://api.example.com" });
    expect(read(model, chooseVariant(model, basic, 0, notation)).value).toEqual(bearer);
  });

  it("have the title of the schema, of the value that tells them apart, that value, or the name of the reference", () => {
    const named = { title: "A square", ...tagged("square", {}) };
    const titled = of({ type: { const: "circle", title: "A circle" } }, { required: ["type"] });
    expect(labels(schemaModel({ oneOf: [named, titled, tagged("line", {})] }))).toEqual([
      "A square",
      "A circle",
      "line",
    ]);
    const $defs = { cat: of({ name: { type: "string" } }), dog: of({ age: { type: "number" } }) };
    expect(labels(schemaModel({ anyOf: [{ $ref: "#/$defs/cat" }, { $ref: "#/$defs/dog" }], $defs }))).toEqual([
      "cat",
      "dog",
    ]);
    expect(labels(schemaModel({ anyOf: [of({ a: {} }), of({ b: {} })] }))).toEqual([null, null]);
  });

  it("are told apart by the discriminator of OpenAPI", () => {
    const schemas = { Cat: of({ pet: { type: "string" } }), Dog: of({ pet: { type: "string" } }) };
    const model = schemaModel({
      oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
      discriminator: { propertyName: "pet", mapping: { meow: "#/$defs/Cat" } },
      $defs: schemas,
    });
    expect(labels(model)).toEqual(["meow", "Dog"]);
    expect(read(model, blankForm(model, notation)).value).toEqual({ pet: "meow" });
  });

  it("have the fields that stand beside the alternatives, and those of all parts that must apply together", () => {
    const model = schemaModel({
      ...of({ name: { type: "string" } }, { required: ["name"] }),
      oneOf: [tagged("a", { x: { type: "number" } }), { allOf: [tagged("b", {}), of({ y: { type: "string" } })] }],
    });
    expect(variantsOf(model).variants.map(({ shape }) => keys(shape))).toEqual([
      ["name", "type", "x"],
      ["name", "type", "y"],
    ]);
  });

  it("are no choice if they only say which fields belong together", () => {
    const fields = of({ id: { type: "string" }, name: { type: "string" } });
    expect(keys(schemaModel({ ...fields, anyOf: [{ required: ["id"] }, { required: ["name"] }] }))).toEqual([
      "id",
      "name",
    ]);
  });

  it("are left out for null, and for texts that are only suggested", () => {
    const model = schemaModel(
      of({
        maybe: { anyOf: [tagged("a", {}), tagged("b", {}), { type: "null" }] },
        zone: { anyOf: [{ enum: ["UTC", "CET"] }, { type: "string" }] },
        level: { enum: ["low", null] },
      }),
    );
    if (model.kind !== "object") throw new Error("It has fields.");
    const [maybe, zone, level] = model.fields;
    expect(maybe).toMatchObject({
      isOptional: true,
      shape: { kind: "variants", variants: [{ label: "a" }, { label: "b" }] },
    });
    expect(zone?.shape).toMatchObject({ kind: "text", suggestions: [{ value: "UTC" }, { value: "CET" }] });
    expect(level).toMatchObject({ isOptional: true, shape: { kind: "choice", choices: [{ value: "low" }] } });
  });

  it("end as JSON in a schema that contains itself several times, before the form becomes too large", () => {
    const term = (op: string) => tagged(op, { left: { $ref: "#/$defs/term" }, right: { $ref: "#/$defs/term" } });
    const $defs = { term: { oneOf: ["+", "-", "*", "/"].map(term) } };
    const model = schemaModel({ $ref: "#/$defs/term", $defs });
    const sum = { type: "+", left: { type: "-", left: 1, right: 2 }, right: 3 };
    expect(labels(model)).toEqual(["+", "-", "*", "/"]);
    expect(JSON.stringify(model).length).toBeLessThan(1_000_000);
    expect(read(model, fillForm(model, sum, notation))).toEqual({ value: sum, problems: [] });
  });

  it("show a value that fits none as JSON, and the closest one for a value that is not complete", () => {
    const model = schemaModel({
      oneOf: [tagged("a", { x: { type: "number" } }), tagged("b", { y: { type: "string" } })],
    });
    expect(fillForm(model, { type: "c" }, notation)).toMatchObject({ kind: "raw" });
    expect(fillForm(model, { type: "b", x: 1 }, notation)).toMatchObject({ kind: "variants", chosen: 1 });
  });
});

describe("values of any kind", () => {
  it("are given back as they were", () => {
    const model = schemaModel({ type: "object" });
    const plain = fc.dictionary(
      fc.string({ minLength: 1 }).filter((name) => name !== "__proto__"),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(plain, (values) => {
        const given: JsonValue = JSON.parse(JSON.stringify(values)); // without what JSON does not have
        expect(read(model, fillForm(model, given, notation))).toEqual({ value: given, problems: [] });
      }),
    );
  });

  it("are texts only where a person says so: a text of digits stays a text", () => {
    const model = schemaModel({ type: "object" });
    const values = { zip: "007", count: 7, empty: "", flag: false, list: [1], nothing: null };
    const entry = fillForm(model, values, notation);
    const kinds =
      entry.kind === "object" ? entry.extra.map(({ entry: one }) => (one.kind === "variants" ? one.chosen : null)) : [];
    expect(kinds).toEqual([0, 1, 0, 2, 3, 3]);
    expect(read(model, entry).value).toEqual(values);
  });
});
