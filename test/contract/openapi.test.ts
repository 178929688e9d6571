/**
 * openapi.json describes all routes. `npx vitest run -u test/contract/openapi.test.ts` updates it from the route table, the
 * schemas and their comments.
 */
import { readFileSync } from "node:fs";
import { validate } from "@readme/openapi-parser";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { routes } from "../../src/api/route-table.ts";
import { isRecord, type JsonObject } from "../../src/json.ts";
import { operationName } from "../support/http/operation-names.ts";
import { BASE, createTestHost } from "../support/http/transports.ts";
import { generateDocument, inLines } from "../support/openapi/generate.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const text = readFileSync("openapi.json", "utf8");

interface Field {
  readonly place: string;
  readonly schema: JsonObject;
}

/** The schemas in a value, and where they are. */
function* fieldsIn(value: unknown, place: string): Generator<Field> {
  if (Array.isArray(value)) for (const [index, one] of value.entries()) yield* fieldsIn(one, `${place}/${index}`);
  if (!isRecord(value)) return;
  const { properties } = value;
  if (isRecord(properties)) {
    for (const [name, field] of Object.entries(properties)) {
      if (isRecord(field)) yield { place: `${place}.${name}`, schema: field as JsonObject };
    }
  }
  for (const [name, one] of Object.entries(value)) {
    if (!["default", "examples", "const", "enum"].includes(name)) yield* fieldsIn(one, `${place}/${name}`);
  }
}

describe("openapi.json", () => {
  let document: JsonObject & {
    paths: Record<string, JsonObject>;
    components: Record<string, Record<string, JsonObject>>;
  };

  beforeAll(async () => {
    document = (await generateDocument(version)) as typeof document;
  });

  it("is what the route table, the schemas and their comments say", async () => {
    await expect(`${inLines(document)}\n`).toMatchFileSnapshot("../../openapi.json");
  });

  it("has an operation for every route, under the name of its function", () => {
    const names = Object.entries(routes).flatMap(([group, rows]) =>
      Object.keys(rows).map((name) => operationName(`${group}.${name}`)),
    );
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const found = operations.flatMap((operation) => (isRecord(operation) ? [operation["operationId"]] : []));
    expect(found.filter((name) => name !== undefined).sort()).toEqual(names.sort());
  });

  it("is valid for @readme/openapi-parser", async () => {
    expect(await validate(structuredClone(document) as never)).toMatchObject({ valid: true, warnings: [] });
  });

  it("has no problem that @redocly/openapi-core finds", async () => {
    const config = await createConfig({
      extends: ["recommended-strict"],
      rules: {
        // The host decides where it mounts Stepwell; the document that it serves says it.
        "no-server-example.com": "off",
        // `default` is the problem of every route.
        "operation-4xx-response": "off",
        // The specification gives `…/files/uploads` besides `…/files/{file_id}`. Ids have a prefix, so no path is ambiguous.
        "no-ambiguous-paths": "off",
      },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual(
      [],
    );
  });

  it("has only components that the meta-schema of JSON Schema 2020-12 accepts", () => {
    const ajv = new Ajv2020({ strict: false });
    const wrong = Object.entries(document.components["schemas"] ?? {}).filter(
      ([, schema]) => !ajv.validateSchema(schema),
    );
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  it("has examples that match their schemas", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "openapi", ...document });
    const examples = Object.entries(document.components["schemas"] ?? {}).flatMap(([name, { examples = [] }]) =>
      Array.isArray(examples) ? examples.map((example) => ({ name, example })) : [],
    );
    const isValid = (name: string, example: unknown) => ajv.getSchema(`openapi#/components/schemas/${name}`)?.(example);
    expect(examples.length).toBeGreaterThan(10);
    expect(examples.filter(({ name, example }) => isValid(name, example) !== true)).toEqual([]);
  });

  it("has patterns that work in every dialect with Unicode", () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, pattern = ""]) =>
      JSON.parse(pattern),
    );
    const isValid = (pattern: string) => {
      try {
        return new RegExp(pattern, "u") !== null;
      } catch {
        return false;
      }
    };
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.filter((pattern) => !isValid(pattern))).toEqual([]);
  });

  it("describes every field, parameter, component and group", () => {
    const { paths, components, ...rest } = document;
    const tags = Array.isArray(rest["tags"]) ? rest["tags"] : [];
    const schemas = components["schemas"] ?? {};
    const named = [
      ...Object.entries(schemas).map(([name, schema]) => ({ place: name, schema })),
      ...tags.map((tag) => ({ place: "tag", schema: tag as JsonObject })),
      ...Object.entries(paths).flatMap(([path, operations]) =>
        Object.values(operations).flatMap((operation) => {
          if (!isRecord(operation) || !Array.isArray(operation["parameters"])) return [];
          const parameters = operation["parameters"] as readonly JsonObject[]; // as OpenAPI says
          return parameters.map((schema) => ({ place: `${path} ${schema["name"] ?? schema["$ref"]}`, schema }));
        }),
      ),
    ];
    const undescribed = [...named, ...fieldsIn(schemas, "schemas"), ...fieldsIn(paths, "paths")].filter(
      ({ schema: { description, $ref } }) =>
        (typeof description !== "string" || description === "") && !String($ref).startsWith("#/components/parameters/"),
    );
    expect(undescribed.map(({ place }) => place)).toEqual([]);
  });
});

describe("GET /openapi.json", () => {
  it("returns the document with the base URL, and needs no key", async () => {
    const { stepwell } = createTestHost(true);
    const response = await stepwell.fetch(new Request(`${BASE}/openapi.json`));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ...JSON.parse(text), servers: [{ url: BASE }] });
    await stepwell.close();
  });

  it("is compressed to less than 100 KB for clients that accept gzip", async () => {
    const { stepwell } = createTestHost(true);
    const request = new Request(`${BASE}/openapi.json`, { headers: { "accept-encoding": "br, gzip;q=0.8" } });
    const response = await stepwell.fetch(request);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(100_000);
    await stepwell.close();
  });
});
