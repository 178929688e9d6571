/** Where the view of a canvas goes. */
import { describe, expect, it } from "vitest";
import { canvasGraphOf } from "../../adapters/console/app/canvas/canvas-graph.ts";
import { placeSteps } from "../../adapters/console/app/canvas/placing/place-steps.ts";
import { firstViewport, viewportKeeping, viewportShowing } from "../../adapters/console/app/canvas/viewport.ts";
import type { Step } from "../../src/workflows/step.ts";

const KEYS = Array.from({ length: 30 }, (_, n) => `step_${n}`);
const graph = canvasGraphOf(
  KEYS.map((key, n): Step => ({ type: "code", key, code: "return 1", destinations: KEYS.slice(n + 1, n + 2) })),
);
const placement = placeSteps(graph, false);
const room = { width: 620, height: 530, map: { width: 220, height: 190 }, buttons: { width: 56, height: 130 } };

/** The edges of a step on the screen. */
function edgesOf(id: string, { x, y, zoom }: { x: number; y: number; zoom: number }) {
  const point = placement.points.get(id) ?? { x: NaN, y: NaN };
  const { width, height } = graph.steps.get(id) ?? { width: NaN, height: NaN };
  const [left, top] = [point.x * zoom + x, point.y * zoom + y];
  return { left, top, right: left + width * zoom, bottom: top + height * zoom };
}

it("begins with the steps beside the map, where there is room", () => {
  const { left, right } = edgesOf("step_15", firstViewport(graph, placement, room, "step_15"));
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(room.width - room.map.width);
});

it("moves a step out from under the map", () => {
  const { x, y } = placement.points.get("step_15") ?? { x: NaN, y: NaN };
  const under = { x: room.width - 210 - x, y: room.height - 60 - y, zoom: 1 };
  const shown = viewportShowing(graph, placement, "step_15", under, room);
  expect(shown).not.toBe(null);
  const { right, bottom } = edgesOf("step_15", shown ?? under);
  expect(right <= room.width - room.map.width || bottom <= room.height - room.map.height).toBe(true);
  // Without a map, it is seen.
  const map = { width: 0, height: 0 };
  expect(viewportShowing(graph, placement, "step_15", under, { ...room, map })).toBe(null);
});

describe("a canvas that gets narrower", () => {
  const none = { width: 0, height: 0 };
  const [wide, narrow] = [
    { width: 1200, height: 700, map: none, buttons: none },
    { width: 775, height: 700, map: none, buttons: none },
  ];
  const at = (key: string, x: number, y: number): Step => ({ type: "code", key, code: "return 1", position: [x, y] });
  const drawn = canvasGraphOf([at("left", 0, 0), at("right", 400, 100)]);
  const placed = placeSteps(drawn, true);
  const keeping = (chosen: string | null, x: number) =>
    viewportKeeping(drawn, placed, chosen, { x, y: 100, zoom: 1 }, wide, narrow);

  it("moves the view by the least that shows all steps, with their open exits", () => {
    // "right" ends 608 px to the right of "left".
    expect(keeping("right", 340)).toEqual({ x: narrow.width - 32 - 608, y: 100, zoom: 1 });
    expect(keeping(null, 340)).toEqual({ x: narrow.width - 32 - 608, y: 100, zoom: 1 });
  });

  it("moves nothing while all that was seen still is", () => {
    expect(keeping("right", 100)).toBe(null);
  });

  it("moves nothing for steps that a person has moved out of view", () => {
    expect(keeping("right", 700)).toBe(null);
    expect(keeping(null, -100)).toBe(null);
  });

  it("keeps the chosen step where not all steps have room", () => {
    expect(
      viewportKeeping(drawn, placed, "right", { x: 340, y: 100, zoom: 1 }, wide, { ...narrow, width: 500 }),
    ).toEqual({
      ...{ x: 500 - 32 - 608, y: 100, zoom: 1 },
    });
    expect(viewportKeeping(drawn, placed, "left", { x: 40, y: 100, zoom: 1 }, wide, { ...narrow, width: 500 })).toBe(
      null,
    );
  });

  it("leaves the chosen step beside the map and the buttons, where it was seen before", () => {
    const map = { width: 200, height: 150 };
    const buttons = { width: 60, height: 200 };
    const [before, now] = [
      { ...wide, map, buttons },
      { ...narrow, map, buttons },
    ];
    const seen = (key: string, x: number, y: number) => {
      const view = { x, y, zoom: 1 };
      const next = viewportKeeping(drawn, placed, key, view, before, now) ?? view;
      return [viewportShowing(drawn, placed, key, view, before), viewportShowing(drawn, placed, key, next, now)];
    };
    expect(seen("right", 340, 500)).toEqual([null, null]);
    expect(seen("left", 100, 560)).toEqual([null, null]);
  });
});
