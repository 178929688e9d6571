/** Two people change the same draft, and rename steps of it: a step stays one step. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clashOf } from "../../../adapters/console/app/editor/draft/merge-clash.ts";
import { mergedSides } from "../../../adapters/console/app/editor/draft/merge-renamed.ts";
import { renameStep } from "../../../adapters/console/app/editor/draft/rename-step.ts";
import { mapDestinations } from "../../../adapters/console/app/editor/draft/ways.ts";
import { isSameJson } from "../../../adapters/console/app/merging/same-json.ts";
import type { Side } from "../../../adapters/console/app/merging/three-way.ts";
import type { Step } from "../../../src/workflows/step.ts";
import type { Definition } from "../../../src/workflows/version.ts";

/** So many words of its own that no step is taken for another one that was renamed. */
const wordsOf = (name: string) => Array.from({ length: 24 }, (_, nth) => `${name}${nth}`).join(" ");

const code = (key: string, text: string, destinations: readonly string[]): Step => ({
  type: "code",
  key,
  code: text,
  destinations: [...destinations],
});
const definitionOf = (...steps: Step[]): Definition => ({ input: {}, input_default: null, input_options: null, steps });

const base = definitionOf(
  code("one", wordsOf("first"), ["two"]),
  code("two", wordsOf("second"), ["three"]),
  code("three", `${wordsOf("third")}; return steps.two.output`, ["four"]),
  code("four", wordsOf("fourth"), []),
);

const edited = (definition: Definition, key: string, added: string): Definition => ({
  ...definition,
  steps: definition.steps.map((step) =>
    step.key === key && step.type === "code" ? { ...step, code: `${step.code} ${added}` } : step,
  ),
});

const added = (definition: Definition, key: string, text: string): Definition => ({
  ...definition,
  steps: [...definition.steps, code(key, text, [])],
});

const without = (definition: Definition, gone: string): Definition => ({
  ...definition,
  steps: definition.steps
    .filter(({ key }) => key !== gone)
    .map((step) => mapDestinations(step, (key) => (key === gone ? [] : [key]))),
});

const keysOf = ({ steps }: Definition) => steps.map(({ key }) => key);

it("keeps one step that one side has edited and the other has renamed", () => {
  const mine = edited(base, "two", "mine");
  const theirs = renameStep(base, "two", "zwei").definition;
  const clash = clashOf({ base, mine, theirs });
  expect(clash.found.map(({ name, changedBy }) => [name, changedBy])).toEqual([
    ["step two", "mine"],
    ["name two", "theirs"],
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

it("says that a new key is taken by a step of the other side, and offers it again when it is free", () => {
  const mine = renameStep(base, "two", "neu").definition;
  const theirs = added(base, "neu", wordsOf("theirs"));
  const clash = clashOf({ base, mine, theirs });
  expect(clash.isApart).toBe(false);
  expect(clash.asked(clash.first)).toMatchObject([
    { name: "step neu", naming: null },
    { name: "name two", naming: { next: "two", taken: ["neu"] } },
  ]);
  expect(keysOf(clash.merged(clash.first))).toEqual(["one", "two", "three", "four", "neu"]);
  const without = new Map([...clash.first, ["step neu", "mine" as const]]);
  expect(clash.asked(without)).toMatchObject([{ name: "step neu" }, { naming: { next: "neu", taken: [] } }]);
  expect(clash.merged(without)).toEqual(mine);
});

it("gives a step the other new key if one is taken", () => {
  const mine = renameStep(base, "two", "neu").definition;
  const theirs = added(renameStep(base, "two", "deux").definition, "neu", wordsOf("theirs"));
  const clash = clashOf({ base, mine, theirs });
  expect(clash.asked(clash.first)[1]).toMatchObject({ name: "name two", naming: { next: "deux", taken: ["neu"] } });
  expect(clash.merged(clash.first)).toEqual(theirs);
});

it("asks for one of two steps that got the same new key", () => {
  const mine = renameStep(base, "two", "neu").definition;
  const theirs = renameStep(base, "three", "neu").definition;
  const clash = clashOf({ base, mine, theirs });
  expect(clash.asked(clash.first)).toMatchObject([
    { name: "name two", naming: { next: "neu", taken: [] } },
    { name: "name three", naming: { next: "three", taken: ["neu"] } },
  ]);
  expect(clash.merged(clash.first)).toEqual(mine);
  const other = new Map([...clash.first, ["name two", "theirs" as const]]);
  expect(clash.asked(other)[1]).toMatchObject({ naming: { next: "neu", taken: [] } });
  expect(clash.merged(other)).toEqual(theirs);
});

it("asks for the name of a step only while the step is kept", () => {
  const renamed = renameStep(base, "two", "neu").definition;
  const deleted = without(base, "two");
  const clash = clashOf({ base, mine: deleted, theirs: renamed });
  expect(clash.asked(clash.first).map(({ name, changedBy }) => [name, changedBy])).toEqual([
    ["step one", "mine"],
    ["step two", "both"],
  ]);
  expect(keysOf(clash.merged(clash.first))).toEqual(["one", "three", "four"]);
  const kept = new Map([...clash.first, ["step two", "theirs" as const]]);
  expect(clash.asked(kept).map(({ name }) => name)).toEqual(["step one", "step two", "name two"]);
  expect(keysOf(clash.merged(kept))).toEqual(["one", "neu", "three", "four"]);
  // A rename is a change, as an edit is: mine is kept at first.
  const other = clashOf({ base, mine: renamed, theirs: deleted });
  expect(keysOf(other.merged(other.first))).toEqual(["one", "neu", "three", "four"]);
});

it("does not say that both are kept where both have moved a step", () => {
  const inOrder = (...order: readonly number[]) => ({ ...base, steps: order.flatMap((nth) => base.steps[nth] ?? []) });
  const [mine, theirs] = [inOrder(1, 0, 2, 3), inOrder(0, 2, 1, 3)];
  expect(clashOf({ base, mine, theirs }).isApart).toBe(false);
  expect(clashOf({ base, mine, theirs: edited(base, "two", "theirs") }).isApart).toBe(true);
});

describe("two sides that rename, edit, add and delete", () => {
  const step = fc.constantFrom("one", "two", "three", "four");
  const side = (names: readonly string[]) =>
    fc.record({
      renamed: fc.uniqueArray(fc.tuple(step, fc.constantFrom(...names)), { selector: ([key]) => key, maxLength: 3 }),
      edited: fc.uniqueArray(step, { maxLength: 3 }),
      added: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
      deleted: fc.uniqueArray(step, { maxLength: 2 }),
    });
  interface Actions {
    readonly renamed: readonly (readonly [string, string])[];
    readonly edited: readonly string[];
    readonly added: readonly string[];
    readonly deleted: readonly string[];
  }
  /** What a side did of it: each key is new, and no step that is gone is renamed. */
  const doneOf = ({ renamed, deleted, ...others }: Actions): Actions => {
    const names = new Set<string>();
    const isNew = (key: string) => !names.has(key) && names.add(key).has(key);
    return {
      ...others,
      deleted,
      renamed: renamed.filter(([key, name]) => !deleted.includes(key) && isNew(name)),
      added: others.added.filter(isNew),
    };
  };
  const apply = (who: string, { renamed, edited: keys, added: more, deleted }: Actions) => {
    const after = keys.reduce((now, key) => edited(now, key, who), base);
    const less = deleted.reduce(without, after);
    const named = renamed.reduce((now, [key, name]) => renameStep(now, key, name).definition, less);
    return more.reduce((now, key) => added(now, key, wordsOf(`${who}_${key}_`)), named);
  };
  const both = fc.tuple(side(["a1", "b1", "c1"]), side(["a1", "b1", "c2"])).map(([one, other]) => {
    const [own, others] = [doneOf(one), doneOf(other)];
    return { own, others, three: { base, mine: apply("mine", own), theirs: apply("theirs", others) } };
  });
  const sides = fc.infiniteStream(fc.constantFrom<Side>("mine", "theirs"));
  const WORDS = ["first0", "second0", "third0", "fourth0"];
  const stepsWith = (whole: Definition, word: string) =>
    whole.steps.filter((one) => JSON.stringify(one).includes(word)).length;

  it("get no step twice, and no reference to one that is gone by another name", () => {
    fc.assert(
      fc.property(both, sides, ({ own, others, three }, chosen) => {
        const clash = clashOf(three);
        const gone = [...own.deleted, ...others.deleted];
        const choices = new Map(clash.found.map(({ name }) => [name, chosen.next().value]));
        const wholes = [clash.first, choices].map(clash.merged);
        for (const whole of [...wholes, mergedSides(three, "mine"), mergedSides(three, "theirs")]) {
          const keys = keysOf(whole);
          expect(new Set(keys).size).toBe(keys.length);
          WORDS.forEach((word, nth) => {
            const count = stepsWith(whole, word);
            if (gone.includes(`${base.steps[nth]?.key}`)) expect(count).toBeLessThan(2);
            else expect(count).toBe(1);
          });
          const read = [...JSON.stringify(whole).matchAll(/steps\.(\w+)/g)].map(([, key]) => key);
          const led = whole.steps.flatMap((one) => ("destinations" in one ? (one.destinations ?? []) : []));
          expect([...keys, ...gone]).toEqual(expect.arrayContaining([...read, ...led]));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("are asked for nothing that makes no difference", () => {
    fc.assert(
      fc.property(both, sides, ({ three }, chosen) => {
        const clash = clashOf(three);
        const choices = new Map(clash.found.map(({ name }) => [name, chosen.next().value]));
        const asked = new Map(clash.asked(choices).map((one) => [one.name, one]));
        for (const { name } of clash.found) {
          const [mine, theirs] = (["mine", "theirs"] as const).map((one) =>
            clash.merged(new Map([...choices, [name, one]])),
          );
          const naming = asked.get(name)?.naming;
          const isChoice = asked.has(name) && (naming === undefined || naming === null || naming.taken.length === 0);
          expect([name, isSameJson(mine, theirs)]).toEqual([name, !isChoice]);
          // What is said of a key is so.
          if (naming !== undefined && naming !== null) expect(keysOf(clash.merged(choices))).toContain(naming.next);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("keep all that both did where the dialog says so", () => {
    let count = 0;
    fc.assert(
      fc.property(both, ({ own, others, three }) => {
        const clash = clashOf(three);
        const whole = clash.merged(clash.first);
        const names = new Map([...own.renamed, ...others.renamed]);
        const gone = new Set([...own.deleted, ...others.deleted]);
        const texts = base.steps.flatMap(({ key }, nth) => {
          const by = [own.edited.includes(key) ? "mine" : [], others.edited.includes(key) ? "theirs" : []].flat();
          return gone.has(key) ? [] : [{ key: names.get(key) ?? key, word: `${WORDS[nth]} `, by }];
        });
        const found = new Map(whole.steps.map((one) => [one.key, JSON.stringify(one)]));
        const isKept = texts.every(({ key, word, by }) => {
          const text = found.get(key) ?? "";
          return text.includes(word) && by.every((who) => text.includes(` ${who}`));
        });
        const isAdded =
          own.added.every((key) => found.get(key)?.includes(`mine_${key}_0`)) &&
          others.added.every((key) => found.get(key)?.includes(`theirs_${key}_0`));
        if (clash.isApart) count++;
        expect([clash.isApart, isKept && isAdded]).not.toEqual([true, false]);
      }),
      { numRuns: 200 },
    );
    expect(count).toBeGreaterThan(0);
  });
});
