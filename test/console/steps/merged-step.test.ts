/** A step that is typed as JSON while its fields are changed elsewhere. */
import { expect, it } from "vitest";
import { mergedStep } from "../../../adapters/console/app/steps/merged-step.ts";

const before = { type: "code", key: "a", code: "return 1", timeout: 10 };

it("takes what was typed, and keeps what was changed elsewhere", () => {
  const typed = { type: "code", key: "b", code: "return 2", timeout: 10 };
  const step = { type: "code", key: "c", code: "return 1", timeout: 20, conditional: "true" } as const;
  expect(mergedStep(before, typed, step)).toEqual({
    type: "code",
    key: "c",
    code: "return 2",
    timeout: 20,
    conditional: "true",
  });
});

it("removes what was taken out of the text", () => {
  const typed = { type: "code", key: "a", code: "return 1" };
  expect(mergedStep(before, typed, { type: "code", key: "a", code: "return 1", timeout: 10 })).toEqual(typed);
});

it("is nothing while the text is no step", () => {
  const step = { type: "code", key: "a", code: "" } as const;
  expect([{}, { type: "code" }, [], undefined].map((typed) => mergedStep(before, typed, step))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
