/** What a canvas shows after a step was moved by hand. */
import { describe, expect, it } from "vitest";
import { canvasGraphOf } from "../../../adapters/console/app/canvas/canvas-graph.ts";
import { cornersOfLayout } from "../../../adapters/console/app/canvas/placing/corners-of-layout.ts";
import { placeSteps } from "../../../adapters/console/app/canvas/placing/place-steps.ts";
import { moveOnCanvas } from "../../../adapters/console/app/editor/draft/operations.ts";
import type { Step } from "../../../src/workflows/step.ts";

const code = (key: string, ...destinations: string[]): Step => ({ type: "code", key, code: "return 1", destinations });

/** Two ways, of which one is longer, so that the line of the other passes a layer. */
const STEPS = [code("start", "check", "done"), code("check", "approve"), code("approve", "done"), code("done")];

const placed = (steps: readonly Step[]) => {
  const graph = canvasGraphOf(steps);
  return { graph, placement: placeSteps(graph, true) };
};

/** As the canvas does it: with a step where the pointer or a key has put it. */
function moved(steps: readonly Step[], key: string, by: readonly [number, number]): readonly Step[] {
  const { graph, placement } = placed(steps);
  const { x, y } = placement.points.get(key) ?? { x: 0, y: 0 };
  const corners = new Map([[key, [x + by[0], y + by[1]] as const]]);
  const definition = { steps: [...steps], input: {}, input_default: null, input_options: null };
  return moveOnCanvas(definition, corners, cornersOfLayout(graph, placement)).steps;
}

describe("a workflow that was never arranged by hand", () => {
  it.each(STEPS.map(({ key }) => key))("keeps all other steps in their places when %s is moved", (key) => {
    const before = placed(STEPS).placement.points;
    const after = placed(moved(STEPS, key, [16, 0])).placement.points;
    for (const [other, { x, y }] of before) expect(after.get(other)).toEqual({ x: other === key ? x + 16 : x, y });
  });

  it("keeps them also when a second one is moved, far away", () => {
    const before = placed(STEPS).placement.points;
    const after = placed(moved(moved(STEPS, "check", [0, 16]), "done", [400, -900])).placement.points;
    for (const key of ["start", "approve"]) expect(after.get(key)).toEqual(before.get(key));
  });

  it("keeps the lines that the layout has laid past other steps while a step is moved a little", () => {
    const before = placed(STEPS).placement;
    const after = placed(moved(STEPS, "approve", [16, 0])).placement;
    const [, past] = placed(STEPS).graph.outgoing.get("start") ?? [];
    const bends = before.bends.get(past?.id ?? "") ?? [];
    expect(bends.length).toBeGreaterThan(1);
    expect(after.bends).toEqual(before.bends);
  });

  it("runs a line straight to a step that was moved far away", () => {
    const { graph, placement } = placed(moved(STEPS, "done", [400, 300]));
    for (const { id } of graph.incoming.get("done") ?? []) expect(placement.bends.get(id)).toBeUndefined();
  });
});

it("a step that already has a position keeps it when another one is moved", () => {
  const steps = moved([{ ...code("a"), position: [5, 7] }, code("b")], "b", [16, 0]);
  expect(steps[0]?.position).toEqual([5, 7]);
});
