/** The name of a workflow that is imported. */
import { expect, it } from "vitest";
import { freeName, importedName, renamed } from "../../adapters/console/app/workflows/imported-name.ts";

const one = { id: "work_1", name: "One" };
const two = { id: "work_2", name: "Two" };
const format = "stepwell";

it.each([
  ["a definition", { name: "A", steps: [] }, "A", { name: "B", steps: [] }],
  ["a document of one workflow", { format, workflows: [one] }, "One", { format, workflows: [{ ...one, name: "B" }] }],
  [
    "the exported one of several workflows",
    { format, root: "work_2", workflows: [one, two] },
    "Two",
    { format, root: "work_2", workflows: [one, { ...two, name: "B" }] },
  ],
])("is read and replaced in %s", (_, value, name, after) => {
  expect(importedName(value)).toBe(name);
  expect(renamed(value, "B")).toEqual(after);
});

it.each([[{ format, workflows: [one, two] }], [{ format, workflows: "?" }], [{ steps: [] }]])(
  "is none in %j",
  (value) => {
    expect(importedName(value)).toBe(null);
  },
);

it("gets a number that is free", () => {
  expect(freeName("A", new Set())).toBe("A");
  expect(freeName("A", new Set(["A", "A (2)"]))).toBe("A (3)");
});
