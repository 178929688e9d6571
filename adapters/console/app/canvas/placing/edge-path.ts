/** The line of an edge, and where its label stands. Pure. */
import type { Bend } from "../../../../../src/definitions/diagram/layout.ts";
import type { Point } from "./placement.ts";

/** A part of a line: its ends, and between them the control points of a Bézier curve. It is straight if they are the ends. */
export type Curve = readonly [from: Point, first: Point, second: Point, to: Point];

export interface EdgeLine {
  readonly path: string;
  readonly label: Point;
  readonly curves: readonly Curve[];
}

const SIDE = 48;

/** Down from the bottom of a step through the bends to the top of another; around the side to one above. */
export function edgeLine(from: Point, to: Point, bends: readonly Bend[]): EdgeLine {
  if (bends.length === 0 && to.y < from.y + 8) return around(from, to);
  const curves: Curve[] = [];
  let at = from;
  for (const { x, top, bottom } of [...bends, { x: to.x, top: to.y, bottom: null }]) {
    const next = { x, y: top };
    const middle = (at.y + top) / 2;
    curves.push([at, { x: at.x, y: middle }, { x, y: middle }, next]);
    at = next;
    if (bottom === null) continue;
    at = { x, y: bottom };
    curves.push([next, next, at, at]); // straight past what stands there
  }
  // An edge without words passes the row of labels as well: there its "+" stands beside those of the others.
  const bend = bends.find(({ isLabel }) => isLabel) ?? bends[0];
  const label =
    bend === undefined
      ? { x: from.x + (to.x - from.x) * 0.5, y: from.y + (to.y - from.y) * 0.5 }
      : { x: bend.x, y: (bend.top + bend.bottom) / 2 };
  return { path: pathOf(curves), label, curves };
}

function around(from: Point, to: Point): EdgeLine {
  const x = Math.max(from.x, to.x) + 2 * SIDE + Math.abs(from.x - to.x) / 4;
  const middle = { x, y: (from.y + to.y) / 2 };
  const curves: readonly Curve[] = [
    [from, { x: from.x, y: from.y + SIDE }, { x, y: from.y + SIDE }, middle],
    [middle, { x, y: to.y - SIDE }, { x: to.x, y: to.y - SIDE }, to],
  ];
  return { path: pathOf(curves), label: middle, curves };
}

function pathOf(curves: readonly Curve[]): string {
  const parts = curves.map(([from, first, second, to]) =>
    from === first ? `V${to.y}` : `C${first.x} ${first.y} ${second.x} ${second.y} ${to.x} ${to.y}`,
  );
  const start = curves[0]?.[0] ?? { x: 0, y: 0 };
  return `M${start.x} ${start.y}${parts.join("")}`;
}

/** Points of each part of a line. */
const POINTS = 16;

/** Points of a line, without its ends: a label there would lie over what says where it comes from and leads to. */
export function pointsOf({ curves }: EdgeLine): readonly Point[] {
  return curves.flatMap((curve) =>
    Array.from({ length: POINTS - 1 }, (_, index) => pointAt(curve, (index + 1) / POINTS)),
  );
}

function pointAt([from, first, second, to]: Curve, share: number): Point {
  const rest = 1 - share;
  const shares = [rest ** 3, 3 * rest ** 2 * share, 3 * rest * share ** 2, share ** 3] as const;
  return {
    x: from.x * shares[0] + first.x * shares[1] + second.x * shares[2] + to.x * shares[3],
    y: from.y * shares[0] + first.y * shares[1] + second.y * shares[2] + to.y * shares[3],
  };
}
