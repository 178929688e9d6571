/**
 * Virtual time: events fire one after the other, in the order in which they are due. Before the next event, everything
 * that the last one triggered has settled, so that a simulation is deterministic.
 */
import { setImmediate } from "node:timers";

/** The owner of events: a stopped process gets its events later, a dead one never. */
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
  /** Schedules an event; returns a function that cancels it. @param lane Null for events outside of all processes. */
  after(milliseconds: number, run: () => void, lane?: Lane | null): () => void;
  sleep(milliseconds: number): Promise<void>;
  /** Fires events until `isDone` or until a time. */
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

  /** One turn of the event loop runs all microtasks; simulated code uses nothing else. */
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
        // Events of a process that was stopped are late.
        now = Math.max(now, event.due);
        event.run();
        await rest();
      }
      if (!isDone()) now = Math.max(now, moment);
    },
  };
}
