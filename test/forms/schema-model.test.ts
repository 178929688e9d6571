/** The form of a JSON Schema. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { fillForm } from "../../src/forms/model/fill-entry.ts";
import type { Shape } from "../../src/forms/model/form-model.ts";
import { createNotation } from "../../src/forms/model/notation.ts";
import { readForm } from "../../src/forms/model/read-entry.ts";
import { schemaModel } from "../../src/forms/model/schema-model.ts";
import type { JsonObject } from "../../src/json.ts";
import { jsonSchemaOf } from "../../src/services/action-schema.ts";

const notation = createNotation("en");

function kinds(schema: JsonObject): Record<string, string> {
  const model = schemaModel(schema);
  const name = (shape: Shape): string => (shape.kind === "list" ? `list of ${name(shape.item)}` : shape.kind);
  return Object.fromEntries((model.kind === "object" ? model.fields : []).map(({ key, shape }) => [key, name(shape)]));
}

const of = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

describe("the form of a JSON Schema", () => {
  it("has a control for what services use, and JSON for the rest", () => {
    const schema = of({
      text: { type: "string" },
      address: { type: "string", format: "uri" },
      day: { type: "string", format: "date" },
      moment: { type: "string", format: "date-time" },
      count: { type: "integer" },
      flag: { type: "boolean" },
      pick: { enum: ["a", "b"] },
      titled: { oneOf: [{ const: 1, title: "One" }, { const: 2 }] },
      list: { type: "array", items: { type: "number" } },
      nested: of({ inner: { type: "string" } }),
      maybe: { anyOf: [{ type: "string" }, { type: "null" }] },
      nullable: { type: ["number", "null"] },
      either: { anyOf: [{ type: "string" }, { type: "number" }] },
      pair: { type: "array", prefixItems: [{ type: "string" }] },
      free: { type: "object" },
      anything: {},
      elsewhere: { $ref: "https://example.com/schema" },
    });
    expect(kinds(schema)).toEqual({
      ...{ text: "text", address: "text", day: "date", moment: "datetime", count: "number", flag: "boolean" },
      ...{ pick: "choice", titled: "choice", list: "list of number", nested: "object", maybe: "text" },
      ...{ nullable: "number", either: "variants", pair: "json", free: "object", anything: "json", elsewhere: "json" },
    });
  });

  it("is JSON as a whole if the schema is no object, or unknown", () => {
    expect(schemaModel(null)).toEqual({ kind: "json" });
    expect(schemaModel({ type: "string" })).toEqual({ kind: "json" });
    expect(schemaModel({ anyOf: [of({}), { type: "string" }] })).toEqual({ kind: "json" });
  });

  it("follows references within the schema, and ends where one leads back to itself", () => {
    const schema = of(
      { root: { $ref: "#/$defs/node" } },
      { $defs: { node: of({ name: { type: "string" }, child: { $ref: "#/$defs/node" } }) } },
    );
    let shape: Shape = schemaModel(schema);
    let levels = 0;
    while (shape.kind === "object") {
      levels++;
      shape = shape.fields.at(-1)?.shape ?? { kind: "json" };
    }
    expect(shape.kind).toBe("json");
    expect(levels).toBeGreaterThan(3);
  });

  it("takes labels, descriptions, defaults and what is required from it", () => {
    const model = schemaModel(
      of(
        {
          token: { type: "string", title: "Token", description: "Of your account.", writeOnly: true },
          page: { type: "integer", default: 1 },
        },
        { required: ["token"], additionalProperties: false },
      ),
    );
    expect(model).toMatchObject({
      additional: false,
      fields: [
        { key: "token", label: "Token", desc: "Of your account.", isOptional: false, shape: { look: "secret" } },
        { key: "page", isOptional: true, preset: 1, shape: { kind: "number", isWhole: true } },
      ],
    });
  });

  it("gives what the schema library accepts, and null where only null is allowed", async () => {
    const library = v.strictObject({
      name: v.string(),
      size: v.optional(v.number()),
      kind: v.picklist(["a", "b"]),
      note: v.nullable(v.string()),
      tags: v.array(v.string()),
      inner: v.object({ on: v.boolean() }),
      either: v.union([v.string(), v.object({ id: v.number() })]),
    });
    const schema = await jsonSchemaOf(library);
    const model = schemaModel(schema);
    const input = { name: "x", kind: "b", note: null, tags: ["t"], inner: { on: true }, either: { id: 7 } };
    const { value, problems } = readForm(model, fillForm(model, input, notation), notation);
    expect(problems).toEqual([]);
    expect(v.parse(library, value)).toEqual(input);
  });
});
