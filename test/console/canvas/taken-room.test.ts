/** Free room among what stands on the canvas. */
import { expect, it } from "vitest";
import { createTakenRoom } from "../../../adapters/console/app/canvas/placing/taken-room.ts";

const STEPS = 2_000;

/** A row of steps, and how often one of them was looked at. */
function createRow(distance: number) {
  const room = createTakenRoom();
  let looks = 0;
  for (let index = 0; index < STEPS; index++) {
    room.add({
      get x() {
        looks += 1;
        return index * distance;
      },
      y: 0,
      width: 200,
      height: 50,
    });
  }
  looks = 0;
  return { room, looks: () => looks };
}

it("is looked for among the steps nearby, however many stand in a row", () => {
  const { room, looks } = createRow(200);
  const label = { x: 199_950, y: 10, width: 100, height: 40 };
  expect(room.beside(label)).toEqual(label);
  const down = Array.from({ length: 20 }, (_, index) => ({ x: 200_000, y: 30 + 5 * index }));
  expect(room.isFree(label)).toBe(false);
  expect(room.along(label, down)).toEqual({ ...label, y: 50 });
  expect(looks()).toBeLessThan(STEPS);
});

it("is not looked for among thousands of steps at one place", () => {
  const { room, looks } = createRow(0);
  for (const label of [
    { x: 50, y: 10, width: 100, height: 40 },
    { x: 50, y: 60, width: 100, height: 40 },
  ]) {
    expect(room.beside(label)).toEqual(label);
    expect(room.isFree(label)).toBe(true);
    expect(room.along(label, [{ x: 100, y: 30 }])).toEqual(label);
  }
  expect(looks()).toBe(0);
});

it("is taken at the end of a row, and at the far side of a large note", () => {
  const { room } = createRow(200);
  expect(room.beside({ x: -20, y: 10, width: 100, height: 40 })).toMatchObject({ x: -104, y: 10 });
  room.add({ x: 0, y: 200, width: 10_000, height: 5_000 });
  expect(room.beside({ x: 9_000, y: 1_000, width: 100, height: 40 })).toMatchObject({ x: 10_004, y: 1_000 });
});
