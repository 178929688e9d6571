/**
 * Virtual time: events in the order in which they are due, one after the other. Before the next one, everything that the
 * last one set off has come to rest, so that the order of events is all that can differ between two runs.
 */
import { setImmediate } from "node:timers";

/** Whose events these are; a process that is stopped gets them later, one that is dead never. */
export interface Lane {
  readonly state: "running" | "stopped" | "dead";
}

interface Event {
  due: number;
  /** Ties are broken by the order of scheduling. */
  readonly order: number;
  readonly lane: Lane | null;
  readonly run: () => void;
}

export interface Timeline {
  /** Milliseconds since the simulation began. */
  readonly now: number;
  /** Lets something happen after so many milliseconds; the answer cancels. @param lane Null for the world outside. */
  after(milliseconds: number, run: () => void, lane?: Lane | null): () => void;
  sleep(milliseconds: number): Promise<void>;
  /** Lets events happen until `isDone`, or until this moment. */
  runUntil(moment: number, isDone?: () => boolean): Promise<void>;
}

export function createTimeline(): Timeline {
  const events = new Set<Event>();
  let now = 0;
  let scheduled = 0;

  function next(): Event | undefined {
    let first: Event | undefined;
    for (const event of events) {
      const state = event.lane?.state ?? "running";
      if (state === "dead") events.delete(event);
      if (state !== "running") continue;
      if (first === undefined || event.due < first.due || (event.due === first.due && event.order < first.order)) {
        first = event;
      }
    }
    return first;
  }

  function after(milliseconds: number, run: () => void, lane: Lane | null = null): () => void {
    const event: Event = { due: now + Math.max(0, milliseconds), order: scheduled++, lane, run };
    events.add(event);
    return () => events.delete(event);
  }

  /** One turn of the event loop empties the queue of microtasks, however long it grows; nothing simulated uses more. */
  const rest = () => new Promise<void>((resolve) => setImmediate(resolve));

  return {
    get now() {
      return now;
    },

    after,

    sleep: (milliseconds) => new Promise((resolve) => void after(milliseconds, resolve)),

    async runUntil(moment, isDone = () => false) {
      await rest();
      while (!isDone()) {
        const event = next();
        if (event === undefined || event.due > moment) break;
        events.delete(event);
        // Events that were held back while their process was stopped come late.
        now = Math.max(now, event.due);
        event.run();
        await rest();
      }
      if (!isDone()) now = Math.max(now, moment);
    },
  };
}
