/** Every limit of a definition, on both sides of its bound, wherever it applies. */
import { expect, it } from "vitest";
import { OF_FIELD_TYPES, OF_STEP_TYPES, ON_EVERY_FIELD, ON_EVERY_STEP, of } from "../support/http/limits.ts";
import { describeEachTransport } from "../support/http/transports.ts";
import { BARE_FIELDS, BARE_STEPS, FIELD_TYPES, STEP_TYPES } from "../support/workflows/definitions.ts";
import { author } from "../support/workflows/draft-author.ts";

describeEachTransport("limits of definitions", (open) => {
  it.each(STEP_TYPES)("apply to a step of type %s", async (type) => {
    const { pointers } = await author(open());
    for (const [name, taken, refused] of [...ON_EVERY_STEP, ...(OF_STEP_TYPES[type] ?? [])]) {
      const step = (value: unknown) => ({ key: "x", ...BARE_STEPS[type], [name]: value });
      for (const value of taken) expect(await pointers({ steps: [step(value)] }), `${name} ${value}`).toEqual([]);
      for (const [value, at] of refused) {
        const steps = [{ key: "first", ...BARE_STEPS.note }, step(value)];
        expect(new Set(await pointers({ steps })), name).toContain(`/steps/1/${name}${at}`);
      }
    }
  });

  it.each(FIELD_TYPES)("apply to an input field of type %s, at any depth", async (type) => {
    const { pointers } = await author(open());
    const within = (field: unknown, depth: number): unknown =>
      depth === 0 ? field : { type: "object", fields: { [`d${depth}`]: within(field, depth - 1) } };
    const prefixes = ["", "/fields/d1", "/fields/d2/fields/d1", "/fields/d3/fields/d2/fields/d1"];
    for (const [name, taken, refused] of [...ON_EVERY_FIELD, ...(OF_FIELD_TYPES[type] ?? [])]) {
      for (const [depth, prefix] of prefixes.entries()) {
        const input = (value: unknown) => ({ x: within({ ...BARE_FIELDS[type], [name]: value }, depth) });
        const both = (value: unknown) => ({
          input: input(value),
          steps: [{ type: "input", key: "i", input: input(value) }],
        });
        for (const value of taken) expect(await pointers(both(value)), `${name} ${value}`).toEqual([]);
        for (const [value, at] of refused) {
          const expected = [`/input/x${prefix}/${name}${at}`, `/steps/0/input/x${prefix}/${name}${at}`];
          expect(await pointers(both(value)), `${name} ${value}`).toEqual(expect.arrayContaining(expected));
        }
      }
    }
  });

  it("apply to the names of input fields", async () => {
    const { pointers } = await author(open());
    const field = { type: "string" };
    expect(await pointers({ input: { [of(1_024)]: field } })).toEqual([]);
    expect(await pointers({ input: { [of(1_025)]: field } })).toEqual([expect.stringMatching(/^\/input\/x{50}/)]);
    const nested = (name: string) => ({ input: { x: { type: "object", fields: { [name]: field } } } });
    expect(await pointers(nested(of(1_024)))).toEqual([]);
    expect(await pointers(nested(of(1_025)))).toEqual([expect.stringMatching(/^\/input\/x\/fields\/x{50}/)]);
  });

  it("apply to the depth of nesting", async () => {
    const { pointers, refusal } = await author(open());
    const nested = (depth: number): object =>
      depth === 0 ? { type: "string" } : { type: "object", fields: { x: nested(depth - 1) } };
    expect(await pointers({ input: { x: nested(48) } })).toEqual([]);
    const error = await refusal({ input: { x: nested(200) } });
    expect([400, 422]).toContain(error?.status);
    expect(error?.errors).toMatchObject([{ message: "Must not be nested deeper than 100 levels." }]);
  });
});
