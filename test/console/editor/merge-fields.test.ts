/** Two sides of a draft that come together without a question. */
import { expect, it } from "vitest";
import { mergedByField } from "../../../adapters/console/app/editor/draft/merge-fields.ts";
import type { Step } from "../../../src/workflows/step.ts";
import type { Definition } from "../../../src/workflows/version.ts";

const code = (key: string, text: string, timeout = 10): Step => ({ type: "code", key, code: text, timeout });
const definitionOf = (...steps: Step[]): Definition => ({ input: {}, input_default: null, input_options: null, steps });

const base = definitionOf(code("a", "return 1"), code("b", "return 1"));

it("keeps what only one side has changed", () => {
  const theirs = { ...definitionOf(code("a", "return 1"), code("b", "return 2"), code("c", "")), settings: {} };
  expect(mergedByField({ base, mine: base, theirs }, "mine")).toEqual(theirs);
  const mine = definitionOf(code("a", "mine"), code("b", "return 1"));
  expect(mergedByField({ base, mine, theirs }, "theirs")).toEqual({
    ...definitionOf(code("a", "mine"), code("b", "return 2"), code("c", "")),
    settings: {},
  });
});

it("keeps the other fields of a step that both have changed", () => {
  const mine = definitionOf(code("a", "mine"), code("b", "return 1", 20));
  const theirs = definitionOf(code("a", "theirs", 99), code("b", "return 1", 30));
  expect(mergedByField({ base, mine, theirs }, "mine")).toEqual(
    definitionOf(code("a", "mine", 99), code("b", "return 1", 20)),
  );
  expect(mergedByField({ base, mine, theirs }, "theirs")).toEqual(
    definitionOf(code("a", "theirs", 99), code("b", "return 1", 30)),
  );
});

it("mixes no steps of two types, and none with one that is gone", () => {
  const mine = definitionOf({ type: "note", key: "a", note: "mine" }, code("b", "mine"));
  const theirs = definitionOf(code("a", "theirs", 99));
  expect(mergedByField({ base, mine, theirs }, "mine")).toEqual(mine);
  expect(mergedByField({ base, mine, theirs }, "theirs")).toEqual(theirs);
});
