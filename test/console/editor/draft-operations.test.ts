/** What the editor does to drafts: each operation, and the one history. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  copiedSteps,
  duplicateStep,
  pasteSteps,
  stepsOfText,
} from "../../../adapters/console/app/editor/draft/clipboard.ts";
import {
  changed,
  type History,
  historyOf,
  redone,
  undone,
} from "../../../adapters/console/app/editor/draft/history.ts";
import { freeKey, newStep, STEP_TYPES } from "../../../adapters/console/app/editor/draft/new-step.ts";
import * as operations from "../../../adapters/console/app/editor/draft/operations.ts";
import { renameStep } from "../../../adapters/console/app/editor/draft/rename-step.ts";
import { connectionsOf, isChain, NEXT, type Way } from "../../../adapters/console/app/editor/draft/ways.ts";
import type { Step } from "../../../src/workflows/step.ts";
import type { Definition } from "../../../src/workflows/version.ts";

const note = (key: string, more: Partial<Step> = {}): Step => ({ type: "note", key, note: "", ...more }) as Step;
const code = (key: string): Step => ({ type: "code", key, code: "" });
const definitionOf = (...steps: Step[]): Definition => ({ input: {}, input_default: null, input_options: null, steps });
const keysOf = ({ steps }: Definition) => steps.map(({ key }) => key);
const linesOf = (definition: Definition) =>
  connectionsOf(definition).map(
    ({ from, to, way }) => `${from} ${way.kind === "condition" ? way.name : way.kind} ${to}`,
  );

const branch: Step = {
  type: "branch",
  key: "size",
  conditions: {
    small: { condition: "input.n < 2", destinations: ["b"], order: 1 },
    large: { condition: "true", destinations: [], order: 0 },
  },
  else: ["c"],
};
const graph = definitionOf(
  note("a", { destinations: ["size"] }),
  branch,
  note("b", { destinations: ["c"] }),
  note("c"),
);
const chain = definitionOf(note("a"), note("b"), note("c"));

describe("addStep", () => {
  it("adds to a chain by its place in the list", () => {
    const added = operations.addStep(chain, note("x"), { kind: "behind", key: "a" });
    expect(keysOf(added)).toEqual(["a", "x", "b", "c"]);
    expect(isChain(added)).toBe(true);
  });

  it("puts a step between another and what it leads to", () => {
    const added = operations.addStep(graph, code("x"), { kind: "behind", key: "a" });
    expect(linesOf(added)).toEqual(["a next x", "x next size", "size small b", "size else c", "b next c"]);
  });

  it("puts a step on one connection of several", () => {
    const way: Way = { kind: "condition", name: "small" };
    const added = operations.addStep(graph, code("x"), { kind: "on", from: "size", to: "b", way });
    expect(linesOf(added)).toEqual(["a next size", "size small x", "size else c", "x next b", "b next c"]);
  });

  it("puts a step behind another where no error leads", () => {
    const caught: Step = { type: "code", key: "a", code: "", on_error: [{ destinations: ["b"] }] };
    const added = operations.addStep(definitionOf(caught, code("b")), code("x"), { kind: "behind", key: "a" });
    expect(linesOf(added)).toEqual(["a next x", "a catch b"]);
  });

  it("puts a step behind a branch where it always leads, else where nothing is, else where no condition is true", () => {
    const behind: operations.Target = { kind: "behind", key: "size" };
    const once = operations.addStep(graph, code("x"), behind);
    expect(linesOf(once)).toContain("size large x");
    const twice = operations.addStep(once, code("y"), behind);
    expect(linesOf(twice)).toEqual(expect.arrayContaining(["size large x", "size else y", "y next c"]));
    const inChain = definitionOf({ ...branch, conditions: {}, else: [] } as Step, code("b"));
    expect(linesOf(operations.addStep(inChain, code("x"), behind))).toEqual(["size next x", "x next b"]);
  });

  it("adds behind a condition that leads nowhere", () => {
    const way: Way = { kind: "condition", name: "large" };
    const added = operations.addStep(graph, code("x"), { kind: "behind", key: "size", way });
    expect(linesOf(added)).toContain("size large x");
  });

  it("puts a step beside what a way leads to, in a chain too", () => {
    const way: Way = { kind: "condition", name: "small" };
    const added = operations.addStep(graph, code("x"), { kind: "from", key: "size", way });
    expect(linesOf(added)).toEqual(["a next size", "size small b", "size small x", "size else c", "b next c"]);
    const inChain = operations.addStep(chain, code("x"), { kind: "from", key: "a", way: NEXT });
    expect(linesOf(inChain)).toEqual(["a next b", "a next x", "b next c"]);
    const caught = definitionOf({ ...code("a"), on_error: [{ destinations: [] }] } as Step, code("b"));
    const route = operations.addStep(caught, code("x"), { kind: "from", key: "a", way: { kind: "catch", route: 0 } });
    expect(linesOf(route)).toContain("a catch x");
  });

  it("puts a step before another, after all that led to it", () => {
    const added = operations.addStep(graph, code("x"), { kind: "before", key: "c" });
    expect(linesOf(added)).toEqual(["a next size", "size small b", "size else x", "b next x", "x next c"]);
  });

  it("leaves the connections alone for a comment", () => {
    const added = operations.addStep(graph, note("x"), { kind: "behind", key: "a" });
    expect(linesOf(added)).toEqual(linesOf(graph));
  });

  it("writes the connections of a chain down before a branch joins it", () => {
    const added = operations.addStep(chain, { ...branch, else: [], conditions: {} }, { kind: "before", key: "b" });
    expect(linesOf(added)).toEqual(["a next size", "size else b", "b next c"]);
  });
});

describe("connect and disconnect", () => {
  it.each<operations.Target>([
    { kind: "behind", key: "a" },
    { kind: "on", from: "a", to: "b", way: NEXT },
  ])("leads from a branch that joins a chain only if no condition is true: $kind", (target) => {
    const added = operations.addStep(chain, newStep(chain, { type: "branch" }), target);
    expect(linesOf(added)).toEqual(["a next branch", "branch else b", "b next c"]);
  });

  it("adds a branch at the end of a chain, and what follows it to its first way that leads nowhere", () => {
    const ended = operations.addStep(chain, newStep(chain, { type: "branch" }));
    expect(linesOf(ended)).toEqual(["a next b", "b next c", "c next branch"]);
    const once = operations.addStep(ended, code("x"));
    expect(linesOf(once)).toEqual(["a next b", "b next c", "c next branch", "branch yes x"]);
    expect(linesOf(operations.addStep(ended, note("remark")))).not.toContain("branch next remark");
  });

  it("keeps the other connections of a chain", () => {
    expect(linesOf(operations.connect(chain, { from: "a", to: "c", way: NEXT }))).toEqual([
      "a next b",
      "a next c",
      "b next c",
    ]);
  });

  it("keeps the last connection, because steps without any are a chain", () => {
    const two = definitionOf(note("a"), note("b"));
    const connections = connectionsOf(two);
    expect(connections).toHaveLength(1);
    for (const connection of connections) {
      expect(operations.disconnect(two, connection)).toBe(two);
    }
  });

  it("takes one connection of a chain away", () => {
    expect(linesOf(operations.disconnect(chain, { from: "a", to: "b", way: NEXT }))).toEqual(["b next c"]);
  });

  it("removes a catch route without a destination", () => {
    const caught = definitionOf(
      { type: "code", key: "a", code: "", on_error: [{ destinations: ["b"] }, { destinations: ["c"] }] },
      note("b"),
      note("c"),
    );
    const way: Way = { kind: "catch", route: 0 };
    expect(operations.disconnect(caught, { from: "a", to: "b", way }).steps[0]).toMatchObject({
      on_error: [{ destinations: ["c"] }],
    });
  });
});

describe("removeSteps", () => {
  it("connects what was before a step with what was after it", () => {
    expect(linesOf(operations.removeSteps(graph, ["b"]))).toEqual(["a next size", "size small c", "size else c"]);
  });

  it("goes on as if no condition of a branch were true", () => {
    const removed = operations.removeSteps(graph, ["size"]);
    expect(linesOf(removed)).toEqual(["a next c", "b next c"]);
    expect(undone(changed(historyOf(graph), removed, { at: 0 })).present).toEqual(graph);
  });

  it.each<operations.Target>([
    { kind: "behind", key: "a" },
    { kind: "before", key: "b" },
  ])("takes a branch out of a chain that it was put into: $kind", (target) => {
    const added = operations.addStep(chain, newStep(chain, { type: "branch" }), target);
    expect(linesOf(operations.removeSteps(added, ["branch"]))).toEqual(linesOf(chain));
  });

  it("goes on by the one way that all conditions lead, and by none of several", () => {
    const led = (small: string, large: string) =>
      operations.setStep(graph, "size", {
        type: "branch",
        key: "size",
        conditions: {
          small: { condition: "input.n < 2", destinations: [small], order: 1 },
          large: { condition: "true", destinations: [large], order: 0 },
        },
      });
    expect(linesOf(operations.removeSteps(led("b", "b"), ["size"]))).toEqual(["a next b", "b next c"]);
    expect(linesOf(operations.removeSteps(led("b", "c"), ["size"]))).toEqual(["b next c"]);
  });

  it("forgets the pinned output", () => {
    expect(operations.removeSteps({ ...chain, pinned: { b: 1 } }, ["b"])).not.toHaveProperty("pinned");
  });
});

describe("moveInOrder", () => {
  it("moves a step in a chain", () => {
    expect(keysOf(operations.moveInOrder(chain, "c", "up"))).toEqual(["a", "c", "b"]);
    expect(operations.moveInOrder(chain, "c", "down")).toBe(chain);
    const ended = operations.addStep(chain, newStep(chain, { type: "branch" }));
    expect(operations.moveInOrder(ended, "branch", "up")).toBe(ended);
    expect(operations.moveInOrder(ended, "c", "down")).toBe(ended);
  });

  it("swaps two steps that follow each other, with what leads to them", () => {
    const line = definitionOf(note("a", { destinations: ["b"] }), note("b", { destinations: ["c"] }), note("c"));
    expect(linesOf(operations.moveInOrder(line, "c", "up"))).toEqual(["a next c", "c next b"]);
    expect(linesOf(operations.moveInOrder(line, "a", "down"))).toEqual(["b next a", "a next c"]);
  });

  it("leaves a step after a branch in its place", () => {
    expect(operations.moveInOrder(graph, "b", "up")).toBe(graph);
  });
});

describe("copies of steps", () => {
  it("keep their connections to each other under new keys", () => {
    const steps = stepsOfText(copiedSteps(graph, ["size", "b"]));
    expect(steps?.map(({ key }) => key)).toEqual(["size", "b"]);
    const { definition, keys } = pasteSteps(graph, steps ?? []);
    expect(keys).toEqual(["size_2", "b_2"]);
    expect(linesOf(definition)).toEqual([...linesOf(graph), "size_2 small b_2"]);
  });

  it("read the copied steps, not those that they were copied from", () => {
    const reader: Step = {
      type: "code",
      key: "r",
      code: "return steps.a.output",
      conditional: "steps.r.output == null",
    };
    const { definition } = pasteSteps(definitionOf(note("a"), reader), [note("a"), reader]);
    expect(definition.steps.at(-1)).toMatchObject({
      code: "return steps.a_2.output",
      conditional: "steps.r_2.output == null",
    });
  });

  it("stand behind their original", () => {
    const { definition, keys } = duplicateStep(chain, "a");
    expect(keys).toEqual(["a_2"]);
    expect(keysOf(definition)).toEqual(["a", "a_2", "b", "c"]);
  });

  it("of a branch stand where it leads if no condition is true, so that nothing is skipped", () => {
    const { definition } = duplicateStep(graph, "size");
    expect(keysOf(definition)).toEqual(["a", "size", "size_2", "b", "c"]);
    expect(linesOf(definition)).toEqual([
      "a next size",
      "size small b",
      "size else size_2",
      "size_2 else c",
      "b next c",
    ]);
    const inChain = definitionOf(code("a"), { ...branch, conditions: {}, else: [] } as Step, code("b"));
    expect(linesOf(duplicateStep(inChain, "size").definition)).toEqual([
      "a next size",
      "size else size_2",
      "size next b",
    ]);
  });

  it.each(["", "{", "null", '{"steps": []}', '[{"type": "unknown", "key": "a"}]'])("are not read from %j", (text) => {
    expect(stepsOfText(text)).toBeNull();
  });
});

describe("new steps", () => {
  it.each(STEP_TYPES)("of the type %s have a key that no other has", (type) => {
    const kind = type === "service" ? { type, service: "mail", action: "send mail" } : { type };
    const first = newStep(chain, kind);
    const second = newStep(operations.addStep(chain, first), kind);
    expect(second.key).not.toBe(first.key);
    expect(stepsOfText(JSON.stringify(first))).toHaveLength(1);
  });

  it("have no code of their own, so that what is typed is all of it", () =>
    expect(newStep(chain, { type: "code" })).toMatchObject({ code: "" }));

  it("count up", () => expect(freeKey(new Set(["a", "a_2", "a_3"]), "a_2")).toBe("a_4"));
});

/** Any draft, also one that could not be deployed. */
const drafts = fc
  .uniqueArray(fc.constantFrom("a", "b", "c d", "steps", "__x", "é"), { minLength: 1 })
  .chain((keys) =>
    fc.record({
      keys: fc.constant(keys),
      kinds: fc.array(fc.boolean(), { minLength: keys.length, maxLength: keys.length }),
      next: fc.array(fc.subarray(keys), { minLength: keys.length, maxLength: keys.length }),
    }),
  )
  .map(({ keys, kinds, next }) =>
    definitionOf(
      ...keys.map((key, index): Step => {
        const destinations = next[index] ?? [];
        if (kinds[index] !== true) return destinations.length > 0 ? note(key, { destinations }) : note(key);
        return {
          type: "branch",
          key,
          conditions: { one: { condition: `steps["${key}"].output`, destinations, order: 0 } },
        };
      }),
    ),
  );

const keyOf = (definition: Definition, at: number) => definition.steps[at % definition.steps.length]?.key ?? "";

/** Any change, given a number to choose by. */
const CHANGES: readonly ((definition: Definition, at: number) => Definition)[] = [
  (one, at) => operations.addStep(one, newStep(one, { type: "code" }), { kind: "behind", key: keyOf(one, at) }),
  (one, at) => operations.addStep(one, newStep(one, { type: "branch" }), { kind: "before", key: keyOf(one, at) }),
  (one, at) => operations.connect(one, { from: keyOf(one, at), to: keyOf(one, at + 1), way: NEXT }),
  (one, at) => {
    const all = connectionsOf(one);
    const connection = all[at % Math.max(1, all.length)];
    return connection === undefined ? one : operations.disconnect(one, connection);
  },
  (one, at) => (one.steps.length > 1 ? operations.removeSteps(one, [keyOf(one, at)]) : one),
  (one, at) => operations.moveOnCanvas(one, new Map([[keyOf(one, at), [at, 0]]]), new Map()),
  (one) => operations.tidyUp(one),
  (one, at) => operations.moveInOrder(one, keyOf(one, at), at % 2 === 0 ? "up" : "down"),
  (one, at) => renameStep(one, keyOf(one, at), freeKey(new Set(keysOf(one)), `renamed ${at}`)).definition,
  (one, at) => duplicateStep(one, keyOf(one, at)).definition,
];

const steps = fc.array(fc.tuple(fc.nat(CHANGES.length - 1), fc.nat(50)), { maxLength: 30 });

describe("the history", () => {
  it("returns exactly, whatever was done", () => {
    fc.assert(
      fc.property(drafts, steps, (draft, changes) => {
        let history: History = historyOf(draft);
        const seen: string[] = [JSON.stringify(draft)];
        for (const [index, [which, at]] of changes.entries()) {
          const next = CHANGES[which]?.(history.present, at) ?? history.present;
          const before = history;
          history = changed(history, next, { at: index });
          if (history !== before) seen.push(JSON.stringify(next));
        }
        const last = JSON.stringify(history.present);
        for (const text of seen.toReversed()) {
          expect(JSON.stringify(history.present)).toBe(text);
          history = undone(history);
        }
        for (let count = 1; count < seen.length; count++) history = redone(history);
        expect(JSON.stringify(history.present)).toBe(last);
      }),
    );
  });

  it("never leaves a connection to a step that is not there, if there was none before", () => {
    fc.assert(
      fc.property(drafts, steps, (draft, changes) => {
        const end = changes.reduce((one, [which, at]) => CHANGES[which]?.(one, at) ?? one, draft);
        const keys = new Set(keysOf(end));
        expect(keys.size).toBe(end.steps.length);
        expect(connectionsOf(end).filter(({ to }) => !keys.has(to))).toEqual([]);
      }),
    );
  });

  it("joins typing into one change, until something else is done or time passes", () => {
    const named = (key: string) => definitionOf(note(key));
    let history = historyOf(named("a"));
    history = changed(history, named("ab"), { kind: "name", at: 0 });
    history = changed(history, named("abc"), { kind: "name", at: 900 });
    history = changed(history, named("abcd"), { kind: "name", at: 2_000 });
    history = changed(history, named("other"), { kind: "note", at: 2_100 });
    expect(history.past.map(keysOf)).toEqual([["a"], ["abc"], ["abcd"]]);
    expect(keysOf(undone(undone(history)).present)).toEqual(["abc"]);
  });

  it("forgets what was undone when something else is done", () => {
    const history = changed(undone(changed(historyOf(chain), graph, { at: 0 })), definitionOf(note("z")), { at: 1 });
    expect(redone(history)).toBe(history);
  });
});
