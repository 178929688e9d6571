/** Where the "+" of open exits stand: where the layout has kept room, else beside all labels and steps. Pure. */
import type { CanvasExit, CanvasGraph, CanvasStep } from "../canvas-graph.ts";
import { portId } from "../canvas-graph.ts";
import { BUTTON, labelHeight, labelWidth } from "./label-size.ts";
import type { PlacedSteps, Point } from "./placement.ts";
import { boxAround, type TakenRoom } from "./taken-room.ts";

/** From the bottom of a step to the middle of the labels below it. */
const BELOW = 45;
/** The same for the only exit of a step, which has no words. */
const BELOW_ALONE = 24;

/** From the left of the step. */
export const portX = ({ ports, width }: CanvasStep, port: string): number =>
  (width * (ports.indexOf(port) + 1)) / (ports.length + 1);

/** Whether nothing else leaves the step, so that its "+" needs no words. */
export function isAlone({ steps, outgoing }: CanvasGraph, { from, port }: CanvasExit): boolean {
  const others = (outgoing.get(from) ?? []).some((edge) => edge.port.kind !== "start");
  return port.kind === "next" && !others && steps.get(from)?.ports.length === 1;
}

/**
 * @param taken Room of steps and of what stands on edges.
 * @returns Their centers, from the upper left corners of their steps.
 */
export function placeExits(
  graph: CanvasGraph,
  exits: readonly CanvasExit[],
  placed: PlacedSteps,
  taken: TakenRoom,
): ReadonlyMap<string, Point> {
  const places = new Map<string, Point>();
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
    const free = taken.beside(boxAround(wanted, Math.max(labelWidth(exit), BUTTON), labelHeight(exit)));
    taken.add(free);
    places.set(exit.id, { x: free.x + free.width / 2 - corner.x, y: free.y + free.height / 2 - corner.y });
  }
  return places;
}
