/** Free room to the right, in rows of steps. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createRows } from "../../../adapters/console/app/canvas/placing/rows.ts";
import type { Box } from "../../../adapters/console/app/canvas/placing/taken-room.ts";

const GAP = 18;

const boxes = fc.array(
  fc.record({
    x: fc.integer({ min: -500, max: 500 }),
    y: fc.integer({ min: -300, max: 300 }),
    width: fc.integer({ min: 1, max: 300 }),
    height: fc.integer({ min: 1, max: 500 }),
  }),
  { maxLength: 30 },
);

const isFree = (box: Box, others: readonly Box[]) =>
  !others.some(
    ({ x, y, width, height }) =>
      y < box.y + box.height && box.y < y + height && x < box.x + box.width + GAP && box.x < x + width + GAP,
  );

it("covers no other step, and moves none that stands free", () => {
  fc.assert(
    fc.property(boxes, (given) => {
      const rows = createRows();
      const placed: Box[] = [];
      for (const box of [...given, ...given]) {
        const x = rows.freeRightOf(box, GAP);
        expect(isFree(box, placed)).toBe(x === box.x);
        expect(isFree({ ...box, x }, placed)).toBe(true);
        placed.push({ ...box, x });
        rows.add({ ...box, x });
      }
    }),
  );
});

it("looks at few steps, also where those of several rows are in the way by turns", () => {
  const rows = createRows();
  let looks = 0;
  const steps = 2_000;
  for (let index = 0; index < steps; index++) {
    rows.add({
      get x() {
        looks += 1;
        return index * 100;
      },
      y: (index % 2) * 250,
      width: 100,
      height: 50,
    });
  }
  looks = 0;
  expect(rows.freeRightOf({ x: 0, y: 0, width: 10, height: 300 }, GAP)).toBe(steps * 100 + 2 * GAP);
  expect(looks).toBeLessThan(steps);
});

it("does not pass all steps again for each of those that want nearly the same place", () => {
  const rows = createRows();
  let looks = 0;
  const steps = 2_000;
  for (let index = 0; index < steps; index++) {
    const x = rows.freeRightOf({ x: index / steps, y: 0, width: 100, height: 50 }, GAP);
    expect(x).toBe(index * (100 + 2 * GAP));
    rows.add({
      get x() {
        looks += 1;
        return x;
      },
      y: 0,
      width: 100,
      height: 50,
    });
  }
  expect(looks).toBeLessThan(500 * steps);
});
