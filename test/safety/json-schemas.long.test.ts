/** The JSON Schema of a model step cannot block the process, and fails the step with an error about the schema. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readJsonAnswer } from "../../src/engine/model/json-answer.ts";
import { createSchemaChecks } from "../../src/engine/model/json-schema.ts";
import type { JsonObject } from "../../src/json.ts";
import { createTestService, scriptedModel, type TestService } from "../../src/testing/index.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { isLinear } from "../support/cpu-time.ts";

const checkOf = createSchemaChecks(systemClock);
const { signal } = new AbortController();
const readAnswer = (answer: string, schema: JsonObject) => readJsonAnswer(answer, checkOf(schema), signal);

const nested = (depth: number, inner: string) => "[".repeat(depth) + inner + "]".repeat(depth);

/** Each schema refers to the next one twice: 2 to the power of `levels` evaluations. */
function doubling(levels: number): JsonObject {
  const $defs: JsonObject = { [`n${levels}`]: {} };
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/n${level + 1}` };
    $defs[`n${level}`] = { allOf: [next, next] };
  }
  return { $defs, $ref: "#/$defs/n0" };
}

const deeper = { type: "array", items: { $ref: "#/$defs/t" } };
const BRANCHING: JsonObject = {
  $defs: { t: { anyOf: [deeper, deeper, { type: "number", maximum: 0 }] } },
  $ref: "#/$defs/t",
};
const STRINGS = JSON.stringify(Array.from({ length: 40 }, () => "a".repeat(50_000)));
const KEYS = JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1])));
const many = (schema: JsonObject): JsonObject[] => Array.from({ length: 2_000 }, () => schema);
const chain = (length: number): JsonObject => {
  const links = Array.from({ length }, (_, index): [string, JsonObject] => [
    `n${index}`,
    { $ref: `#/$defs/n${index + 1}` },
  ]);
  return { $defs: { ...Object.fromEntries(links), [`n${length}`]: {} }, $ref: "#/$defs/n0" };
};

const BOMBS: readonly (readonly [name: string, schema: JsonObject, answer: string])[] = [
  ["allOf that doubles at each level", doubling(30), "{}"],
  ["anyOf that branches at each level", BRANCHING, nested(40, "1")],
  ["many checks of long texts", { items: { allOf: many({ minLength: 1 }) } }, STRINGS],
  ["many checks of long names", { allOf: many({ maxProperties: 1 }) }, KEYS],
  ["many schemas for each name", { allOf: many({ propertyNames: { maxLength: 9 } }) }, KEYS],
  ["long lists of required names", { allOf: many({ required: Array.from({ length: 500 }, (_, n) => `r${n}`) }) }, KEYS],
  ["many values to compare with", { enum: Array.from({ length: 2_000 }, (_, n) => ({ n })) }, KEYS],
  ["a long chain of references", chain(5_000), "{}"],
  ["items compared again and again", { allOf: many({ uniqueItems: true }) }, JSON.stringify([...Array(20_000).keys()])],
];

let service: TestService;
const model = scriptedModel(["{}", "{}"]);

beforeAll(async () => {
  service = await createTestService({ models: { fake: model } });
});
afterAll(() => service.close());

const stepOf = (schema: JsonObject) => ({
  type: "model" as const,
  key: "m",
  provider: { provider: "fake", model: "x", messages: "hi", response_format: { type: "json_schema" as const, schema } },
});

describe("a JSON Schema for a model's answer", () => {
  it.each(BOMBS)("that requires %s fails as unusable_schema after bounded work", async (_, schema, answer) => {
    await expect(readAnswer(answer, schema)).rejects.toMatchObject({
      code: "unusable_schema",
      message: expect.stringMatching(
        /^The JSON Schema cannot be evaluated: (It takes more than [1-9][\d,]+ operations to validate the value|It nests more than 500 schemas)\.$/,
      ),
    });
  });

  it("with uniqueItems is evaluated in linear time", async () => {
    const check = (size: number) => {
      const answer = JSON.stringify(Array.from({ length: size }, (_, index) => [index]));
      return async () => expect(await readAnswer(answer, { uniqueItems: true })).not.toHaveProperty("problem");
    };
    expect(await isLinear(40_000, check)).toBe(true);
  });

  it("with a pattern is evaluated in linear time", async () => {
    const check = (size: number) => {
      const answer = JSON.stringify(Array.from({ length: size }, (_, index) => `a${index}`));
      const schema = { items: { pattern: "^a[0-9]+$" } };
      return async () => expect(await readAnswer(answer, schema)).not.toHaveProperty("problem");
    };
    expect(await isLinear(20_000, check)).toBe(true);
  });

  it("with the format url doesn't examine long texts", async () => {
    const answer = JSON.stringify(`http://${":".repeat(100_000)}`);
    expect(await readAnswer(answer, { format: "url" })).toEqual({
      ok: false,
      problem: "#: String is longer than 8,192 characters.",
    });
  });

  it("accepts a value of any size that a schema describes", async () => {
    const value = Array.from({ length: 100_000 }, (_, id) => ({ id, name: `n${id}` }));
    const properties = { id: { type: "integer" }, name: { type: "string", maxLength: 10 } };
    const schema = { type: "array", items: { type: "object", properties, required: ["id", "name"] } };
    expect(await checkOf(schema)(value, signal)).toEqual([]);
  });

  it("lets other events be handled while a large value is checked", async () => {
    const value = Array.from({ length: 200_000 }, (_, index) => index);
    let turns = 0;
    let isDone = false;
    const nextTurn = () => {
      turns++;
      if (!isDone) setImmediate(nextTurn);
    };
    setImmediate(nextTurn);
    await checkOf({ items: { type: "integer" } })(value, signal);
    isDone = true;
    expect(turns).toBeGreaterThan(3);
  });

  it("stops when the step is aborted", async () => {
    const value = Array.from({ length: 200_000 }, (_, index) => index);
    const controller = new AbortController();
    const errors = checkOf({ items: { type: "integer" } })(value, controller.signal);
    setImmediate(() => controller.abort(new Error("timed out")));
    await expect(errors).rejects.toThrow("timed out");
  });

  it("that exceeds its budget fails the step without asking the model again", async () => {
    const run = await service.run([stepOf(doubling(30))]);
    expect(run.error).toMatchObject({
      code: "unusable_schema",
      message: expect.stringContaining("cannot be evaluated"),
    });
    expect(model.requests).toHaveLength(1);
  });
});

/** As a variable, because a literal with `then` looks like a promise. */
const THEN = "then";

describe("a model's answer", () => {
  const problem = async (schema: JsonObject, value: unknown) => {
    const read = await readAnswer(JSON.stringify(value), schema);
    return "problem" in read ? read.problem : null;
  };

  it.each<[string, JsonObject, unknown, unknown, string]>([
    [
      "uniqueItems",
      { uniqueItems: true },
      [{ a: 1, b: 2 }, { a: 1 }],
      [{ a: 1, b: 2 }, 3, { b: 2, a: 1 }],
      "indexes 0 and 2",
    ],
    ["anyOf", { anyOf: [{ type: "string" }, { properties: { a: { type: "null" } } }] }, "a", { a: 1 }, "#/a: "],
    ["oneOf", { oneOf: [{ minimum: 3 }, { maximum: 5 }] }, 2, 4, "2 matches"],
    ["not", { not: { type: "string" } }, 1, "a", '"not"'],
    ["if", { if: { type: "string" }, else: { minimum: 2 } }, "ab", 1, "less than 2"],
    ["then", { if: { type: "string" }, [THEN]: { minLength: 2 } }, "ab", "a", "too short"],
    ["contains", { contains: { type: "null" }, maxContains: 1 }, [1, null], [null, null], "at least 1 and at most 1"],
    ["prefixItems", { prefixItems: [true], items: { type: "null" } }, [1, null], [1, 2], "#/1: "],
    [
      "unevaluatedProperties",
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      { a: 1 },
      { b: 1 },
      "#/b: ",
    ],
    ["unevaluatedItems", { prefixItems: [true], unevaluatedItems: false }, [1], [1, 2], "#/1: "],
    ["dependentSchemas", { dependentSchemas: { a: { required: ["b"] } } }, { b: 1 }, { a: 1 }, '"b"'],
    ["propertyNames", { propertyNames: { pattern: "^a" } }, { a: 1 }, { "b/": 1 }, "#/b~1: "],
    ["multipleOf", { multipleOf: 0.01 }, 0.07, 0.075, "multiple"],
    ["format", { format: "date" }, "2026-02-28", "2026-02-30", "date"],
    ["enum", { enum: [{ a: [1] }, null] }, { a: [1] }, { a: [2] }, "any of"],
  ])("is validated against %s", async (_, schema, right, other, message) => {
    expect(await problem(schema, right)).toBeNull();
    expect(await problem(schema, other)).toContain(message);
  });
});

describe("deploying a model step with a JSON Schema", () => {
  const refused = async (schema: JsonObject) => {
    const { stepwell, app } = service;
    const { id } = await stepwell.workflows.create(app, { name: "Ask", steps: [stepOf(schema)] });
    const outcome: unknown = await stepwell.workflows.deploy(app, id).catch((thrown: unknown) => thrown);
    return outcome;
  };
  const schemaError = (message: string) => ({
    errors: [{ pointer: "/steps/0/provider/response_format/schema", message: expect.stringContaining(message) }],
  });

  it.each<[string, JsonObject, string]>([
    ["itself", { $ref: "#" }, "/$ref is circular"],
    ["itself within allOf", { allOf: [{ type: "object" }, { $ref: "#" }] }, "/allOf/1/$ref is circular"],
    ["itself by its $id", { $id: "http://a.test/", $ref: "http://a.test/#" }, "/$ref is circular"],
    [
      "itself through a property",
      { properties: { a: { anyOf: [{ $ref: "#/properties/a" }] } } },
      "/properties/a/anyOf/0/$ref is circular",
    ],
  ])("rejects a reference to %s", async (_, schema, message) => {
    expect(await refused(schema)).toMatchObject(schemaError(message));
  });

  it("reports each reference of a circle of two", async () => {
    const $defs = { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } };
    const messages = ["/$defs/a/$ref is circular", "/$defs/b/$ref is circular"].map((text) =>
      expect.stringContaining(text),
    );
    expect(await refused({ $defs })).toMatchObject({ errors: messages.map((message) => ({ message })) });
  });

  it.each([
    ["long pattern", "a".repeat(1_001), "1,001 characters"],
    ["pattern with large repetitions", "(a{30}){30}".repeat(20), "repetitions"],
  ])("rejects a %s", async (_, pattern, message) => {
    expect(await refused({ pattern })).toMatchObject(schemaError(message));
  });

  it("rejects patterns that together take too much work", async () => {
    const patterns = Array.from({ length: 10 }, (_, index) => ({ pattern: `(?i)${"[a-z]".repeat(190)}${index}` }));
    expect(await refused({ anyOf: patterns })).toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({ message: expect.stringContaining("600,000 operations") }),
      ]),
    });
  });

  it("accepts references to itself within a property", async () => {
    expect(await refused({ properties: { a: { $ref: "#" } }, items: { anyOf: [{ $ref: "#" }] } })).toMatchObject({
      version: 1,
    });
  });
});
