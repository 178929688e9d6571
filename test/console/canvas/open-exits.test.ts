/** Where the "+" of edges and of open exits stand on the canvas. */
import { describe, expect, it } from "vitest";
import {
  type CanvasExit,
  type CanvasGraph,
  canvasGraphOf,
  portId,
} from "../../../adapters/console/app/canvas/canvas-graph.ts";
import { edgeLine } from "../../../adapters/console/app/canvas/placing/edge-path.ts";
import { labelHeight, labelWidth } from "../../../adapters/console/app/canvas/placing/label-size.ts";
import { portX } from "../../../adapters/console/app/canvas/placing/place-exits.ts";
import { placeSteps } from "../../../adapters/console/app/canvas/placing/place-steps.ts";
import type { Placement } from "../../../adapters/console/app/canvas/placing/placement.ts";
import { wholeViewport } from "../../../adapters/console/app/canvas/viewport.ts";
import type { BranchStep, CodeStep, Step } from "../../../src/workflows/step.ts";

const code = (key: string, position?: [number, number]): CodeStep => ({
  type: "code",
  key,
  code: "return 1",
  destinations: [],
  ...(position === undefined ? undefined : { position }),
});

/** A branch whose first condition and catch route lead on. */
const branch = (position?: [number, number]): BranchStep => ({
  type: "branch",
  key: "size",
  conditions: {
    large: { condition: "input.amount > 1000.0", destinations: ["a"], order: 0 },
    small: { condition: "input.amount < 10.0", destinations: [], order: 1 },
  },
  on_error: [{ destinations: ["b"] }],
  ...(position === undefined ? undefined : { position }),
});

/** As somebody may have sent it: its place in the list leads on to the next step, besides its conditions. */
const IN_CHAIN: readonly Step[] = [
  { type: "note", key: "first", note: "" },
  { type: "branch", key: "size", conditions: {} },
  { type: "note", key: "last", note: "" },
];

const LAYERS = [branch(), code("a"), code("b")];
const BY_AUTHOR = [branch([0, 0]), code("a", [-40, 120]), code("b", [60, 120])];

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function lineOf(graph: CanvasGraph, { points, bends }: Placement, id: string) {
  const edge = graph.edges.get(id);
  const [from, to] = [graph.steps.get(edge?.from ?? ""), graph.steps.get(edge?.to ?? "")];
  const [start, end] = [points.get(edge?.from ?? ""), points.get(edge?.to ?? "")];
  if (!edge || !from || !to || !start || !end) throw new Error(`No edge ${id}`);
  return edgeLine(
    { x: start.x + portX(from, portId(edge.port)), y: start.y + from.height },
    { x: end.x + to.width / 2, y: end.y },
    bends.get(id) ?? [],
  );
}

const boxAround = (x: number, y: number, of: Parameters<typeof labelWidth>[0]): Box => {
  const [width, height] = [Math.max(24, labelWidth(of)), labelHeight(of)];
  return { x: x - width / 2, y: y - height / 2, width, height };
};

function boxOfExit({ points, exits }: Placement, exit: CanvasExit): Box {
  const [corner, at] = [points.get(exit.from), exits.get(exit.id)];
  if (!corner || !at) throw new Error(`No place of ${exit.id}`);
  return boxAround(corner.x + at.x, corner.y + at.y, exit);
}

const isOver = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const namesOf = ({ exits }: CanvasGraph) => [...exits.values()].map(({ from, port }) => `${from} ${portId(port)}`);

describe("open exits of steps", () => {
  it("are all ports that lead nowhere: conditions, else, what always runs, and catch routes", () => {
    const open: Step = { ...branch(), on_error: [{ destinations: [] }] };
    const caught: Step = { ...code("c"), on_error: [{ destinations: ["a"] }] };
    expect(namesOf(canvasGraphOf([open, code("a"), caught]))).toEqual([
      "size if:small",
      "size else",
      "size error:0",
      "a next",
      "c next",
    ]);
  });

  it("are not the way on from a branch in a chain, which has a line", () => {
    const graph = canvasGraphOf(IN_CHAIN);
    expect(graph.steps.get("size")?.ports).toEqual(["else", "next"]);
    expect([...graph.edges.values()].map(({ from, to, port }) => `${from} ${port.kind} ${to}`)).toEqual([
      "first next size",
      "size next last",
    ]);
    expect(namesOf(graph)).toEqual(["size else"]);
  });

  it.each([
    ["by the layout", LAYERS],
    ["by the author", BY_AUTHOR],
  ])("have a + that lies over no label, no step and no other +, with steps placed %s", (_, steps) => {
    const graph = canvasGraphOf(steps);
    const placement = placeSteps(graph, true);
    const exits = [...graph.exits.values()].filter(({ from }) => from === "size");
    expect(exits.map(({ port }) => portId(port))).toEqual(["if:small", "else"]);
    const labels = [...graph.edges.values()].map((edge) => {
      const { x, y } = lineOf(graph, placement, edge.id).label;
      return boxAround(x, y, edge);
    });
    const boxes = [...graph.steps.values()].map(({ id, width, height }) => ({
      ...(placement.points.get(id) ?? { x: 0, y: 0 }),
      width,
      height,
    }));
    for (const exit of exits) {
      const own = boxOfExit(placement, exit);
      const others = exits.filter((other) => other !== exit).map((other) => boxOfExit(placement, other));
      expect([...labels, ...boxes, ...others].filter((other) => isOver(own, other))).toEqual([]);
    }
  });

  it("take no room on canvases that only show", () => {
    const graph = canvasGraphOf(LAYERS);
    const { exits, bends } = placeSteps(graph, false);
    expect(exits.size).toBe(0);
    expect([...bends.keys()]).toEqual([...graph.edges.keys()]);
  });
});

it("the + of an edge beside a catch route stands on its edge", () => {
  const graph = canvasGraphOf([
    { ...code("a"), destinations: ["b"], on_error: [{ destinations: ["c"] }] },
    code("b"),
    code("c"),
  ]);
  const placement = placeSteps(graph, true);
  const [next] = graph.outgoing.get("a") ?? [];
  const { path, label } = lineOf(graph, placement, next?.id ?? "");
  // The line runs straight down where it passes the row of labels.
  const straight = [...path.matchAll(/ (-?[\d.]+) (-?[\d.]+)V(-?[\d.]+)/g)].map(([, ...numbers]) =>
    numbers.map(Number),
  );
  expect(straight.some(([x = 0, top = 0, bottom = 0]) => x === label.x && top <= label.y && label.y <= bottom)).toBe(
    true,
  );
});

it.each([
  ["by the layout", LAYERS],
  ["by the author", BY_AUTHOR],
])("no + is cut when everything is shown, with steps placed %s", (_, steps) => {
  const graph = canvasGraphOf(steps);
  const placement = placeSteps(graph, true);
  const room = { width: 300, height: 200, map: { width: 0, height: 0 }, buttons: { width: 0, height: 0 } };
  const margin = 31;
  const { x, y, zoom } = wholeViewport(graph, placement, room);
  for (const exit of graph.exits.values()) {
    const box = boxOfExit(placement, exit);
    expect(box.x * zoom + x).toBeGreaterThan(margin);
    expect(box.y * zoom + y).toBeGreaterThan(margin);
    expect((box.x + box.width) * zoom + x).toBeLessThan(room.width - margin);
    expect((box.y + box.height) * zoom + y).toBeLessThan(room.height - margin);
  }
});

it.each<[string, Pick<CodeStep, "position" | "size">]>([
  ["larger than any screen", { size: [1e12, 1e12] }],
  ["farther away than numbers are exact", { position: [1e300, -1e300] }],
])("a step that is %s is placed in a moment", (_, look) => {
  const graph = canvasGraphOf([{ ...branch(), ...look }, code("a"), code("b")]);
  const { points } = placeSteps(graph, true);
  expect([...points.values()].flatMap(({ x, y }) => [x, y]).every(Number.isSafeInteger)).toBe(true);
});
