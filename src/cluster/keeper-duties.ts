/** The background work of the keeper. Other processes tell it what there is to do. */
import type { Clock } from "../ports/clock.ts";
import type { Background } from "../time/background.ts";
import type { Alarms } from "../time/durable-timers.ts";
import type { Duties } from "../time/duties.ts";
import { atMoment } from "../time/system-clock.ts";
import type { Keeper } from "./keeper.ts";
import type { Signals } from "./signals.ts";

export interface KeeperDuties extends Duties {
  /** Looks for all work that is left. Call it when this process has become the keeper, or another process was lost. */
  resumeAll(): void;
}

/** Between the name of a list and the time of one of its timers. */
const TIMER = "timers of ";

export function createKeeperDuties(parts: {
  clock: Clock;
  keeper: Keeper;
  signals: Signals;
  background: Background;
}): KeeperDuties {
  const { clock, keeper, signals, background } = parts;
  const resumes = new Map<string, () => Promise<unknown>>();
  const armed = new Map<string, { readonly moment: number; cancel(): void }>();

  signals.on("duty", (part) => {
    if (keeper.isMine) resume(part);
  });

  function resume(part: string): void {
    const act = resumes.get(part);
    if (act !== undefined) void background.retryUntilDone(part, act);
  }

  function arm(list: string, moment: number, ring: () => Promise<unknown>): void {
    const before = armed.get(list);
    if (before !== undefined && before.moment <= moment) return;
    before?.cancel();
    const cancel = atMoment(clock, moment, () => {
      armed.delete(list);
      if (keeper.isMine) void ring();
    });
    armed.set(list, { moment, cancel });
  }

  const alarms: Alarms = {
    onRing(list, ring) {
      resumes.set(TIMER + list, ring);
    },
    set(list, due) {
      const ring = resumes.get(TIMER + list);
      if (!keeper.isMine) signals.send("duty", TIMER + list);
      else if (ring !== undefined) arm(list, Date.parse(due), ring);
    },
  };

  return {
    alarms,
    take(part) {
      if (!keeper.isMine) signals.send("duty", part);
      return keeper.isMine;
    },
    add: (part, act) => void resumes.set(part, act),
    resumeAll() {
      for (const part of resumes.keys()) resume(part);
    },
  };
}
