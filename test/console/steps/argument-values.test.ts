/** Arguments of several forms: which one a value has, and what stays of it in another one. */
import { describe, expect, it } from "vitest";
import {
  blankEntry,
  shownVariant,
  switchedValue,
} from "../../../adapters/console/app/steps/arguments/argument-values.ts";
import type { VariantsShape } from "../../../src/forms/model/form-model.ts";
import { createNotation } from "../../../src/forms/model/notation.ts";
import { schemaModel } from "../../../src/forms/model/schema-model.ts";
import type { JsonObject } from "../../../src/json.ts";

const notation = createNotation("en");

/** The shape of one field with the schema. */
function shapeOf(schema: JsonObject): VariantsShape {
  const model = schemaModel({ type: "object", properties: { field: schema }, required: ["field"] });
  const shape = model.kind === "object" ? model.fields[0]?.shape : undefined;
  if (shape?.kind !== "variants") throw new Error("The schema has no alternatives.");
  return shape;
}

const payment = (kind: string, properties: JsonObject): JsonObject => ({
  type: "object",
  properties: { kind: { const: kind }, ...properties },
  required: ["kind", ...Object.keys(properties)],
});
const PAYMENTS = shapeOf({
  oneOf: [
    payment("card", { number: { type: "string" }, amount: { type: "number" } }),
    payment("invoice", { days: { type: "integer" }, amount: { type: "number" } }),
  ],
});
const MIXED = shapeOf({
  anyOf: [{ type: "number" }, { type: "string" }, { type: "array", items: { type: "string" } }],
});
const [CARD, INVOICE] = [0, 1];

describe("the variant that is shown", () => {
  it("is the one that the value belongs to, also with expressions in its fields", () => {
    expect(shownVariant(PAYMENTS, { kind: "invoice", days: "{{ input.days }}", amount: 3 }, null, notation)).toBe(
      INVOICE,
    );
    expect(shownVariant(PAYMENTS, { kind: "card", number: "{{ input.card }}" }, INVOICE, notation)).toBe(CARD);
    expect(shownVariant(MIXED, ["a"], null, notation)).toBe(2);
    expect(shownVariant(MIXED, 3, null, notation)).toBe(0);
  });

  it("is the one that a person has chosen, as long as the value can be one of it", () => {
    expect(shownVariant(MIXED, undefined, 1, notation)).toBe(1);
    expect(shownVariant(MIXED, "{{ input.n }}", 0, notation)).toBe(0);
    expect(shownVariant(MIXED, 3, 2, notation)).toBe(0);
    expect(shownVariant(PAYMENTS, { kind: "invoice" }, CARD, notation)).toBe(INVOICE);
  });

  it("is none for an expression in place of an object", () => {
    expect(shownVariant(PAYMENTS, "{{ steps.a.output }}", null, notation)).toBeNull();
    expect(shownVariant(PAYMENTS, undefined, null, notation)).toBeNull();
  });
});

describe("another variant", () => {
  it("keeps what both have in common, and says which one it is", () => {
    const card = { kind: "card", number: "{{ input.card }}", amount: "{{ input.amount }}" };
    expect(switchedValue(PAYMENTS, card, INVOICE)).toEqual({ kind: "invoice", amount: "{{ input.amount }}" });
    expect(switchedValue(PAYMENTS, undefined, CARD)).toEqual({ kind: "card" });
  });

  it("begins anew where nothing fits", () => {
    expect(switchedValue(MIXED, "text", 0)).toBeUndefined();
    expect(switchedValue(MIXED, "text", 2)).toEqual([]);
    expect(switchedValue(MIXED, 3, 0)).toBe(3);
  });

  it("begins as its first form in a list", () => {
    expect(blankEntry(PAYMENTS)).toEqual({ kind: "card" });
    expect(blankEntry(MIXED)).toBe("");
  });
});
