/** The outline: steps in the order of a run, branches as levels. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outlineTree, type StepNode } from "../../../adapters/console/app/editor/draft/outline-tree.ts";
import type { Step } from "../../../src/workflows/step.ts";

const note = (key: string, ...destinations: string[]): Step =>
  destinations.length > 0 ? { type: "note", key, note: "", destinations } : { type: "note", key, note: "" };

function branch(key: string, to: Record<string, string[]>, otherwise: string[] = []): Step {
  const conditions = Object.entries(to).map(([name, destinations], order) => [name, { destinations, order }]);
  return { type: "branch", key, conditions: Object.fromEntries(conditions), else: otherwise };
}

/** The tree as text, one line for each row. */
function shown(nodes: readonly StepNode[], indent = ""): string[] {
  return nodes.flatMap((node) => [
    `${indent}${node.key}`,
    ...node.ways.flatMap((way) => {
      const name = way.way === null ? "connected" : way.way.kind === "condition" ? way.way.name : way.way.kind;
      return [`${indent}  ${name}: ${way.to.join(" ")}`, ...shown(way.steps, `${indent}    `)];
    }),
  ]);
}

const treeOf = (...steps: Step[]) => shown(outlineTree({ steps }));

describe("outlineTree", () => {
  it("shows a chain at one level", () => expect(treeOf(note("a"), note("b"), note("c"))).toEqual(["a", "b", "c"]));

  it("shows steps in the order of the run, whatever their order in the list", () => {
    expect(treeOf(note("c"), note("b", "c"), note("a", "b"))).toEqual(["a", "b", "c"]);
  });

  it("shows what only a condition leads to below it, and what several lead to after the branch", () => {
    const steps = [
      branch("size", { large: ["approve"], small: ["bill"] }, ["end"]),
      note("bill", "end"),
      note("approve", "end"),
      note("end"),
    ];
    expect(treeOf(...steps)).toEqual([
      "size",
      "  large: approve",
      "    approve",
      "  small: bill",
      "    bill",
      "  else: end",
      "end",
    ]);
  });

  it("shows a step without connections after those of the run", () => {
    expect(treeOf(note("a", "b"), note("alone"), note("b"))).toEqual(["a", "b", "alone"]);
  });

  it("shows branches within branches", () => {
    const steps = [
      branch("one", { x: ["two"] }, ["end"]),
      branch("two", { y: ["a"], z: ["a"] }),
      note("a", "b"),
      note("b"),
      note("end"),
    ];
    expect(treeOf(...steps)).toEqual([
      "one",
      "  x: two",
      "    two",
      "      y: a",
      "      z: a",
      "      else: ",
      "    a",
      "    b",
      "  else: end",
      "    end",
    ]);
  });

  it("shows steps that run side by side, and those after errors", () => {
    const steps: Step[] = [
      { type: "code", key: "a", code: "", destinations: ["b", "c"], on_error: [{ destinations: ["d"] }] },
      note("b", "e"),
      note("c", "e"),
      note("d"),
      note("e"),
    ];
    expect(treeOf(...steps)).toEqual(["a", "  next: b", "    b", "  next: c", "    c", "  catch: d", "    d", "e"]);
  });

  it("shows steps that are connected with the input", () => {
    const steps: Step[] = [
      { type: "input", key: "start", input: {}, destinations: ["a"] },
      note("a"),
      { ...note("b"), input_connected: true },
    ];
    expect(treeOf(...steps)).toEqual(["start", "  connected: b", "    b", "a"]);
  });

  it("shows every step once, also in drafts with loops, and a chain of 2,000", () => {
    const keys = ["a", "b", "c", "d", "e"];
    const step = fc.record({ key: fc.constantFrom(...keys), to: fc.array(fc.subarray(keys), { maxLength: 3 }) });
    const drafts = fc.uniqueArray(step, { selector: ({ key }) => key });
    const indexes = (nodes: readonly StepNode[]): number[] =>
      nodes.flatMap((node) => [node.index, ...node.ways.flatMap(({ steps }) => indexes(steps))]);
    fc.assert(
      fc.property(drafts, (draft) => {
        const steps = draft.map(({ key, to: [next = [], ...others] }) =>
          others.length > 0 ? branch(key, { one: others[0] ?? [], two: others[1] ?? [] }, next) : note(key, ...next),
        );
        expect(indexes(outlineTree({ steps })).sort()).toEqual(steps.map((_, index) => index).sort());
      }),
    );
    expect(outlineTree({ steps: Array.from({ length: 2_000 }, (_, index) => note(`s${index}`)) })).toHaveLength(2_000);
  });
});
