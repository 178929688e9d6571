/** The latest events of a run: a snapshot that was asked for before they came may not have them. Pure. */
import type { RunEvent } from "../../../../../src/runs/run-event.ts";

export interface RecentEvents {
  add(events: readonly RunEvent[]): void;
  /** Number of events so far. */
  count(): number;
  /** The events since there were this many: the latest 2,000 at most. */
  since(count: number): readonly RunEvent[];
}

const MAX_KEPT = 2_000;

export function createRecentEvents(): RecentEvents {
  let kept: readonly RunEvent[] = [];
  let total = 0;
  return {
    add(events) {
      kept = [...kept, ...events].slice(-MAX_KEPT);
      total += events.length;
    },
    count: () => total,
    since: (count) => kept.slice(Math.max(0, kept.length - (total - count))),
  };
}
