/** The order of runs in lists: by the time of their creation, and within a millisecond as they were created. */
import { expect, it } from "vitest";
import { createIds } from "../../src/ids.ts";
import { createdFrom, createdUntil, orderOfRun } from "../../src/runs/run-rows.ts";
import { instant } from "../../src/time/iso.ts";
import { systemClock } from "../../src/time/system-clock.ts";

const START = Date.parse("2026-11-29T12:00:00.000Z");

/** Ids of these milliseconds, in their order. */
function idsAt(...times: readonly number[]): string[] {
  let now = 0;
  const ids = createIds({ ...systemClock, now: () => now });
  return times.map((time) => {
    now = START + time;
    return ids.next("run");
  });
}

/** What lists sort by. */
const place = (id: string, created: number) => [orderOfRun({ id, created_at: instant(START + created) }), id].join(" ");

it("a run whose id was chosen in the millisecond before comes before one that was created after it", () => {
  const [one = "", two = "", three = "", four = ""] = idsAt(0, 0, 1, 1);
  const places = [place(one, 0), place(two, 1), place(three, 1), place(four, 1)];
  expect(places).toEqual(places.toSorted());
});

it("runs whose ids were chosen a while before keep the order of their ids", () => {
  const [one = "", two = "", three = ""] = idsAt(0, 3, 5);
  const places = [place(one, 5), place(two, 5), place(three, 5)];
  expect(places).toEqual(places.toSorted());
});

it.each(["run_00000000000000000000000000", "run_zzzzzzzzzzzzzzzzzzzzzzzzzz"])(
  "an id without a time comes last: %s",
  (id) => {
    const [parent = "", next = ""] = idsAt(1, 2);
    const places = [place(parent, 1), place(id, 1), place(next, 2)];
    expect(places).toEqual(places.toSorted());
  },
);

it("the limits of a time enclose all runs of it", () => {
  const [one = "", two = ""] = idsAt(0, 1);
  for (const id of [one, two, "run_00000000000000000000000000"]) {
    const order = orderOfRun({ id, created_at: instant(START + 1) });
    expect(order >= createdFrom(START + 1) && order <= createdUntil(START + 1)).toBe(true);
    expect(order > createdUntil(START) && order < createdFrom(START + 2)).toBe(true);
  }
});
