/** What the page keeps as it is, so that it draws less: graphs of changed drafts, axes of open runs, parts of texts. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canvasGraphOf } from "../../../adapters/console/app/canvas/canvas-graph.ts";
import { keepGraph } from "../../../adapters/console/app/canvas/keep-graph.ts";
import { pagesOf } from "../../../adapters/console/app/elements/values/text-pages.tsx";
import { endOfOpen } from "../../../adapters/console/app/run/waterfall/time-axis.ts";
import type { Step } from "../../../src/index.ts";
import { largeSteps } from "../support/seed.ts";

const STEPS = largeSteps(100);
const changed = (key: string, change: (step: Step) => object): Step[] =>
  STEPS.map((step) => (step.key === key ? ({ ...step, ...change(step) } as Step) : step)); // a step of the same type

describe("the graph of a changed draft", () => {
  const before = canvasGraphOf(STEPS);

  it("is the one before if nothing that is drawn has changed", () => {
    expect(keepGraph(before, canvasGraphOf(changed("step_5", () => ({ code: "return 0;" }))))).toBe(before);
  });

  it("has a new object for a step that looks different, and no other", () => {
    const after = keepGraph(before, canvasGraphOf(changed("step_5", () => ({ conditional: "true" }))));
    const different = after.order.filter((id) => after.steps.get(id) !== before.steps.get(id));
    expect(different).toEqual(["step_5"]);
    expect(after.steps.get("step_5")?.features).toEqual(["conditional"]);
    expect(after.edges).toBe(before.edges);
  });

  it("has the edges that were added and removed", () => {
    const graph = canvasGraphOf(changed("step_5", () => ({ destinations: ["step_9"] })));
    const after = keepGraph(before, graph);
    expect(after).toEqual(graph);
    const ids = [...after.edges.keys()];
    expect(ids.filter((id) => after.edges.get(id) !== before.edges.get(id))).toHaveLength(1);
    expect(after.incoming.get("step_9")?.every((edge) => after.edges.get(edge.id) === edge)).toBe(true);
  });

  it("follows the order of the definition", () => {
    const graph = canvasGraphOf([...STEPS.slice(0, -2), ...STEPS.slice(-2).reverse()]);
    expect(keepGraph(before, graph).order).toEqual(graph.order);
  });
});

describe("the axis of an open run", () => {
  it("ends after the latest moment, and changes a few dozen times while the run gets ten times as long", () => {
    for (const first of [1_000, 60_000, 3_600_000, 86_400_000]) {
      const ends = new Set<number>();
      for (let length = first; length <= 10 * first; length += first / 150) {
        const end = endOfOpen(5, 5 + length);
        expect(end).toBeGreaterThanOrEqual(5 + length);
        // Longer, and the rest would look like a stretch in which nothing ran.
        expect(end - (5 + length)).toBeLessThan(length / 5);
        ends.add(end);
      }
      expect(ends.size).toBeLessThan(100);
    }
  });
});

describe("the parts of a long text", () => {
  it("are all of it, none of them long", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 9_000 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const text = lines.join("\n");
        const chunks = pagesOf(text);
        let at = 0;
        for (const [index, chunk] of chunks.entries()) {
          expect(chunk.length).toBeLessThanOrEqual(8_192);
          expect(text.startsWith(chunk, at)).toBe(true);
          at += chunk.length;
          // The line break is that between the blocks.
          if (text[at] === "\n" && index < chunks.length - 1) at++;
        }
        expect(at).toBe(text.length);
      }),
      { numRuns: 30 },
    );
  });

  it("break no character in two", () => {
    const chunks = pagesOf(`a${"😀".repeat(20_000)}`);
    // A half of a pair would be replaced.
    const encoded = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text));
    expect(chunks.every((chunk) => encoded(chunk) === chunk)).toBe(true);
  });
});
