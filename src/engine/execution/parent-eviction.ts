/**
 * Decides when a run that only waits for child runs is evicted. It is not evicted at once: if its children are short, it
 * would be loaded and replayed again and again.
 */
import type { Clock } from "../../ports/clock.ts";
import { SECOND_MS } from "../../time/units.ts";
import type { Progress } from "../progress/progress.ts";
import type { AwaitedChild } from "./step-context.ts";
import type { StepRunner } from "./tasks/step-runner.ts";

/** How long a run that only waits for child runs stays in memory. */
const DELAY_MS = 10 * SECOND_MS;

/** The run that may be evicted. */
export interface EvictableParent {
  readonly progress: Progress;
  readonly runner: Pick<StepRunner, "awaitedChildren" | "size">;
  /** Whether nothing is being stored or about to be stored or started. */
  isQuiet(): boolean;
  /** Stores that the run waits for these child runs among others. */
  storeStatus(status: "waiting", children: readonly AwaitedChild[]): Promise<void>;
  isStoredAsWaiting(): boolean;
  exitAs(kind: "waiting"): void;
}

export class ParentEviction {
  private readonly run: EvictableParent;
  private readonly clock: Clock;
  private stop: (() => void) | undefined;

  constructor(run: EvictableParent, clock: Clock) {
    this.run = run;
    this.clock = clock;
  }

  /** Call this when a task begins to wait for a child run. */
  schedule(): void {
    this.cancel();
    this.stop = this.clock.after(DELAY_MS, () => void this.evictIfQuiet());
  }

  cancel(): void {
    this.stop?.();
  }

  private async evictIfQuiet(): Promise<void> {
    const awaited = this.children();
    if (awaited === null) return;
    await this.run.storeStatus("waiting", awaited);
    // A child may have ended meanwhile.
    if (this.run.isStoredAsWaiting() && this.children() !== null) this.run.exitAs("waiting");
  }

  /** The child runs that the run waits for if it waits for nothing else that happens in memory, otherwise null. */
  private children(): readonly AwaitedChild[] | null {
    const { progress, runner } = this.run;
    const hasShortWaits = progress.open() - progress.waiting() !== runner.size();
    return runner.size() === 0 || hasShortWaits || !this.run.isQuiet() ? null : runner.awaitedChildren();
  }
}
