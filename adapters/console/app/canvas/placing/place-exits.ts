/** Where the "+" of open exits stand: where the layout has kept room, else beside all labels and steps. Pure. */
import type { CanvasExit, CanvasGraph, CanvasStep } from "../canvas-graph.ts";
import { portId } from "../canvas-graph.ts";
import { edgeLine } from "./edge-path.ts";
import { BUTTON, labelHeight, labelWidth } from "./label-size.ts";
import type { PlacedSteps, Point } from "./placement.ts";

/** From the bottom of a step to the middle of the labels below it. */
const BELOW = 45;
/** The same for the only exit of a step, which has no words. */
const BELOW_ALONE = 24;
const GAP = 4;
/** Height of the rows in which labels and steps that may be in the way are looked for. */
const ROW = 100;
/** Places that are tried for an exit. Beyond, its "+" may lie over others. */
const MAX_TRIES = 24;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** From the left of the step. */
export const portX = ({ ports, width }: CanvasStep, port: string): number =>
  (width * (ports.indexOf(port) + 1)) / (ports.length + 1);

/** Whether nothing else leaves the step, so that its "+" needs no words. */
export function isAlone({ steps, outgoing }: CanvasGraph, { from, port }: CanvasExit): boolean {
  const others = (outgoing.get(from) ?? []).some((edge) => edge.port.kind !== "start");
  return port.kind === "next" && !others && steps.get(from)?.ports.length === 1;
}

/** @returns Their centers, from the upper left corners of their steps. */
export function placeExits(
  graph: CanvasGraph,
  exits: readonly CanvasExit[],
  placed: PlacedSteps,
): ReadonlyMap<string, Point> {
  const places = new Map<string, Point>();
  if (exits.length === 0) return places;
  const taken = createTaken();
  for (const box of boxesOf(graph, placed)) taken.add(box);
  for (const exit of exits) {
    const step = graph.steps.get(exit.from);
    const corner = placed.points.get(exit.from);
    if (step === undefined || corner === undefined) continue;
    const at = { x: portX(step, portId(exit.port)), y: step.height + BELOW };
    if (isAlone(graph, exit)) {
      places.set(exit.id, { x: at.x, y: step.height + BELOW_ALONE });
      continue;
    }
    const [bend] = placed.bends.get(exit.id) ?? [];
    const wanted =
      bend === undefined ? { x: corner.x + at.x, y: corner.y + at.y } : { x: bend.x, y: (bend.top + bend.bottom) / 2 };
    const free = taken.freeBox(around(wanted, Math.max(labelWidth(exit), BUTTON), labelHeight(exit)));
    taken.add(free);
    places.set(exit.id, { x: free.x + free.width / 2 - corner.x, y: free.y + free.height / 2 - corner.y });
  }
  return places;
}

const around = ({ x, y }: Point, width: number, height: number): Box => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

/** What an exit must not lie over: steps, and what stands on edges. */
function* boxesOf({ steps, edges }: CanvasGraph, { points, bends }: PlacedSteps): Generator<Box, void> {
  for (const { id, width, height } of steps.values()) {
    const corner = points.get(id);
    if (corner !== undefined) yield { ...corner, width, height };
  }
  for (const edge of edges.values()) {
    const [from, to] = [steps.get(edge.from), steps.get(edge.to)];
    const [start, end] = [points.get(edge.from), points.get(edge.to)];
    if (from === undefined || to === undefined || start === undefined || end === undefined) continue;
    if (edge.port.kind === "start") continue;
    const line = edgeLine(
      { x: start.x + portX(from, portId(edge.port)), y: start.y + from.height },
      { x: end.x + to.width / 2, y: end.y },
      bends.get(edge.id) ?? [],
    );
    yield around(line.label, Math.max(labelWidth(edge), BUTTON), labelHeight(edge));
  }
}

/** Boxes in rows, so that only those nearby are compared. */
function createTaken() {
  const rows = new Map<number, Box[]>();
  const rowsOf = ({ y, height }: Box) => {
    const first = Math.floor(y / ROW);
    return Array.from({ length: Math.floor((y + height) / ROW) - first + 1 }, (_, index) => first + index);
  };
  const isOver = (one: Box, other: Box) =>
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height;

  return {
    add(box: Box): void {
      for (const row of rowsOf(box)) {
        const some = rows.get(row);
        if (some === undefined) rows.set(row, [box]);
        else some.push(box);
      }
    },
    /** The box, moved to the side as little as it must. */
    freeBox(box: Box): Box {
      const near = [...new Set(rowsOf(box).flatMap((row) => rows.get(row) ?? []))].filter(
        ({ y, height }) => y < box.y + box.height && box.y < y + height,
      );
      const isFree = (one: Box) => !near.some((other) => isOver(one, other));
      if (isFree(box)) return box;
      const tries = near
        .flatMap(({ x, width }) => [x + width + GAP, x - box.width - GAP])
        .sort((one, other) => Math.abs(one - box.x) - Math.abs(other - box.x))
        .slice(0, MAX_TRIES)
        .map((x) => ({ ...box, x }));
      return tries.find(isFree) ?? box;
    },
  };
}
