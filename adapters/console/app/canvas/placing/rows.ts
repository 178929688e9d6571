/** Boxes in rows, each from left to right, so that free room to the right of a place is found in one walk. Pure. */
import { type Box, isLevel } from "./taken-room.ts";

export interface Rows {
  add(box: Box): void;
  /**
   * The least x, not left of the box, at which the box covers no other; right of them all where too many are in the way.
   * @param gap Least distance to both sides
   */
  freeRightOf(box: Box, gap: number): number;
}

const ROW = 200;
/** Boxes of a row that are looked at for one place. Beyond, it is at the end of the row. */
const MAX_LOOKS = 100;

interface Row {
  /** By their left sides. */
  readonly boxes: Box[];
  /** Right side of the last one. */
  end: number;
}

export function createRows(): Rows {
  const rows = new Map<number, Row>();
  let widest = 0;

  function rowAt(index: number): Row {
    const row = rows.get(index) ?? { boxes: [], end: -Infinity };
    rows.set(index, row);
    return row;
  }

  return {
    add(box) {
      widest = Math.max(widest, box.width);
      for (const row of rowsOf(box).map(rowAt)) {
        row.boxes.splice(firstRightOf(row.boxes, box.x), 0, box);
        row.end = Math.max(row.end, box.x + box.width);
      }
    },
    freeRightOf(box, gap) {
      let { x } = box;
      const walks = rowsOf(box).map((index) => {
        const { boxes, end } = rowAt(index);
        const first = firstRightOf(boxes, x - widest - gap);
        return { boxes, end, next: first, last: first + MAX_LOOKS };
      });
      // A box that was passed stays passed, because x only grows: each is looked at once, also by several rows.
      const pass = (row: (typeof walks)[number]) => {
        const before = row.next;
        for (; row.next < row.boxes.length; row.next++) {
          const other = row.boxes[row.next];
          if (other === undefined || other.x >= x + box.width + gap) break;
          if (row.next === row.last) {
            x = Math.max(x, row.end + 2 * gap);
            row.next = row.boxes.length;
          } else if (isLevel(box, other) && x < other.x + other.width + gap) x = other.x + other.width + 2 * gap;
        }
        return row.next > before;
      };
      let hasPassed = true;
      while (hasPassed) hasPassed = walks.map(pass).includes(true);
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
