/** The labels of the time axis of a run. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { labelledMoments } from "../../adapters/console/app/run/waterfall/axis-labels.ts";
import { timeAxis } from "../../adapters/console/app/run/waterfall/time-axis.ts";

const axis578 = timeAxis({ from: 0, to: 578 }, [{ from: 0, to: 578 }]);

describe("the labels of a time axis", () => {
  it.each([
    [200, [0, 200, 400]],
    [300, [0, 200, 400]],
    [700, [0, 100, 200, 300, 400, 500]],
    [40, [0]],
  ])("are as many as have room in %i pixels", (width, moments) => {
    expect(labelledMoments(axis578, width)).toEqual(moments);
  });

  it("stand before and after a wait, too", () => {
    const busy = [
      { from: 0, to: 600 },
      { from: 9_600, to: 10_000 },
    ];
    const labels = labelledMoments(timeAxis({ from: 0, to: 10_000 }, busy), 900);
    expect(labels.filter((moment) => moment <= 600).length).toBeGreaterThan(1);
    expect(labels.filter((moment) => moment >= 9_600).length).toBeGreaterThan(0);
  });

  it("never cover each other", () => {
    const stretch = fc.tuple(fc.nat(1e7), fc.nat(1e6)).map(([from, length]) => ({ from, to: from + length }));
    fc.assert(
      fc.property(
        fc.array(stretch, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 60, max: 2_000 }),
        (busy, width) => {
          const axis = timeAxis({ from: 0, to: Math.max(...busy.map(({ to }) => to)) }, busy);
          const places = labelledMoments(axis, width).map((moment) => axis.placeOf(moment) * width);
          for (const [index, place] of places.slice(1).entries())
            expect(place - (places[index] ?? 0)).toBeGreaterThanOrEqual(60);
        },
      ),
    );
  });
});
