/** Which missed times a schedule runs, compared with a naive implementation. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideFiring, TOLERANCE_MS } from "../../src/schedules/catch-up-policy.ts";
import { createNextMoment } from "../../src/schedules/recurrence.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const recurrence = (given: object) => ({
  ...{ cron: null, timezone: null, every: null, at: null, counted_from: new Date(START).toISOString() },
  ...given,
});

/** Every due time up to `now`, in order. */
function moments(due: number, now: number, next: (after: number) => number | null): number[] {
  const all: number[] = [];
  for (let at: number | null = due; at !== null && at <= now; at = next(at)) all.push(at);
  return all;
}

describe("decideFiring", () => {
  it("returns the time to run and the next one for each `missed` policy", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.integer({ min: 1, max: 7_200 }).map((every) => ({ every })),
          fc.constantFrom("* * * * *", "*/7 * * * *", "0 9 * * mon-fri", "30 4 1 * *").map((cron) => ({ cron })),
        ),
        fc.nat(3 * 24 * 3_600_000),
        fc.constantFrom("skip", "once", "all" as const),
        async (given, late, missed) => {
          const next = await createNextMoment(recurrence(given));
          const due = next(START);
          if (due === null) throw new Error("recurs forever");
          const now = due + (late % ("every" in given ? 1_000 * given.every * 50 : late + 1));
          const all = moments(due, now, next);
          const last = all.at(-1) ?? 0;
          const firing = decideFiring(due, now, missed as "skip", next);
          if (missed === "all") expect(firing).toEqual({ run: due, next: next(due) });
          else {
            expect(firing.next).toBe(next(now));
            expect(firing.run).toBe(missed === "skip" && now - last > TOLERANCE_MS ? null : last);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it("skips over many missed times without computing each", async () => {
    const next = await createNextMoment(recurrence({ every: 1 }));
    let calls = 0;
    const counted = (after: number) => {
      calls++;
      return next(after);
    };
    const now = START + 400 * 24 * 3_600_000 + 500;
    expect(decideFiring(START + 1_000, now, "once", counted)).toEqual({ run: now - 500, next: now + 500 });
    expect(calls).toBeLessThan(100);
  });
});

describe("a cron expression", () => {
  it.each([
    ["0 9 * * mon-fri", "Europe/Berlin", "2026-03-27T08:00:00Z", ["2026-03-30T07:00:00Z", "2026-03-31T07:00:00Z"]],
    ["30 2 * * *", "Europe/Berlin", "2026-10-24T00:30:00Z", ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]],
    ["0 0 29 2 *", null, "2026-01-01T00:00:00Z", ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"]],
    ["*/15 * * * * *", null, "2026-01-01T00:00:01Z", ["2026-01-01T00:00:15Z", "2026-01-01T00:00:30Z"]],
  ])("%s in %s follows the local time", async (cron, timezone, after, expected) => {
    const next = await createNextMoment(recurrence({ cron, timezone }));
    const first = next(Date.parse(after)) ?? 0;
    const second = next(first) ?? 0;
    expect([first, second].map((at) => new Date(at).toISOString().replace(".000", ""))).toEqual(expected);
  });
});
