/** The timers of a run in memory: its deadline and the wake-ups of its steps. All share one timer of the clock. */

import type { Clock } from "../../ports/clock.ts";
import { atMoment } from "../../time/system-clock.ts";
import type { Progress } from "../progress/progress.ts";
import type { Task } from "../progress/task.ts";
import type { WakeUp } from "./step-context.ts";

export interface WaitTimers {
  /**
   * Reports everything that is due and sets the timer for the next event. Call it when a step may have begun to wait.
   */
  check(): void;
  stop(): void;
}

export function createWaitTimers(parts: {
  clock: Clock;
  progress: Progress;
  /** The run's deadline in milliseconds since 1970, or null for none. */
  deadline(): number | null;
  onDeadline(deadline: number): void;
  onWakeUp(task: Task, wakeUp: WakeUp): void;
  /** Called when something is due. Calls {@link WaitTimers.check}. */
  onTimer(): void;
}): WaitTimers {
  const { clock, progress, deadline, onDeadline, onWakeUp, onTimer } = parts;
  let isSet = false;
  let isStopped = false;
  let cancel = () => {};

  function check(): void {
    if (isStopped || (isSet && progress.wakeUps.size === 0)) return;
    cancel();
    isSet = true;
    const now = clock.now();
    const end = deadline() ?? Number.POSITIVE_INFINITY;
    if (end <= now) {
      onDeadline(end);
      return;
    }
    let next = end;
    // Iterate over a copy: a wake-up may let the same task wait again.
    for (const [task, wakeUp] of [...progress.wakeUps]) {
      if (wakeUp.at <= now) onWakeUp(task, wakeUp);
      else next = Math.min(next, wakeUp.at);
    }
    if (next < Number.POSITIVE_INFINITY)
      cancel = atMoment(clock, next, () => {
        isSet = false;
        onTimer();
      });
  }

  return {
    check,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
