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
  /** Whether nothing is there. Also where there is too much to look at. */
  isFree(box: Box): boolean;
  /** The box, moved to the nearest free place on a line, else directly beside it; as it is if there is none. */
  along(box: Box, line: readonly Point[]): Box;
}

const GAP = 4;
/** Sizes of the cells in which labels and steps that may be in the way are looked for. Steps are wider than they are high. */
const ROW = 100;
const COLUMN = 500;
/** More than the columns between the rows of two cells. */
const ROW_STEP = 65_536;
/** How far to its sides room is looked for. */
const REACH = 2_000;
/** Places that are tried for a box. Beyond, it may lie over others. */
const MAX_TRIES = 24;
/** Places beside a line that are tried, of which each of its points has eight. */
const MAX_TRIES_BESIDE = 120;
/** Boxes near another one beyond which no room is looked for: that would take too long, and be far away. */
const MAX_NEAR = 400;
/** Boxes in the cells of a place beyond which it is not looked at. */
const MAX_IN_CELLS = 100;

export const boxAround = ({ x, y }: Point, width: number, height: number): Box => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

/** Boxes in cells, so that only those nearby are compared. */
export function createTakenRoom(): TakenRoom {
  const cells = new Map<number, Box[]>();
  const boxesIn = (area: Box) => [...new Set(cellsOf(area).flatMap((cell) => cells.get(cell) ?? []))];
  const countIn = (area: Box) => cellsOf(area).reduce((count, cell) => count + (cells.get(cell)?.length ?? 0), 0);
  const isFree = (box: Box) =>
    !cellsOf(box).some((cell) => cells.get(cell)?.some((other) => isOver(box, other)) === true);
  const isCrowded = (box: Box) => countIn(box) > MAX_IN_CELLS;
  const nearest = (box: Box, places: readonly Point[], most = MAX_TRIES) =>
    places
      .toSorted((one, other) => distance(one, box) - distance(other, box))
      .slice(0, most)
      .map((place) => ({ ...box, ...place }))
      .find((one) => !isCrowded(one) && isFree(one)) ?? box;

  return {
    add(box) {
      for (const cell of cellsOf(box)) {
        const some = cells.get(cell);
        if (some === undefined) cells.set(cell, [box]);
        else some.push(box);
      }
    },
    beside(box) {
      const area = widened(box);
      if (countIn(area) > MAX_NEAR || isFree(box)) return box;
      const level = boxesIn(area).filter((other) => isLevel(box, other));
      return nearest(
        box,
        level.flatMap((other) => sidesOf(box, other)),
      );
    },
    isFree: (box) => isCrowded(box) || isFree(box),
    along(box, line) {
      if (isCrowded(box)) return box;
      const on = nearest(
        box,
        line.map((point) => boxAround(point, box.width, box.height)),
      );
      if (on !== box) return on;
      return nearest(
        box,
        line.flatMap((point) => placesBeside(box, point)),
        MAX_TRIES_BESIDE,
      );
    },
  };
}

/** The cells that a box reaches. */
function cellsOf({ x, y, width, height }: Box): readonly number[] {
  const columns = partsBetween(x, x + width, COLUMN);
  return partsBetween(y, y + height, ROW).flatMap((row) => columns.map((column) => row * ROW_STEP + column));
}

function partsBetween(start: number, end: number, size: number): readonly number[] {
  const first = Math.floor(start / size);
  return Array.from({ length: Math.floor(end / size) - first + 1 }, (_, index) => first + index);
}

const widened = (box: Box): Box => ({ ...box, x: box.x - REACH, width: box.width + 2 * REACH });

const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);

/** Whether two boxes are beside each other. */
export const isLevel = (one: Box, other: Box) => one.y < other.y + other.height && other.y < one.y + one.height;

const isOver = (one: Box, other: Box) =>
  isLevel(one, other) && one.x < other.x + other.width && other.x < one.x + one.width;

const sidesOf = (box: Box, { x, width }: Box): readonly Point[] => [
  { x: x + width + GAP, y: box.y },
  { x: x - box.width - GAP, y: box.y },
];

/** Where a box is directly beside a point, with a side or a corner. */
function placesBeside({ width, height }: Box, { x, y }: Point): readonly Point[] {
  const [left, middle, right] = [x - width - GAP, x - width / 2, x + GAP];
  const [above, level, below] = [y - height - GAP, y - height / 2, y + GAP];
  return [
    { x: left, y: level },
    { x: right, y: level },
    ...[left, middle, right].flatMap((across) => [
      { x: across, y: above },
      { x: across, y: below },
    ]),
  ];
}
