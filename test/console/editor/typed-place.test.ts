import { describe, expect, it } from "vitest";
import { typedPlace } from "../../../adapters/console/app/editor/draft/typed-place.ts";

const step = { key: "a", code: "x", retry: { max_attempts: 1 }, destinations: ["b"] };

describe("the field that somebody types into", () => {
  it("is where one text or number differs", () => {
    expect(typedPlace(step, { ...step, code: "xy" })).toBe("/code");
    expect(typedPlace(step, { ...structuredClone(step), code: "xy" })).toBe("/code");
    expect(typedPlace(step, { ...step, retry: { max_attempts: 12 } })).toBe("/retry/max_attempts");
    expect(typedPlace(step, { ...step, destinations: ["bc"] })).toBe("/destinations/0");
  });

  it("is that of its first letter, and of none", () => {
    expect(typedPlace(step, { ...step, conditional: "t" })).toBe("/conditional");
    const { code: _, ...cleared } = step;
    expect(typedPlace(step, cleared)).toBe("/code");
  });

  it("is none for what a click changes", () => {
    expect(typedPlace(step, step)).toBeNull();
    expect(typedPlace(step, { ...step, destinations: ["b", "c"], code: "y" })).toBeNull();
    expect(typedPlace(step, { ...step, throw_on_error: false })).toBeNull();
    expect(typedPlace(step, { ...step, on_error: [{ destinations: [] }] })).toBeNull();
    expect(typedPlace(undefined, step)).toBeNull();
  });
});
