/** The fields of definitions: accepted and rejected ones. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { describeEachTransport } from "../support/http/transports.ts";
import { definition } from "../support/workflows/arbitrary-definition.ts";
import {
  BARE_FIELDS,
  BARE_STEPS,
  EVERYTHING,
  FIELD_TYPES,
  FIELDS,
  STEP_TYPES,
  STEPS,
} from "../support/workflows/definitions.ts";
import { author } from "../support/workflows/draft-author.ts";

type Path = readonly (string | number)[];

const pointerOf = (path: Path) =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** A copy of the value with one place changed; `undefined` removes the place. */
function changed(root: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  if (Array.isArray(root)) return root.map((item, index) => (index === first ? changed(item, rest, value) : item));
  const { [first]: before, ...others } = root as Record<string | number, unknown>;
  const after = changed(before, rest, value);
  return after === undefined ? others : { ...others, [first]: after };
}

/** Every place in a value, outermost first. */
function places(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  const inside = typeof value !== "object" || value === null ? [] : Object.entries(value);
  return [
    { path, value },
    ...inside.flatMap(([key, item]) => places(item, [...path, Array.isArray(value) ? Number(key) : key])),
  ];
}

/** Places that accept any JSON with any keys. */
const FREE = /\/(metadata|input_default|schema|steps\/7\/input|service\/input|tools\/1\/input)(\/|$)/;
const isFree = (path: Path) => FREE.test(pointerOf(path));
/** Places with free names, but checked values. */
const MAP = /(^|\/)(input|fields|conditions|headers)$/;

/** What a draft has besides its definition. */
const anyEdit = { revision: expect.any(Number), updated_at: expect.any(String) };

describeEachTransport("a definition", (open) => {
  it("is stored with every field of every step type and input field", async () => {
    const { put, get, getVersion } = await author(open());
    expect(await put(EVERYTHING)).toEqual({ ...EVERYTHING, ...anyEdit });
    expect(await get()).toEqual({ ...EVERYTHING, ...anyEdit });
    expect(await getVersion()).toMatchObject(EVERYTHING);
  });

  it("is stored with required fields only", async () => {
    const { put } = await author(open());
    const bare = {
      input: BARE_FIELDS,
      input_default: null,
      input_options: {},
      steps: STEP_TYPES.map((key) => ({ key, ...BARE_STEPS[key] })),
    };
    expect(await put(bare)).toEqual({ ...bare, ...anyEdit });
    const empty = { input: {}, input_default: null, input_options: null, steps: [] };
    expect(await put({})).toEqual({ ...empty, ...anyEdit });
  });

  it("survives a round trip for arbitrary definitions", async () => {
    const { put, get, getVersion } = await author(open());
    await fc.assert(
      fc.asyncProperty(definition, async (given) => {
        expect(await put(given)).toEqual({ ...given, ...anyEdit });
        expect(await get()).toEqual({ ...given, ...anyEdit });
        expect(await getVersion()).toMatchObject({ version: 0, ...given });
      }),
      { numRuns: 20 },
    );
  });

  it("is rejected with a pointer when a required field is missing", async () => {
    const { pointers } = await author(open());
    for (const type of STEP_TYPES) {
      const step = { key: "x", ...BARE_STEPS[type] };
      for (const name of Object.keys(step)) {
        expect(await pointers({ steps: [changed(step, [name], undefined)] })).toEqual([`/steps/0/${name}`]);
      }
    }
    for (const type of FIELD_TYPES) {
      for (const name of Object.keys(BARE_FIELDS[type])) {
        const field = changed(BARE_FIELDS[type], [name], undefined);
        expect(await pointers({ input: { x: field } })).toEqual([`/input/x/${name}`]);
      }
    }
    const without = async (root: object, path: string) =>
      pointers({ steps: [changed(root, path.split("/").slice(1), undefined)] });
    for (const name of ["provider", "model", "messages"]) {
      expect(await without(STEPS.model, `/provider/${name}`)).toEqual([`/steps/0/provider/${name}`]);
    }
    for (const name of ["service", "action", "input"]) {
      expect(await without(STEPS.service, `/service/${name}`)).toEqual([`/steps/0/service/${name}`]);
    }
    for (const name of ["destinations", "order"]) {
      expect(await without(STEPS.branch, `/conditions/large/${name}`)).toEqual([`/steps/0/conditions/large/${name}`]);
    }
    expect(await without(STEPS.input, "/webhook/method")).toEqual(["/steps/0/webhook/method"]);
    expect(await without(STEPS.model, "/provider/response_format/type")).toEqual([
      "/steps/0/provider/response_format/type",
    ]);
    expect(await pointers({ input: { x: { ...FIELDS.select, options: [{}] } } })).toEqual(["/input/x/options/0/value"]);
  });

  it("is rejected with a pointer for an unknown field at any depth", async () => {
    const { pointers } = await author(open());
    const objects = places(EVERYTHING).filter(
      ({ path, value }) =>
        typeof value === "object" && value !== null && !Array.isArray(value) && !MAP.test(pointerOf(path)),
    );
    expect(objects.length).toBeGreaterThan(100);
    for (const { path } of objects) {
      const surprise = [...path, "sur/pri~se"];
      const expected = isFree(path) ? [] : [pointerOf(surprise)];
      expect(await pointers(changed(EVERYTHING, surprise, 1))).toEqual(expected);
      if (!isFree(path)) {
        // Nor under the name of an inherited property.
        const inherited = [...path, "toString"];
        expect(await pointers(changed(EVERYTHING, inherited, "x"))).toEqual([pointerOf(inherited)]);
      }
    }
  });

  it("is rejected with a pointer for a value of the wrong type", async () => {
    const { pointers } = await author(open());
    const scalars = places(EVERYTHING).filter(({ path, value }) => !isFree(path) && typeof value !== "object");
    expect(scalars.length).toBeGreaterThan(300);
    for (const { path } of scalars) {
      const found = await pointers(changed(EVERYTHING, path, {}));
      expect(found).not.toEqual([]);
      for (const pointer of found) expect(`${pointer}/`).toContain(`${pointerOf(path)}/`);
    }
    const objects = places(EVERYTHING).filter(
      ({ path, value }) => path.length > 0 && !isFree(path) && typeof value === "object" && !Array.isArray(value),
    );
    for (const { path } of objects) {
      // A list in place of an object with a type is reported as an object without a type.
      const at = pointerOf(path);
      expect([[at], [`${at}/type`]]).toContainEqual(await pointers(changed(EVERYTHING, path, [])));
    }
  });

  it("is rejected with all problems at once", async () => {
    const { pointers } = await author(open());
    const found = await pointers({
      input: { amount: { type: "number", order: -1 }, kind: { type: "select", options: [] } },
      input_options: { display: { field: "above" } },
      steps: [{ type: "code", key: "" }, { type: "jump" }, { ...STEPS.model, size: [1, -1] }],
      step: [],
    });
    expect(found.sort()).toEqual(
      [
        "/input/amount/order",
        "/input/kind/options",
        "/input_options/display/field",
        "/step",
        "/steps/0/code",
        "/steps/0/key",
        "/steps/1/type",
        "/steps/2/size/1",
      ].sort(),
    );
  });

  it("is rejected where an object or list is required", async () => {
    const { pointers } = await author(open());
    for (const draft of [[], "x", 1, true]) expect(await pointers(draft)).toEqual([""]);
    for (const input of [null, [], "x"]) expect(await pointers({ input })).toEqual(["/input"]);
    for (const input_default of [[], "x"]) expect(await pointers({ input_default })).toEqual(["/input_default"]);
    for (const input_options of [[], "x"]) expect(await pointers({ input_options })).toEqual(["/input_options"]);
    for (const steps of [null, {}, "x"]) expect(await pointers({ steps })).toEqual(["/steps"]);
    for (const step of [null, "x", 1]) expect(await pointers({ steps: [step] })).toEqual(["/steps/0"]);
    for (const x of [null, "x", 1]) expect(await pointers({ input: { x } })).toEqual(["/input/x"]);
    expect(await pointers({ input: { x: [] }, steps: [[]] })).toEqual(["/input/x/type", "/steps/0/type"]);
  });

  it("is rejected with an unknown step type, field type, content type or tool type", async () => {
    const { pointers } = await author(open());
    for (const type of ["", "Note", "http", "toString", "constructor", null, 1, ["note"]]) {
      expect(await pointers({ steps: [{ ...STEPS.note, type }] })).toEqual(["/steps/0/type"]);
      expect(await pointers({ input: { x: { type } } })).toEqual(["/input/x/type"]);
      const nested = { type: "object", fields: { y: { type: "object", fields: { z: { type } } } } };
      expect(await pointers({ input: { x: nested } })).toEqual(["/input/x/fields/y/fields/z/type"]);
      const content = [{ type, text: "x" }];
      expect(
        await pointers({ steps: [changed(STEPS.model, ["provider", "messages"], [{ role: "user", content }])] }),
      ).toEqual(["/steps/0/provider/messages/0/content/0/type"]);
      expect(await pointers({ steps: [changed(STEPS.model, ["provider", "tools"], [{ type }])] })).toEqual([
        "/steps/0/provider/tools/0/type",
      ]);
    }
    // Fields of another type are unknown.
    expect(await pointers({ steps: [{ ...STEPS.note, code: "" }] })).toEqual(["/steps/0/code"]);
    expect(await pointers({ input: { x: { type: "date", default: "2026-01-01" } } })).toEqual(["/input/x/default"]);
  });

  it("accepts any name of fields, conditions, headers and steps except __proto__", async () => {
    const { put, refusal } = await author(open());
    const named = (name: string) => ({
      input: { [name]: { type: "string" }, x: { type: "object", fields: { [name]: { type: "string" } } } },
      input_default: { [name]: { [name]: 1 } },
      input_options: null,
      steps: [
        { ...BARE_STEPS.branch, key: "b", conditions: { [name]: { destinations: [name], order: 0 } } },
        { ...BARE_STEPS.http_request, key: "h", headers: { [name]: "x" } },
        { ...BARE_STEPS.note, key: name },
      ],
    });
    for (const name of [
      "constructor",
      "prototype",
      "toString",
      "hasOwnProperty",
      "valueOf",
      "length",
      "a/b~c",
      "{{ x }}",
      "a b",
      "1",
      "é\u{1F40B}",
    ]) {
      expect(await put(named(name))).toEqual({ ...named(name), ...anyEdit });
    }
    for (const draft of [
      '{"input":{"__proto__":{"type":"string"}}}',
      '{"input_default":{"a":[{"__proto__":1}]}}',
      '{"steps":[{"type":"note","key":"x","note":"","__proto__":{}}]}',
    ]) {
      const error = await refusal(JSON.parse(draft));
      expect(["malformed", "invalid"]).toContain(error?.code);
      expect(error?.errors[0]?.pointer).toMatch(/\/__proto__$/);
    }
    for (const [steps, pointer] of [
      [[{ ...STEPS.note, key: "__proto__" }], "/steps/0/key"],
      [[{ ...BARE_STEPS.http_request, key: "h", destinations: ["__proto__"] }], "/steps/0/destinations/0"],
    ] as const) {
      const error = await refusal({ steps: JSON.parse(JSON.stringify(steps)) });
      expect(error?.errors).toEqual([{ pointer, message: 'Must not be "__proto__".' }]);
    }
    expect(Object.prototype).not.toHaveProperty("type");
  });

  it("refuses names with an unpaired surrogate, which no URL of a page can contain", async () => {
    const { refusal } = await author(open());
    const message = "Must not contain an unpaired surrogate, which UTF-8 cannot encode.";
    const name = "a\ud800";
    for (const [draft, pointer] of [
      [{ input: { [name]: { type: "string" } } }, `/input/${name}`],
      [{ steps: [{ ...BARE_STEPS.http_request, key: "h", headers: { [name]: "x" } }] }, `/steps/0/headers/${name}`],
      [
        { steps: [{ ...BARE_STEPS.branch, key: "b", conditions: { [name]: { destinations: [], order: 0 } } }] },
        `/steps/0/conditions/${name}`,
      ],
    ] as const)
      expect((await refusal(draft))?.errors).toEqual([{ pointer, message }]);
  });
});
