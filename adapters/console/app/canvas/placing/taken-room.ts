/** What is taken on the canvas by steps and labels, so that others find free room. Pure. */
import type { Point } from "./placement.ts";

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface TakenRoom {
  add(box: Box): void;
  /** The box, moved to the side as little as it must; as it is if there is no room nearby. */
  beside(box: Box): Box;
  /** The same, to the side, up or down. */
  near(box: Box): Box;
}

const GAP = 4;
/** Height of the rows in which labels and steps that may be in the way are looked for. */
const ROW = 100;
/** Places that are tried for a box. Beyond, it may lie over others. */
const MAX_TRIES = 24;
/** Boxes in the rows of a label beyond which no room is looked for: that would take too long, and be far away. */
const MAX_NEAR = 200;

export const boxAround = ({ x, y }: Point, width: number, height: number): Box => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

/** Boxes in rows, so that only those nearby are compared. */
export function createTakenRoom(): TakenRoom {
  const rows = new Map<number, Box[]>();
  const boxesIn = (top: number, bottom: number) => {
    const found = new Set<Box>();
    for (const row of rowsBetween(top, bottom)) for (const box of rows.get(row) ?? []) found.add(box);
    return [...found];
  };
  const countIn = (top: number, bottom: number) =>
    rowsBetween(top, bottom).reduce((count, row) => count + (rows.get(row)?.length ?? 0), 0);
  const isFree = (box: Box) => !boxesIn(box.y, box.y + box.height).some((other) => isOver(box, other));
  const nearest = (box: Box, places: readonly Point[]) =>
    places
      .toSorted((one, other) => distance(one, box) - distance(other, box))
      .slice(0, MAX_TRIES)
      .map((place) => ({ ...box, ...place }))
      .find(isFree) ?? box;

  return {
    add(box) {
      for (const row of rowsBetween(box.y, box.y + box.height)) {
        const some = rows.get(row);
        if (some === undefined) rows.set(row, [box]);
        else some.push(box);
      }
    },
    beside(box) {
      if (isFree(box)) return box;
      const level = boxesIn(box.y, box.y + box.height).filter((other) => isLevel(box, other));
      return nearest(
        box,
        level.flatMap((other) => sidesOf(box, other)),
      );
    },
    near(box) {
      const [top, bottom] = [box.y - box.height, box.y + 2 * box.height];
      if (countIn(top, bottom) > MAX_NEAR || isFree(box)) return box;
      return nearest(
        box,
        boxesIn(top, bottom).flatMap((other) => [
          ...(isLevel(box, other) ? sidesOf(box, other) : []),
          { x: box.x, y: other.y + other.height + GAP },
          { x: box.x, y: other.y - box.height - GAP },
        ]),
      );
    },
  };
}

function rowsBetween(top: number, bottom: number): readonly number[] {
  const first = Math.floor(top / ROW);
  return Array.from({ length: Math.floor(bottom / ROW) - first + 1 }, (_, index) => first + index);
}

const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);

/** Whether two boxes are beside each other. */
const isLevel = (one: Box, other: Box) => one.y < other.y + other.height && other.y < one.y + one.height;

const isOver = (one: Box, other: Box) =>
  isLevel(one, other) && one.x < other.x + other.width && other.x < one.x + one.width;

const sidesOf = (box: Box, { x, width }: Box): readonly Point[] => [
  { x: x + width + GAP, y: box.y },
  { x: x - box.width - GAP, y: box.y },
];
