/** Which missed times a schedule runs, compared with a naive implementation. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideFiring, TOLERANCE_MS } from "../../src/schedules/catch-up-policy.ts";
import { createNextMoment, type NextMoment } from "../../src/schedules/recurrence.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const MAX_LATE_MS = 9 * 24 * 3_600_000;
const recurrence = (given: object) => ({
  ...{ cron: null, timezone: null, every: null, at: null, counted_from: new Date(START).toISOString() },
  ...given,
});

/** Every due time up to `now`, in order. */
function moments(due: number, now: number, next: NextMoment): number[] {
  const all: number[] = [];
  for (let at: number | null = due; at !== null && at <= now; at = next(at)) all.push(at);
  return all;
}

type Missed = Parameters<typeof decideFiring>[2];

/** The times that run until the schedule has caught up, and the next one. */
function catchUp(due: number, now: number, missed: Missed, next: NextMoment) {
  const runs: number[] = [];
  let at: number | null = due;
  while (at !== null && at <= now) {
    const firing = decideFiring(at, now, missed, next);
    if (firing.run !== null) runs.push(firing.run);
    at = firing.next;
  }
  return { runs, next: at };
}

function expectedRuns(all: readonly number[], now: number, missed: Missed): readonly number[] {
  const late = all.filter((at) => now - at <= TOLERANCE_MS);
  const tooLate = all.filter((at) => now - at > TOLERANCE_MS);
  return { all, once: [...tooLate.slice(-1), ...late], skip: late }[missed];
}

describe("decideFiring", () => {
  it("runs what is late, in order, and what was missed by the policy", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.integer({ min: 1, max: 7_200 }).map((every) => ({ given: { every }, span: every * 50_000 })),
          fc.constantFrom(
            { given: { cron: "*/20 * * * * *" }, span: 400_000 },
            { given: { cron: "* * * * *" }, span: 3 * 3_600_000 },
            { given: { cron: "*/7 * * * *" }, span: 24 * 3_600_000 },
            { given: { cron: "0 9 * * mon-fri" }, span: MAX_LATE_MS },
            { given: { at: new Date(START + 1_000).toISOString() }, span: 150_000 },
          ),
        ),
        fc.nat(MAX_LATE_MS),
        fc.constantFrom("skip", "once", "all" as const),
        async ({ given, span }, late, missed) => {
          const next = await createNextMoment(recurrence(given));
          const due = next(START) ?? 0;
          const now = due + (late % (span + 1));
          const all = moments(due, now, next);
          const runs = expectedRuns(all, now, missed as Missed);
          expect(catchUp(due, now, missed as Missed, next)).toEqual({ runs, next: next(now) });
        },
      ),
      { numRuns: 100 },
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
    const { runs, next: after } = catchUp(START + 1_000, now, "once", counted);
    expect(runs).toEqual(Array.from({ length: 61 }, (_, index) => now - 60_500 + index * 1_000));
    expect(after).toBe(now + 500);
    expect(calls).toBeLessThan(200);
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
