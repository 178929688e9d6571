/** Changes in the editors of steps lose nothing of a step. */
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { rowsOf, withRows } from "../../../adapters/console/app/steps/controls/flat-schema.ts";
import {
  FIELD_TYPES,
  inFormOrder,
  newField,
  ordered,
  renamedField,
  retyped,
} from "../../../adapters/console/app/steps/input-fields/field-types.ts";
import { problemFinder } from "../../../adapters/console/app/steps/kind-props.ts";
import {
  inOrder,
  movedCondition,
  renamedCondition,
  takenCondition,
} from "../../../adapters/console/app/steps/kinds/branch-conditions.ts";
import { hasShape, moved, withField, withOption } from "../../../adapters/console/app/steps/step-change.ts";
import type { InputDefinition } from "../../../src/workflows/input/input-field.ts";
import { Step } from "../../../src/workflows/step.ts";
import { definition as arbitraryDefinition } from "../../support/workflows/arbitrary-definition.ts";

const steps = arbitraryDefinition.map(({ steps: all }) => v.parse(v.array(Step), all));
const without = (step: object, name: string) =>
  Object.fromEntries(Object.entries(step).filter(([one]) => one !== name));

describe("changing a field of a step", () => {
  it("keeps every other field of any valid step, also unknown ones", () => {
    fc.assert(
      fc.property(steps, fc.string(), (all, text) => {
        for (const step of all) {
          const odd = { ...step, "not known": { deep: [text] } };
          expect(without(withField(odd, "conditional", text), "conditional")).toEqual(without(odd, "conditional"));
          expect(withField(odd, "conditional", undefined)).toEqual(without(odd, "conditional"));
        }
      }),
    );
  });

  it("opens every valid step in its form", () => {
    fc.assert(
      fc.property(steps, (all) => {
        expect(all.filter((one) => !hasShape(one))).toEqual([]);
      }),
    );
  });

  it("edits what is no step of its type as JSON", () => {
    const draft: unknown = { type: "branch", key: "size", conditions: { large: { condition: "true" } } };
    const isStep = (value: unknown): value is Step => value === draft;
    expect(isStep(draft) && hasShape(draft)).toBe(false);
  });

  it("leaves an option out when its last value is removed", () => {
    expect(withOption({ stream: true }, "stream", undefined)).toBeUndefined();
    expect(withOption({ stream: true, cache: true }, "stream", undefined)).toEqual({ cache: true });
  });

  it("moves only neighbours", () => {
    expect(moved(["a", "b", "c"], 1, -1)).toEqual(["b", "a", "c"]);
    expect(moved(["a", "b", "c"], 2, 1)).toEqual(["a", "b", "c"]);
  });
});

describe("conditions of a branch", () => {
  const conditions = {
    second: { condition: "b", destinations: ["x"], order: 2 },
    first: { destinations: [], order: 1.5, condition: "a" },
    last: { condition: "c", destinations: [], order: 2 },
  };

  it("keeps all fields when one is renamed or moved", () => {
    expect(Object.keys(renamedCondition(conditions, "first", "begin"))).toEqual(["second", "begin", "last"]);
    expect(renamedCondition(conditions, "first", "last")).toBe(conditions);
    // A name that objects have without a field of it.
    expect(Object.keys(renamedCondition(conditions, "first", "toString"))).toContain("toString");
    const swapped = movedCondition(conditions, "second", -1);
    expect(inOrder(swapped).map(([name]) => name)[0]).toBe("second");
    expect(swapped["first"]).toEqual({ ...conditions.first, order: 2 });
    expect(swapped["last"]).toBe(conditions.last);
  });

  it("moves conditions that have the same place", () => {
    const after = movedCondition(conditions, "last", -1);
    expect(inOrder(after).map(([name]) => name)).toEqual(["first", "last", "second"]);
  });

  it("takes the first that holds, and nothing if that is not known", () => {
    expect(takenCondition(conditions, (text) => text !== "a")).toBe("second");
    expect(takenCondition(conditions, () => false)).toBeNull();
    expect(takenCondition(conditions, (text) => (text === "a" ? false : undefined))).toBeUndefined();
    expect(takenCondition({ only: { destinations: [], order: 0 } }, () => false)).toBe("only");
  });
});

describe("input fields", () => {
  const fields: InputDefinition = { b: { type: "string", default: "x", desc: "B" }, a: { type: "number", order: 1 } };

  it("keeps what types have in common when the type changes", () => {
    for (const type of FIELD_TYPES) {
      expect(retyped(fields["b"] ?? newField(type), type)).toMatchObject({ type, desc: "B" });
      expect(retyped(newField(type), type)).toEqual(newField(type));
    }
  });

  it("shows fields in the order of forms, and numbers them when one is moved", () => {
    expect(inFormOrder(fields).map(([name]) => name)).toEqual(["b", "a"]);
    const swapped = ordered(moved(inFormOrder(fields), 0, 1));
    expect(inFormOrder(swapped).map(([name]) => name)).toEqual(["a", "b"]);
    expect(swapped).toEqual({ a: { type: "number", order: 0 }, b: { ...fields["b"], order: 1 } });
  });

  it("renames a field where it stands, unless the name is taken", () => {
    expect(Object.keys(renamedField(fields, "b", "c"))).toEqual(["c", "a"]);
    expect(renamedField(fields, "b", "a")).toBe(fields);
    expect(Object.keys(renamedField(fields, "b", "toString"))).toContain("toString");
  });
});

describe("schemas as rows", () => {
  it("are the same after reading and writing their rows", () => {
    const schema = {
      type: "object",
      title: "Answer",
      properties: { short: { type: "string", description: "One line", maxLength: 80 }, n: { type: "integer" } },
      required: ["short"],
      additionalProperties: false,
    };
    expect(withRows(schema, rowsOf(schema) ?? [])).toEqual(schema);
  });

  it.each([{ type: "array" }, { type: "object", properties: { a: { anyOf: [] } } }, { type: "object" }])(
    "stay JSON if rows cannot show them: %j",
    (schema) => {
      expect(rowsOf(schema)).toBeNull();
    },
  );
});

it("finds the problems of a field by its pointer, and those below it", () => {
  const problemAt = problemFinder([
    { pointer: "/retry/on", message: "Wrong." },
    { pointer: "/urls", message: "Other." },
  ]);
  expect(problemAt("/retry")).toBe("Wrong.");
  expect(problemAt("/url")).toBeNull();
});
