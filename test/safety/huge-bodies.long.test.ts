/** Bodies of maximum size on every route get a bounded response, never an internal error. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_DEPTH } from "../../src/json.ts";
import { MAX_ERRORS, openEveryRoute, routes } from "../support/http/every-route.ts";
import { many, manyKeys, schemaNodesOf } from "../support/http/hostile-bodies.ts";

const MAX_BODY_BYTES = 1024 * 1024;
/** Bytes for the rest of the body. */
const ROOM = 4 * 1024;
const COLLECTIONS = "/apps/{app_id}/collections";
const COLLECTION = `${COLLECTIONS}/{collection_id}`;

const send = openEveryRoute();

describe("a collection with 100,000 invalid entries", () => {
  const ENTRIES: Readonly<Record<string, unknown>> = {
    "empty objects": {},
    numbers: 0,
    texts: "x",
    lists: [],
    nulls: null,
    "objects of an unknown field": { x: 0 },
  };
  const cases = Object.entries(ENTRIES).flatMap(([what, entry]) =>
    ["rules", "mappings", "triggers"].map((field) => [field, what, entry] as const),
  );

  it.each(cases)("is rejected with a short response: %s that are %s", async (field, _, entry) => {
    const entries = Array.from({ length: 100_000 }, () => entry);
    const body = field === "triggers" ? { triggers: entries } : { config: { [field]: entries } };
    const text = JSON.stringify({ name: "C", ...body });
    for (const [method, path] of [["POST", COLLECTIONS] as const, ["PATCH", COLLECTION] as const]) {
      const { status, problem } = await send(method, path, text);
      expect(status).toBe(422);
      expect(problem?.errors).toHaveLength(MAX_ERRORS);
      expect(problem?.errors_truncated).toBe(true);
    }
  });

  it("is rejected when each of 40,000 mappings is wrong in a different way", async () => {
    const mappings = Array.from({ length: 40_000 }, (_, index) => ({ source_path: `a${index}` }));
    const { status, problem } = await send("POST", COLLECTIONS, { name: "C", config: { mappings } });
    expect(status).toBe(422);
    expect(problem?.errors).toHaveLength(MAX_ERRORS);
  });

  it("is accepted with 40,000 valid destinations", async () => {
    const mappings = [
      { source_path: "a:b", destination_paths: Object.keys(manyKeys(0, 500_000)).map((k) => `d:${k}`) },
    ];
    expect(await send("POST", COLLECTIONS, { name: "C", config: { mappings } })).toMatchObject({ status: 201 });
  });
});

describe("a record with a list of 130,000 entries", () => {
  it.each<[string, unknown]>([
    ["numbers", 0],
    ["texts", "x"],
    ["nulls", null],
    ["empty objects", {}],
    ["empty lists", []],
  ])("is accepted, of %s", async (_, entry) => {
    const body = JSON.stringify({ data: { entity: { field: Array.from({ length: 130_000 }, () => entry) } } });
    expect(await send("POST", `${COLLECTION}/records`, body)).toMatchObject({ status: 201 });
    expect(await send("PATCH", `${COLLECTION}/records/{record_id}`, body)).toMatchObject({ status: 200 });
  });

  it("is rejected with a short response when the list is its tags", async () => {
    const tags = Array.from({ length: 130_000 }, () => "tag_x");
    for (const length of [100, 130_000]) {
      const body = { tags: tags.slice(0, length) };
      expect(await send("POST", `${COLLECTION}/records`, body)).toMatchObject({ status: 422 });
    }
  });
});

/** Makes a value of about this many bytes of JSON. */
type Make = (bytes: number) => unknown;

const small = fc.oneof(
  fc.constantFrom<unknown>(0, 1e300, null, true, "", "x", {}, [], "{{ input.x }}", "{{", "💥", "\u0000", "a:b"),
  fc.jsonValue({ maxDepth: 1 }),
);
const key = fc.oneof(
  fc.constantFrom("x", "key", "type", "constructor", "toString", "a:b", "~/", "💥"),
  fc.string({ maxLength: 8 }),
);
const huge: fc.Arbitrary<Make> = fc.oneof(
  small.map(
    (item): Make =>
      (bytes) =>
        many(item, bytes),
  ),
  small.map(
    (value): Make =>
      (bytes) =>
        manyKeys(value, bytes),
  ),
  fc.string({ minLength: 1, maxLength: 4, unit: "grapheme" }).map(
    (unit): Make =>
      (bytes) =>
        unit.repeat(Math.ceil(bytes / (JSON.stringify(unit).length - 2))),
  ),
  fc.tuple(key, small).map(
    ([name, value]): Make =>
      (bytes) => {
        const one = { [name]: value };
        return many(one, bytes);
      },
  ),
  fc.tuple(fc.integer({ min: 1, max: MAX_DEPTH + 2 }), fc.boolean(), small).map(
    ([depth, isList, value]): Make =>
      (bytes) => {
        const wrap = (inner: unknown) => (isList ? [inner] : { a: inner });
        return Array.from({ length: depth }).reduce<unknown>(wrap, many(value, bytes - 16 * depth));
      },
  ),
  fc.tuple(fc.integer({ min: 1, max: 80 }), small).map(
    ([depth, value]): Make =>
      (bytes) => {
        const deep = Array.from({ length: depth }).reduce<unknown>((inner) => [inner], value);
        return many(deep, bytes);
      },
  ),
);

const seen = new Set<unknown>();
const TARGETS = routes.flatMap((route) => {
  const { method, path } = route;
  const nodes = "body" in route && route.body !== undefined ? schemaNodesOf(route.body, seen) : [];
  const limit = Math.max(MAX_BODY_BYTES, "bodyBytes" in route ? route.bodyBytes : 0);
  const root = { method, path, limit, put: (value: unknown) => value };
  return [root, ...nodes.map(({ put }) => ({ method, path, limit, put }))];
});

describe("a huge value anywhere in a body", () => {
  it("is tested on every route", () => {
    expect(new Set(TARGETS.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length);
  });

  it("is answered within the limits", async () => {
    const bytes = fc.constantFrom(16 * 1024, 128 * 1024, MAX_BODY_BYTES - ROOM, MAX_BODY_BYTES + ROOM);
    const property = fc.asyncProperty(
      fc.constantFrom(...TARGETS),
      huge,
      bytes,
      async ({ method, path, limit, put }, make, size) => {
        const body = JSON.stringify(put(make(size)));
        const { status } = await send(method, path, body);
        if (new TextEncoder().encode(body).length > limit) expect(status).toBeGreaterThanOrEqual(400);
      },
    );
    await fc.assert(property, { numRuns: 20 });
  });
});
