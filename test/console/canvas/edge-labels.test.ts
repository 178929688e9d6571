/** Where the labels and the "+" of edges stand on the canvas. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type CanvasEdge,
  type CanvasGraph,
  canvasGraphOf,
  portId,
} from "../../../adapters/console/app/canvas/canvas-graph.ts";
import { edgeLine, pointsOf } from "../../../adapters/console/app/canvas/placing/edge-path.ts";
import { BUTTON, labelHeight, labelWidth } from "../../../adapters/console/app/canvas/placing/label-size.ts";
import { portX } from "../../../adapters/console/app/canvas/placing/place-exits.ts";
import { placeSteps } from "../../../adapters/console/app/canvas/placing/place-steps.ts";
import type { Placement, Point } from "../../../adapters/console/app/canvas/placing/placement.ts";
import type { Step } from "../../../src/workflows/step.ts";

interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function labelBoxes({ steps, edges }: CanvasGraph, { points, bends, labels }: Placement): Box[] {
  return [...edges.values()].flatMap((edge) => {
    const [from, to] = [steps.get(edge.from), steps.get(edge.to)];
    const [start, end] = [points.get(edge.from), points.get(edge.to)];
    if (!from || !to || !start || !end || edge.port.kind === "start") return [];
    const { label } = edgeLine(
      { x: start.x + portX(from, portId(edge.port)), y: start.y + from.height },
      { x: end.x + to.width / 2, y: end.y },
      bends.get(edge.id) ?? [],
    );
    const moved = labels.get(edge.id) ?? { x: 0, y: 0 };
    const [width, height] = [Math.max(BUTTON, labelWidth(edge)), labelHeight(edge)];
    const [x, y] = [label.x + moved.x - width / 2, label.y + moved.y - height / 2];
    return [{ name: `${edge.from} ${portId(edge.port)} ${edge.to}`, x, y, width, height }];
  });
}

function linePoints({ steps }: CanvasGraph, { points, bends }: Placement, edge: CanvasEdge): readonly Point[] {
  const [from, to] = [steps.get(edge.from), steps.get(edge.to)];
  const [start, end] = [points.get(edge.from), points.get(edge.to)];
  if (!from || !to || !start || !end) return [];
  const line = edgeLine(
    { x: start.x + portX(from, portId(edge.port)), y: start.y + from.height },
    { x: end.x + to.width / 2, y: end.y },
    bends.get(edge.id) ?? [],
  );
  return pointsOf(line);
}

/** 0 inside of the box. */
function distanceTo({ x, y, width, height }: Box, point: Point): number {
  const across = Math.max(x - point.x, point.x - x - width, 0);
  return Math.hypot(across, Math.max(y - point.y, point.y - y - height, 0));
}

const stepBoxes = ({ steps }: CanvasGraph, { points }: Placement): Box[] =>
  [...steps.values()].flatMap(({ id, width, height }) => {
    const point = points.get(id);
    return point === undefined ? [] : [{ name: id, ...point, width, height }];
  });

const isOver = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** Labels that lie over steps or over each other. */
function coveredBy(steps: readonly Step[]): string[] {
  const graph = canvasGraphOf(steps);
  const placement = placeSteps(graph, true);
  const labels = labelBoxes(graph, placement);
  return labels.flatMap((label, index) =>
    [...stepBoxes(graph, placement), ...labels.slice(index + 1)]
      .filter((other) => isOver(label, other))
      .map((other) => `${label.name} / ${other.name}`),
  );
}

const EXAMPLES = join(import.meta.dirname, "../../../examples/workflows");

function example(name: string): readonly Step[] {
  const { definition }: { definition: { steps: Step[] } } = JSON.parse(readFileSync(join(EXAMPLES, name), "utf8"));
  return definition.steps;
}

const code = (key: string, position: [number, number], ...destinations: string[]): Step => ({
  ...{ type: "code", key, code: "return 1", position },
  destinations,
});

describe("the labels of edges between steps that the author has placed", () => {
  it("lie neither over steps nor over each other", () => {
    expect(coveredBy(example("01-document-intake.json"))).toEqual([]);
  });

  it("stand in the middle of their lines where nothing else is, and beside a step that is there", () => {
    const free = [code("a", [0, 0], "b"), code("b", [0, 200])];
    const covered = [...free, code("between", [0, 100])];
    expect(placeSteps(canvasGraphOf(free), true).labels.size).toBe(0);
    expect(placeSteps(canvasGraphOf(covered), true).labels.size).toBe(1);
    expect(coveredBy(covered)).toEqual([]);
  });
});

describe("the label of a condition whose step has been moved beside the branch", () => {
  const judge: Step = {
    ...{ type: "branch", key: "judge", position: [0, 0] },
    conditions: { large: { condition: "input.amount > 50000", destinations: ["approve"], order: 1 } },
    else: ["decline"],
  };
  const below = [12, 24, 36, 48, 55].flatMap((down) => [120, 205, 290].map((right): [number, number] => [right, down]));

  it.each(below)("stays at its line with the step %i px to the right and %i px below", (right, down) => {
    const steps = [judge, code("approve", [right, 52 + down], "decline"), code("decline", [100, 400])];
    const graph = canvasGraphOf(steps);
    const placement = placeSteps(graph, true);
    const [edge] = graph.outgoing.get("judge") ?? [];
    const [box] = labelBoxes(graph, placement);
    if (edge === undefined || box === undefined) throw new Error("There is no label.");
    const distances = linePoints(graph, placement, edge).map((point) => distanceTo(box, point));
    expect(Math.min(...distances)).toBeLessThanOrEqual(6);
    expect(coveredBy(steps)).toEqual([]);
  });

  it("is covered by no label of a line that bends, though a step has been moved there", () => {
    const first: Step = { ...judge, position: [108, 216], else: ["decline"] };
    const steps = [
      first,
      code("approve", [314, 330], "decide"),
      code("decide", [126, 466]),
      code("decline", [247, 608]),
    ];
    expect(coveredBy(steps)).toEqual([]);
  });
});

it("labels that the layout has kept room for stay on their lines", () => {
  const steps = example("01-document-intake.json").map(({ position: _, ...step }) => step as Step); // as tidied up
  expect(placeSteps(canvasGraphOf(steps), true).labels.size).toBe(0);
});
