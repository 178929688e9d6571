/** The input that a test of a step begins with fits the fields of the workflow. */
import { expect, it } from "vitest";
import { sampleInput } from "../../../adapters/console/app/steps/runs/sample-input.ts";
import { checkInput } from "../../../src/workflows/input/check-input.ts";
import type { InputDefinition } from "../../../src/workflows/input/input-field.ts";

const options = [{ value: "one" }, { value: "two" }];

it("has a valid value for each field that needs one", () => {
  const definition: InputDefinition = {
    name: { type: "string" },
    page: { type: "string", validation: "url" },
    size: { type: "string", list: [{ value: "s", label: "Small" }, "m"] },
    amount: { type: "number" },
    rate: { type: "number", list: [7, 19] },
    agreed: { type: "boolean" },
    kind: { type: "select", options },
    day: { type: "date" },
    at: { type: "time" },
    from: { type: "datetime" },
    about: { type: "content", content: "Text" },
    people: {
      type: "object",
      array: true,
      fields: { name: { type: "string" }, tags: { type: "string", array: true } },
    },
    preset: { type: "number", default: 3 },
  };
  const input = sampleInput(definition);
  expect(input).toEqual({
    name: "text",
    page: "https://example.com",
    size: "s",
    amount: 1,
    rate: 7,
    agreed: true,
    kind: "one",
    day: "2027-01-31",
    at: "09:30",
    from: "2027-01-31T09:30:00Z",
    people: [{ name: "text", tags: ["text"] }],
  });
  expect(checkInput(definition, input, {}, ["input"], false).errors).toEqual([]);
});

it("leaves out what only the app has, and what is set at deployment", () => {
  const definition: InputDefinition = {
    proof: { type: "file" },
    mail: { type: "connection" },
    rate: { type: "number", config: true },
  };
  expect(sampleInput(definition)).toEqual({});
});
