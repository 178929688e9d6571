/** The line of an edge, and where its label stands. Pure. */
import type { Bend } from "../../../../../src/definitions/diagram/layout.ts";
import type { Point } from "./placement.ts";

export interface EdgeLine {
  readonly path: string;
  readonly label: Point;
}

const SIDE = 48;

/** Down from the bottom of a step through the bends to the top of another; around the side to one above. */
export function edgeLine(from: Point, to: Point, bends: readonly Bend[]): EdgeLine {
  if (bends.length === 0 && to.y < from.y + 8) return around(from, to);
  let { x, y } = from;
  let path = `M${x} ${y}`;
  for (const next of [...bends, { x: to.x, top: to.y, bottom: null }]) {
    const middle = (y + next.top) / 2;
    path += `C${x} ${middle} ${next.x} ${middle} ${next.x} ${next.top}`;
    if (next.bottom !== null) path += `V${next.bottom}`; // straight past what stands there
    [x, y] = [next.x, next.bottom ?? next.top];
  }
  // An edge without words passes the row of labels as well: there its "+" stands beside those of the others.
  const bend = bends.find(({ isLabel }) => isLabel) ?? bends[0];
  const label =
    bend === undefined
      ? { x: from.x + (to.x - from.x) * 0.5, y: from.y + (to.y - from.y) * 0.5 }
      : { x: bend.x, y: (bend.top + bend.bottom) / 2 };
  return { path, label };
}

function around(from: Point, to: Point): EdgeLine {
  const side = Math.max(from.x, to.x) + 2 * SIDE + Math.abs(from.x - to.x) / 4;
  const path = `M${from.x} ${from.y}C${from.x} ${from.y + SIDE} ${side} ${from.y + SIDE} ${side} ${(from.y + to.y) / 2}C${side} ${to.y - SIDE} ${to.x} ${to.y - SIDE} ${to.x} ${to.y}`;
  return { path, label: { x: side, y: (from.y + to.y) / 2 } };
}
