/** Where the steps of a canvas stand: at the author's positions, else by the layout, else below what leads to them. Pure. */
import { layoutOf } from "../../../../../src/definitions/diagram/layout.ts";
import {
  type CanvasEdge,
  type CanvasExit,
  type CanvasGraph,
  type CanvasStep,
  exitId,
  portId,
} from "../canvas-graph.ts";
import { BUTTON, labelWidth } from "./label-size.ts";
import { isAlone, placeExits } from "./place-exits.ts";
import { placeLabels } from "./place-labels.ts";
import type { PlacedSteps, Placement, Point } from "./placement.ts";
import { createRows } from "./rows.ts";
import { stepsInOrder } from "./steps-in-order.ts";
import { createTakenRoom } from "./taken-room.ts";

const GAP_X = 36;
const GAP_Y = 56;
const LABEL_HEIGHT = 34;

/** @param hasExits Whether edges and open exits have a "+". */
export function placeSteps(graph: CanvasGraph, hasExits: boolean): Placement {
  const steps = [...graph.steps.values()];
  const exits = hasExits ? [...graph.exits.values()] : [];
  const isPlacedByAuthor = steps.some(({ position }) => position !== null);
  const inLayers = placeInLayers(graph, steps, exits);
  const placed = isPlacedByAuthor ? withBends(placeAmong(graph, steps), graph, exits, inLayers) : inLayers;
  const taken = createTakenRoom();
  const labels = placeLabels(graph, placed, hasExits, taken);
  return { ...placed, labels, exits: placeExits(graph, exits, placed, taken) };
}

/** Distances up to which a step still stands where the layout has put it. */
const NEAR_X = 64;
const NEAR_Y = 24;

/** The lines between steps that have hardly been moved run as the layout has laid them: past other steps. */
function withBends(
  { points }: Pick<PlacedSteps, "points">,
  { edges }: CanvasGraph,
  exits: readonly CanvasExit[],
  inLayers: PlacedSteps,
): PlacedSteps {
  const isNear = (id: string) => {
    const [at, laid] = [points.get(id), inLayers.points.get(id)];
    return (
      at !== undefined && laid !== undefined && isBetween(at.x - laid.x, NEAR_X) && isBetween(at.y - laid.y, NEAR_Y)
    );
  };
  const near = new Set([
    ...[...edges.values()].filter(({ from, to }) => isNear(from) && isNear(to)).map(({ id }) => id),
    ...exits.filter(({ from }) => isNear(from)).map(({ id }) => id),
  ]);
  return { points, bends: new Map([...inLayers.bends].filter(([id]) => near.has(id))) };
}

const isBetween = (distance: number, most: number) => Math.abs(distance) <= most;

/** Edges, and exits with words. Each exit stands in the order of the ports of its step, so that lines cross less. */
function linesOf(graph: CanvasGraph, exits: readonly CanvasExit[]): (CanvasEdge | CanvasExit)[] {
  const labelled = exits.filter((exit) => !isAlone(graph, exit));
  const edges = [...graph.edges.values()];
  if (labelled.length === 0) return edges;
  const ports = [...graph.steps.values()].flatMap(({ id, ports }) => ports.map((port) => exitId(id, port)));
  const rank = new Map(ports.map((port, index) => [port, index]));
  const rankOf = ({ from, port }: CanvasEdge | CanvasExit) => rank.get(exitId(from, portId(port))) ?? ports.length;
  return [...edges, ...labelled].sort((one, other) => rankOf(one) - rankOf(other));
}

function placeInLayers(graph: CanvasGraph, steps: readonly CanvasStep[], exits: readonly CanvasExit[]): PlacedSteps {
  const lines = linesOf(graph, exits);
  const indexOf = new Map(steps.map(({ id }, index) => [id, index]));
  const width = steps.reduce((most, step) => Math.max(most, step.width), 0);
  const height = steps.reduce((most, step) => Math.max(most, step.height), 0);
  const layout = layoutOf(
    steps.length,
    lines.map((line) => ({
      from: indexOf.get(line.from) ?? 0,
      to: "to" in line ? (indexOf.get(line.to) ?? 0) : null,
      labelWidth: "to" in line ? labelWidth(line) : Math.max(labelWidth(line), BUTTON),
    })),
    { width, height, labelHeight: LABEL_HEIGHT, gapX: GAP_X, gapY: GAP_Y },
  );
  const points = steps.map((step, index): [string, Point] => {
    const { x, y } = layout.places[index] ?? { x: 0, y: 0 };
    return [step.id, { x: Math.round(x - step.width / 2), y: Math.round(y - step.height / 2) }];
  });
  return {
    points: new Map(points),
    bends: new Map(lines.map(({ id }, index) => [id, layout.bends[index] ?? []])),
  };
}

function placeAmong(graph: CanvasGraph, steps: readonly CanvasStep[]): Pick<PlacedSteps, "points"> {
  const points = new Map<string, Point>();
  const rows = createRows();
  const put = ({ id, width, height }: CanvasStep, point: Point) => {
    points.set(id, point);
    rows.add({ ...point, width, height });
  };
  for (const step of steps) if (step.position !== null) put(step, { x: step.position[0], y: step.position[1] });
  const bottom = steps.reduce((most, { position, height }) => Math.max(most, (position?.[1] ?? 0) + height), 0);
  const left = steps.reduce((least, { position }) => Math.min(least, position?.[0] ?? Infinity), Infinity);
  for (const id of stepsInOrder(graph)) {
    const step = graph.steps.get(id);
    if (step === undefined || points.has(id)) continue;
    const { width, height } = step;
    const wanted = belowParents(graph, step, points) ??
      aboveChildren(graph, step, points) ?? { x: left, y: bottom + GAP_Y };
    put(step, { x: rows.freeRightOf({ ...wanted, width, height }, GAP_X / 2), y: wanted.y });
  }
  return { points };
}

function belowParents(graph: CanvasGraph, step: CanvasStep, points: PlacedSteps["points"]): Point | null {
  const parents = (graph.incoming.get(step.id) ?? []).flatMap(({ from }) => boxOf(graph, from, points));
  if (parents.length === 0) return null;
  const middle = parents.reduce((sum, { x, width }) => sum + x + width / 2, 0) / parents.length;
  const bottom = parents.reduce((most, { y, height }) => Math.max(most, y + height), -Infinity);
  return { x: Math.round(middle - step.width / 2), y: bottom + GAP_Y };
}

function aboveChildren(graph: CanvasGraph, step: CanvasStep, points: PlacedSteps["points"]): Point | null {
  const children = (graph.outgoing.get(step.id) ?? []).flatMap(({ to }) => boxOf(graph, to, points));
  if (children.length === 0) return null;
  const top = children.reduce((least, { y }) => Math.min(least, y), Infinity);
  return { x: children[0]?.x ?? 0, y: top - GAP_Y - step.height };
}

function boxOf({ steps }: CanvasGraph, id: string, points: PlacedSteps["points"]) {
  const step = steps.get(id);
  const point = points.get(id);
  return step === undefined || point === undefined ? [] : [{ ...point, width: step.width, height: step.height }];
}
