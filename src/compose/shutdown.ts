/** Shuts down an instance in bounded time, even if its storage or an adapter hangs. */
import type { EngineCloseLimits } from "../engine/engine.ts";
import type { Clock } from "../ports/clock.ts";
import { keepRunning } from "../time/keep-running.ts";

/** Milliseconds that running steps get before they are interrupted. */
const STEP_GRACE_MS = 10_000;
/** Milliseconds that the storage then gets to store what is pending. */
const STORAGE_GRACE_MS = 8_000;
/** Milliseconds that the drivers then get to release the storage. */
const RELEASE_GRACE_MS = 2_000;

/** When running steps are interrupted, and when nothing waits for the storage any longer. Neither rejects. */
export type ShutdownLimits = EngineCloseLimits;

/** @returns A function that shuts down. Further calls return the same promise. */
export function createShutdown(parts: {
  clock: Clock;
  /** Stops everything that uses the adapters and the storage. */
  stop(limits: ShutdownLimits): Promise<void>;
  closeAdapters(): Promise<void>;
  /** Stores what is pending until the time is up, then releases the storage. */
  closeStorage(limits: ShutdownLimits): Promise<void>;
}): () => Promise<void> {
  const { clock, stop, closeAdapters, closeStorage } = parts;
  let closing: Promise<void> | undefined;

  async function shutDown(): Promise<void> {
    const cancels: (() => void)[] = [];
    const after = (milliseconds: number) =>
      new Promise<void>((resolve) => cancels.push(clock.after(milliseconds, resolve)));
    const stepsTimeUp = after(STEP_GRACE_MS);
    const storageTimeUp = after(STEP_GRACE_MS + STORAGE_GRACE_MS);
    const releaseDeadline = after(STEP_GRACE_MS + STORAGE_GRACE_MS + RELEASE_GRACE_MS);
    const limits = { stepsTimeUp, storageTimeUp };
    const release = keepRunning();
    try {
      await Promise.race([stop(limits), storageTimeUp]);
      await Promise.race([closeAdapters(), storageTimeUp]);
    } finally {
      await Promise.race([closeStorage(limits), releaseDeadline]).finally(() => {
        release();
        for (const cancel of cancels) cancel();
      });
    }
  }

  return () => {
    closing ??= shutDown();
    return closing;
  };
}
