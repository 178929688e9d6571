/** Two people change the same draft, and rename steps of it: a step stays one step. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { clashOf } from "../../../adapters/console/app/editor/draft/merge-clash.ts";
import { mergedSides } from "../../../adapters/console/app/editor/draft/merge-renamed.ts";
import { renameStep } from "../../../adapters/console/app/editor/draft/rename-step.ts";
import type { Step } from "../../../src/workflows/step.ts";
import type { Definition } from "../../../src/workflows/version.ts";

const CODES = [
  "alpha beta gamma delta",
  "one or two or three or four",
  "red green blue white black",
  "north east south west",
];
const code = (key: string, text: string, destinations: readonly string[]): Step => ({
  type: "code",
  key,
  code: text,
  destinations: [...destinations],
});
const definitionOf = (...steps: Step[]): Definition => ({ input: {}, input_default: null, input_options: null, steps });

const base = definitionOf(
  code("one", `${CODES[0]}`, ["two"]),
  code("two", `${CODES[1]}`, ["three"]),
  code("three", `${CODES[2]}; return steps.two.output`, ["four"]),
  code("four", `${CODES[3]}`, []),
);

const edited = (definition: Definition, key: string, added: string): Definition => ({
  ...definition,
  steps: definition.steps.map((step) =>
    step.key === key && step.type === "code" ? { ...step, code: `${step.code} ${added}` } : step,
  ),
});

it("keeps one step that one side has edited and the other has renamed", () => {
  const mine = edited(base, "two", "mine");
  const theirs = renameStep(base, "two", "zwei").definition;
  const clash = clashOf({ base, mine, theirs });
  expect(clash.found.map(({ name, changedBy }) => [name, changedBy])).toEqual([
    ["name two", "theirs"],
    ["step two", "mine"],
  ]);
  const expected = edited(theirs, "zwei", "mine");
  expect(clash.merged(clash.first)).toEqual(expected);
  expect(mergedSides({ base, mine, theirs }, "mine")).toEqual(expected);
  expect(mergedSides({ base, mine: theirs, theirs: mine }, "theirs")).toEqual(expected);
});

it("asks about two new names of a step", () => {
  const mine = renameStep(base, "two", "zwei").definition;
  const theirs = renameStep(base, "two", "deux").definition;
  const clash = clashOf({ base, mine, theirs });
  expect(clash.found).toMatchObject([{ name: "name two", mine: "zwei", theirs: "deux", changedBy: "both" }]);
  expect(clash.merged(new Map([["name two", "mine"]]))).toEqual(mine);
  expect(clash.merged(new Map([["name two", "theirs"]]))).toEqual(theirs);
});

it("never doubles a step, and leaves no reference to one that is gone, whatever two sides rename and edit", () => {
  const step = fc.constantFrom("one", "two", "three", "four");
  const side = (names: readonly string[]) =>
    fc.record({
      renamed: fc.uniqueArray(fc.tuple(step, fc.constantFrom(...names)), {
        selector: ([, name]) => name,
        maxLength: 3,
      }),
      edited: fc.uniqueArray(step, { maxLength: 3 }),
    });
  const apply = (
    who: string,
    actions: { renamed: readonly (readonly [string, string])[]; edited: readonly string[] },
  ) => {
    const after = actions.edited.reduce((now, key) => edited(now, key, who), base);
    return actions.renamed.reduce((now, [key, name]) => renameStep(now, key, name).definition, after);
  };
  const names = side(["a1", "b1", "c1"]);
  fc.assert(
    fc.property(names, side(["a1", "b2", "c2"]), (own, others) => {
      const three = { base, mine: apply("mine", own), theirs: apply("theirs", others) };
      const clash = clashOf(three);
      for (const whole of [clash.merged(clash.first), mergedSides(three, "mine"), mergedSides(three, "theirs")]) {
        const keys = whole.steps.map(({ key }) => key);
        expect(keys).toHaveLength(base.steps.length);
        expect(new Set(keys).size).toBe(base.steps.length);
        const text = JSON.stringify(whole);
        const read = [...text.matchAll(/steps\.(\w+)/g)].map(([, key]) => key);
        const led = whole.steps.flatMap((one) => ("destinations" in one ? (one.destinations ?? []) : []));
        expect(keys).toEqual(expect.arrayContaining([...read, ...led]));
      }
    }),
    { numRuns: 40 },
  );
});
