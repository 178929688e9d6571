/** Boxes in rows, each from left to right, so that free room to the right of a place is found in one walk. Pure. */
import { type Box, isLevel } from "./taken-room.ts";

export interface Rows {
  add(box: Box): void;
  /** The least x, not left of the box, at which the box covers no other. @param gap Least distance to both sides. */
  freeRightOf(box: Box, gap: number): number;
}

const ROW = 200;

export function createRows(): Rows {
  const rows = new Map<number, Box[]>();
  let widest = 0;
  // Many boxes want the same place: below the step that leads to all of them. Boxes are never taken out, so that
  // what was passed for one is passed for the next one.
  const passed = new Map<string, number>();

  return {
    add(box) {
      widest = Math.max(widest, box.width);
      for (const row of rowsOf(box)) {
        const boxes = rows.get(row);
        if (boxes === undefined) rows.set(row, [box]);
        else boxes.splice(firstRightOf(boxes, box.x), 0, box);
      }
    },
    freeRightOf(box, gap) {
      const place = [box.x, box.y, box.width, box.height, gap].join(" ");
      let x = passed.get(place) ?? box.x;
      const near = rowsOf(box).map((row) => {
        const boxes = rows.get(row) ?? [];
        return { boxes, next: firstRightOf(boxes, x - widest - gap) };
      });
      // A box that was passed stays passed, because x only grows: each is looked at once, also by several rows.
      const pass = (row: (typeof near)[number]) => {
        const before = row.next;
        for (; row.next < row.boxes.length; row.next++) {
          const other = row.boxes[row.next];
          if (other === undefined || other.x >= x + box.width + gap) break;
          if (isLevel(box, other) && x < other.x + other.width + gap) x = other.x + other.width + 2 * gap;
        }
        return row.next > before;
      };
      let hasPassed = true;
      while (hasPassed) hasPassed = near.map(pass).includes(true);
      passed.set(place, x);
      return x;
    },
  };
}

function rowsOf({ y, height }: Box): readonly number[] {
  const first = Math.floor(y / ROW);
  return Array.from({ length: Math.floor((y + height) / ROW) - first + 1 }, (_, index) => first + index);
}

/** Index of the first of the boxes, which are ordered, that is right of x. */
function firstRightOf(boxes: readonly Box[], x: number): number {
  let [start, end] = [0, boxes.length];
  while (start < end) {
    const middle = (start + end) >>> 1;
    if ((boxes[middle]?.x ?? Infinity) > x) end = middle;
    else start = middle + 1;
  }
  return start;
}
