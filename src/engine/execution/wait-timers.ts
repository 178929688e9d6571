/** The moments of a run in memory: when it has taken too long, and those that its steps wait for. One timer for all. */

import type { Clock } from "../../ports/clock.ts";
import { atMoment } from "../../time/system-clock.ts";
import type { WakeUp } from "../compile/step-kind.ts";
import type { Progress } from "../state/progress.ts";

export interface WaitTimers {
  /** Tells what has come by now, and is woken for what comes next. To be called whenever a step may have begun to wait. */
  look(): void;
  stop(): void;
}

export function createWaitTimers(parts: {
  clock: Clock;
  progress: Progress;
  /** When the run has taken too long, in milliseconds since 1970; null for never. */
  deadline(): number | null;
  late(deadline: number): void;
  came(index: number, moment: WakeUp): void;
}): WaitTimers {
  const { clock, progress, deadline, late, came } = parts;
  let isArmed = false;
  let isStopped = false;
  let cancel = () => {};

  function look(): void {
    if (isStopped || (isArmed && progress.moments.size === 0)) return;
    cancel();
    isArmed = true;
    const now = clock.now();
    const end = deadline() ?? Number.POSITIVE_INFINITY;
    if (end <= now) {
      late(end);
      return;
    }
    let next = end;
    // What comes may let the same step wait again.
    for (const [index, moment] of [...progress.moments]) {
      if (moment.at <= now) came(index, moment);
      else next = Math.min(next, moment.at);
    }
    if (next < Number.POSITIVE_INFINITY) cancel = atMoment(clock, next, woken);
  }

  function woken(): void {
    isArmed = false;
    look();
  }

  return {
    look,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
