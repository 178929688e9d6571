/** The events that a snapshot of a run may not have. */
import { describe, expect, it } from "vitest";
import { createRecentEvents } from "../../adapters/console/app/run/live/recent-events.ts";
import type { RunEvent } from "../../src/runs/run-event.ts";

const events = (from: number, count: number): RunEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    type: "step.skipped",
    id: from + index,
    run_id: "run_1",
    step: "a",
    at: "2027-01-01T00:00:00.000Z",
  }));

const idsOf = (all: readonly RunEvent[]) => all.map(({ id }) => id);

describe("the recent events of a run", () => {
  it("are those since a number of them", () => {
    const recent = createRecentEvents();
    recent.add(events(0, 3));
    const before = recent.count();
    expect(recent.since(before)).toEqual([]);
    recent.add(events(3, 2));
    expect(idsOf(recent.since(before))).toEqual([3, 4]);
  });

  it("are known after thousands of events, of which only the latest are kept", () => {
    const recent = createRecentEvents();
    recent.add(events(0, 5_000));
    const before = recent.count();
    recent.add(events(5_000, 2));
    expect(idsOf(recent.since(before))).toEqual([5_000, 5_001]);
    expect(recent.since(0)).toHaveLength(2_000);
  });
});
