/** What of a canvas is seen at first, and when a step takes the focus. */
import type { Viewport } from "@xyflow/react";
import { isMotionReduced } from "../settings/settings.ts";
import type { CanvasGraph } from "./canvas-graph.ts";
import { BUTTON, labelHeight, labelWidth } from "./placing/label-size.ts";
import type { Placement, Point } from "./placing/placement.ts";

const MARGIN = 32;
/** Between a step and the map, or the buttons. */
const GAP = 8;
/** Smaller at first, and texts can't be read. */
const MIN_FIRST_ZOOM = 0.7;
/** On a phone, where it is better to see all steps. */
const MIN_PHONE_ZOOM = 0.45;
const PHONE_WIDTH = 480;
export const MIN_ZOOM = 0.05;

/** Milliseconds of a movement. */
export const motionMs = (): number => (isMotionReduced() ? 0 : 200);

interface Size {
  readonly width: number;
  readonly height: number;
}

type Bounds = Point & Size;

/** Where the steps are shown. */
export interface Room extends Size {
  /** What the map covers, at the lower right; 0 without one. */
  readonly map: Size;
  /** What the buttons cover, at the lower left. */
  readonly buttons: Size;
}

export function roomOf(element: Element): Room {
  const { width, height, left, right, bottom } = element.getBoundingClientRect();
  const map = element.querySelector(".canvas-map")?.getBoundingClientRect();
  // It is not drawn where there is little room.
  const covered = map?.width ? { width: right - map.left + GAP, height: bottom - map.top + GAP } : NONE;
  const shown = element.querySelector(".canvas-controls")?.getBoundingClientRect();
  const buttons = shown?.width ? { width: shown.right - left + GAP, height: bottom - shown.top + GAP } : NONE;
  return { width, height, map: covered, buttons };
}

const NONE: Size = { width: 0, height: 0 };

/** Everything, however small. */
export function wholeViewport(graph: CanvasGraph, placement: Placement, room: Room): Viewport {
  const { x, y, width, height } = boundsOf(graph, placement);
  const zoom = Math.min((room.width - 2 * MARGIN) / width, (room.height - 2 * MARGIN) / height, 1);
  return centered({ x: x + width / 2, y: y + height / 2 }, width, Math.max(zoom, MIN_ZOOM), room);
}

/** Everything if it can be read; else its beginning, or the chosen step. */
export function firstViewport(graph: CanvasGraph, placement: Placement, room: Room, chosen: string | null): Viewport {
  const whole = wholeViewport(graph, placement, room);
  const least = room.width < PHONE_WIDTH ? MIN_PHONE_ZOOM : MIN_FIRST_ZOOM;
  if (whole.zoom >= least) return whole;
  const box = boundsOf(graph, placement);
  const zoom = Math.min(1, Math.max(least, (room.width - 2 * MARGIN) / box.width));
  const first = graph.order.find((one) => graph.steps.get(one)?.type !== "note");
  const id = chosen !== null && placement.points.has(chosen) ? chosen : (first ?? "");
  const point = placement.points.get(id) ?? box;
  const step = graph.steps.get(id) ?? { width: 0, height: 0 };
  const isWide = box.width * zoom > room.width - 2 * MARGIN;
  const x = isWide ? point.x + step.width / 2 : box.x + box.width / 2;
  const half = room.height / 2 / zoom - MARGIN;
  const y = Math.max(box.y + half, Math.min(box.y + box.height - half, point.y + step.height / 2));
  return centered({ x, y }, isWide ? step.width : box.width, zoom, room);
}

/** @param width Of what is around the point: it stands beside the map, where there is room. */
function centered({ x, y }: Point, width: number, zoom: number, room: Room): Viewport {
  const half = (width * zoom) / 2;
  const beside = Math.min(room.width / 2, room.width - room.map.width - half);
  const center = beside >= half ? beside : room.width / 2;
  return { x: center - x * zoom, y: room.height / 2 - y * zoom, zoom };
}

/** With the "+" of open exits and their words. @param only A step: the bounds of that alone. @default all steps */
function boundsOf(graph: CanvasGraph, { points, exits }: Placement, only?: string): Bounds {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const take = (x: number, y: number, width: number, height: number) => {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  };
  for (const [id, { x, y }] of points) {
    if (only !== undefined && id !== only) continue;
    const { width = 0, height = 0 } = graph.steps.get(id) ?? {};
    take(x, y, width, height);
  }
  for (const [id, { x, y }] of exits) {
    const exit = graph.exits.get(id);
    const corner = exit === undefined ? undefined : points.get(exit.from);
    if (exit === undefined || corner === undefined || (only !== undefined && exit.from !== only)) continue;
    const [width, height] = [Math.max(labelWidth(exit), BUTTON), labelHeight(exit)];
    take(corner.x + x - width / 2, corner.y + y - height / 2, width, height);
  }
  if (left > right) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}

/** @returns Where the view goes so that a step is seen; null if it is seen. */
export function viewportShowing(
  graph: CanvasGraph,
  placement: Placement,
  id: string,
  view: Viewport,
  room: Room,
): Viewport | null {
  const point = placement.points.get(id);
  const step = graph.steps.get(id);
  if (point === undefined || step === undefined) return null;
  const { width, height } = step;
  if (isSeen(drawnIn(view, { ...point, width, height }), room)) return null;
  return centered({ x: point.x + width / 2, y: point.y + height / 2 }, width, view.zoom, room);
}

/** Whether something is in the room, and neither under the map nor under the buttons. */
function isSeen({ x, y, width, height }: Bounds, room: Room): boolean {
  const isUnderMap = x + width > room.width - room.map.width && y + height > room.height - room.map.height;
  const areButtonsOver = x < room.buttons.width && y + height > room.height - room.buttons.height;
  return isIn(room, { x, y, width, height }) && !isUnderMap && !areButtonsOver;
}

/**
 * Where the view goes when its room has changed, so that what was seen is seen: all steps, else the chosen one, each with
 * its open exits. As little as it must, but a chosen step does not come to lie under the map or the buttons.
 *
 * @returns null if nothing that was seen is cut or covered, or if it has no room.
 */
export function viewportKeeping(
  graph: CanvasGraph,
  placement: Placement,
  chosen: string | null,
  view: Viewport,
  before: Room,
  now: Room,
): Viewport | null {
  const wasSeen = chosen !== null && viewportShowing(graph, placement, chosen, view, before) === null;
  const inRoom = keptInRoom(graph, placement, chosen, view, before, now);
  return (wasSeen ? viewportShowing(graph, placement, chosen, inRoom ?? view, now) : null) ?? inRoom;
}

function keptInRoom(
  graph: CanvasGraph,
  placement: Placement,
  chosen: string | null,
  view: Viewport,
  before: Size,
  now: Size,
): Viewport | null {
  const hasChosen = chosen !== null && placement.points.has(chosen);
  const kept = [boundsOf(graph, placement), ...(hasChosen ? [boundsOf(graph, placement, chosen)] : [])]
    .map((bounds) => drawnIn(view, bounds))
    .find((box) => isIn(before, box) && box.width <= now.width && box.height <= now.height);
  if (kept === undefined || isIn(now, kept)) return null;
  const x = view.x + shift(kept.x, kept.width, now.width);
  return { ...view, x, y: view.y + shift(kept.y, kept.height, now.height) };
}

const drawnIn = ({ x, y, zoom }: Viewport, bounds: Bounds): Bounds => ({
  x: bounds.x * zoom + x,
  y: bounds.y * zoom + y,
  width: bounds.width * zoom,
  height: bounds.height * zoom,
});

const isIn = (room: Size, { x, y, width, height }: Bounds) =>
  x >= 0 && y >= 0 && x + width <= room.width && y + height <= room.height;

/** How far something that is cut moves into its room. */
function shift(start: number, length: number, room: number): number {
  const margin = Math.min(MARGIN, (room - length) / 2);
  if (start < 0) return margin - start;
  return start + length > room ? room - margin - length - start : 0;
}
