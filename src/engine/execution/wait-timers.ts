/** The timers of a run in memory: its deadline and the wake-ups of its steps. All share one timer of the clock. */

import type { Clock } from "../../ports/clock.ts";
import { atMoment } from "../../time/system-clock.ts";
import type { Progress } from "../progress/progress.ts";
import type { Task } from "../progress/task.ts";
import type { WakeUp } from "./step-context.ts";

/** The run that the timers belong to. */
export interface WaitTimersOwner {
  /** The run's deadline in milliseconds since 1970, or null for none. */
  deadline(): number | null;
  onDeadline(deadline: number): void;
  onWakeUp(task: Task, wakeUp: WakeUp): void;
  /** Called when something is due. Calls {@link WaitTimers.check}. */
  onTimer(): void;
}

export class WaitTimers {
  private readonly clock: Clock;
  private readonly progress: Progress;
  private readonly owner: WaitTimersOwner;
  private isSet = false;
  private isStopped = false;
  private cancel: (() => void) | undefined;

  constructor(clock: Clock, progress: Progress, owner: WaitTimersOwner) {
    this.clock = clock;
    this.progress = progress;
    this.owner = owner;
  }

  /**
   * Reports everything that is due and sets the timer for the next event. Call it when a step may have begun to wait.
   */
  check(): void {
    const { clock, progress, owner } = this;
    if (this.isStopped || (this.isSet && progress.wakeUps.size === 0)) return;
    this.cancel?.();
    this.isSet = true;
    const now = clock.now();
    const end = owner.deadline() ?? Number.POSITIVE_INFINITY;
    if (end <= now) {
      owner.onDeadline(end);
      return;
    }
    let next = end;
    // Iterate over a copy: a wake-up may let the same task wait again.
    for (const [task, wakeUp] of [...progress.wakeUps]) {
      if (wakeUp.at <= now) owner.onWakeUp(task, wakeUp);
      else next = Math.min(next, wakeUp.at);
    }
    if (next === Number.POSITIVE_INFINITY) return;
    this.cancel = atMoment(clock, next, () => {
      this.isSet = false;
      owner.onTimer();
    });
  }

  stop(): void {
    this.isStopped = true;
    this.cancel?.();
  }
}
