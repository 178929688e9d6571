/**
 * Decides when a run that only waits for child runs is evicted. It is not evicted at once: if its children are short, it
 * would be loaded and replayed again and again.
 */
import type { Clock } from "../../ports/clock.ts";
import { SECOND_MS } from "../../time/units.ts";
import type { Progress } from "../progress/progress.ts";
import type { AwaitedChild } from "./step-context.ts";
import type { StepRunner } from "./step-runner.ts";

export interface ParentEviction {
  /** Call this when a task begins to wait for a child run. */
  schedule(): void;
  cancel(): void;
}

/** How long a run that only waits for child runs stays in memory. */
const DELAY_MS = 10 * SECOND_MS;

export function createParentEviction(parts: {
  clock: Clock;
  progress: Progress;
  runner: Pick<StepRunner, "awaitedChildren" | "size">;
  /** Whether nothing is being stored or about to be stored or started. */
  isQuiet(): boolean;
  /** Stores that the run waits for these child runs among others. */
  storeWaiting(children: readonly AwaitedChild[]): Promise<void>;
  isStoredAsWaiting(): boolean;
  evict(): void;
}): ParentEviction {
  const { clock, progress, runner, isQuiet, storeWaiting, isStoredAsWaiting, evict } = parts;
  let cancel = () => {};

  /** The child runs that the run waits for if it waits for nothing else that happens in memory, otherwise null. */
  function children(): readonly AwaitedChild[] | null {
    const hasShortWaits = progress.open() - progress.waiting() !== runner.size();
    return runner.size() === 0 || hasShortWaits || !isQuiet() ? null : runner.awaitedChildren();
  }

  async function evictIfQuiet(): Promise<void> {
    const awaited = children();
    if (awaited === null) return;
    await storeWaiting(awaited);
    // A child may have ended meanwhile.
    if (isStoredAsWaiting() && children() !== null) evict();
  }

  return {
    schedule() {
      cancel();
      cancel = clock.after(DELAY_MS, () => void evictIfQuiet());
    },
    cancel: () => cancel(),
  };
}
