/**
 * Events of runs for followers in other processes. A process says which runs it follows, again and again. The process that
 * executes one of them passes on what isn't stored, and says when there is something to read.
 */
import * as v from "valibot";
import type { Cluster } from "../../cluster/cluster.ts";
import type { Clock } from "../../ports/clock.ts";
import { type RunEvent, TransientRunEvent } from "../../runs/run-event.ts";
import { SECOND_MS } from "../../time/units.ts";
import type { EventBus } from "../events/event-bus.ts";

export interface Followers {
  /** Call this when something here follows a run. Returns a function that ends it. */
  follow(runId: string): () => void;
  close(): void;
}

/** How often a process repeats which runs it follows, and reads them in case a message was lost. */
const REPEAT_MS = 5 * SECOND_MS;
/** How long a run is passed on after it was last said to be followed. */
const EXPIRES_MS = 3 * REPEAT_MS;

interface Followed {
  count: number;
  stop(): void;
}

export function createFollowers(parts: { clock: Clock; signals: Cluster["signals"]; bus: EventBus }): Followers {
  const { clock, signals, bus } = parts;
  /** Runs that something here follows. */
  const followed = new Map<string, Followed>();
  /** Runs that other processes follow, with the function that stops passing them on. */
  const passedOn = new Map<string, () => void>();

  signals.on("follow", passOn);
  signals.on("changed", bus.reread);
  signals.on("event", (text) => {
    const event = parseEvent(text);
    if (event !== null) bus.deliver(event);
  });

  function passOn(runId: string): void {
    passedOn.get(runId)?.();
    const untap = bus.tap(runId, (event) => {
      if (event === null || event.id !== undefined) signals.send("changed", runId);
      else signals.send("event", JSON.stringify(event));
    });
    const cancel = clock.after(EXPIRES_MS, stop);
    function stop(): void {
      cancel();
      untap();
      passedOn.delete(runId);
    }
    passedOn.set(runId, stop);
  }

  function repeat(runId: string): Followed {
    const own: Followed = { count: 0, stop: () => undefined };
    const announce = () => {
      signals.send("follow", runId);
      own.stop = clock.after(REPEAT_MS, () => {
        bus.reread(runId);
        announce();
      });
    };
    announce();
    return own;
  }

  return {
    follow(runId) {
      const own = followed.get(runId) ?? repeat(runId);
      followed.set(runId, own);
      own.count++;
      return () => {
        own.count--;
        if (own.count > 0) return;
        own.stop();
        followed.delete(runId);
      };
    },

    close() {
      for (const { stop } of followed.values()) stop();
      for (const stop of [...passedOn.values()]) stop();
    },
  };
}

function parseEvent(text: string): RunEvent | null {
  try {
    const parsed = v.safeParse(TransientRunEvent, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
