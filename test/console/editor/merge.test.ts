/** Bringing together what two people did to the same draft. */
import { describe, expect, it } from "vitest";
import { differences, firstChoices, merged } from "../../../adapters/console/app/editor/draft/merge.ts";
import { problemsOf } from "../../../adapters/console/app/editor/draft/problems.ts";
import type { Step } from "../../../src/workflows/step.ts";
import type { Definition } from "../../../src/workflows/version.ts";

const note = (key: string, text = ""): Step => ({ type: "note", key, note: text });
const definitionOf = (...steps: Step[]): Definition => ({ input: {}, input_default: null, input_options: null, steps });

describe("the differences of two sides", () => {
  const base = definitionOf(note("a"), note("b"), note("c"));
  const mine = { ...definitionOf(note("a", "mine"), note("b", "mine"), note("x"), note("c", "same")), settings: {} };
  const theirs = definitionOf(note("a"), note("b", "theirs"), note("c", "same"), note("y"));
  const three = { base, mine, theirs };

  it("say who changed what", () => {
    expect(differences(three).map(({ name, changedBy }) => [name, changedBy])).toEqual([
      ["settings", "mine"],
      ["step a", "mine"],
      ["step b", "both"],
      ["step y", "theirs"],
      ["step x", "mine"],
    ]);
  });

  it("come together, with a choice for what both changed", () => {
    const choices = new Map(firstChoices(differences(three)));
    expect(merged(three, choices)).toEqual({
      ...definitionOf(note("a", "mine"), note("b", "mine"), note("x"), note("c", "same"), note("y")),
      settings: {},
    });
    choices.set("step b", "theirs");
    expect(merged(three, choices).steps[1]).toEqual(note("b", "theirs"));
  });

  it("give all of one side if it is chosen everywhere", () => {
    const all = (side: "mine" | "theirs") => new Map(differences(three).map(({ name }) => [name, side]));
    expect(merged(three, all("theirs"))).toEqual(theirs);
    expect(new Set(merged(three, all("mine")).steps)).toEqual(new Set(mine.steps));
  });

  it("lose a step that one side deleted and the other left alone", () => {
    const deleted = { base, mine: base, theirs: definitionOf(note("a"), note("c")) };
    expect(merged(deleted, firstChoices(differences(deleted)))).toEqual(deleted.theirs);
  });

  it("are none where both did the same, in any order of names", () => {
    const reordered: Definition = { steps: base.steps, input_options: null, input_default: null, input: {} };
    expect(differences({ base: definitionOf(), mine: base, theirs: reordered })).toEqual([]);
  });
});

describe("problems", () => {
  it("stand at their step and field", () => {
    const errors = [
      { pointer: "/steps/1/conditions/a~1b/condition", message: "one" },
      { pointer: "/steps/7", message: "two" },
      { pointer: "/input/x", message: "three" },
    ];
    expect(problemsOf(definitionOf(note("a"), note("b")), errors)).toEqual([
      {
        pointer: "/steps/1/conditions/a~1b/condition",
        message: "one",
        step: "b",
        within: "/conditions/a~1b/condition",
      },
      { pointer: "/steps/7", message: "two", step: null, within: "/steps/7" },
      { pointer: "/input/x", message: "three", step: null, within: "/input/x" },
    ]);
  });

  it("have the order of their steps, and those of a step the order in which they were found", () => {
    const pointers = ["/steps/2/code", "/input/x", "/steps/1/x", "/steps/10/x", "/steps/1/code", "/steps/0"];
    const steps = Array.from({ length: 11 }, (_, index) => note(`s${index}`));
    const problems = problemsOf(
      definitionOf(...steps),
      pointers.map((pointer) => ({ pointer, message: "wrong" })),
    );
    const inOrder = ["/steps/0", "/steps/1/x", "/steps/1/code", "/steps/2/code", "/steps/10/x", "/input/x"];
    expect(problems.map(({ pointer }) => pointer)).toEqual(inOrder);
  });
});
