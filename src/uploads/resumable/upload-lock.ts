/** A lock per upload. A new request aborts the holder, whose connection is most likely dead. */
import { StepwellError } from "../../errors.ts";

export interface UploadLock {
  /**
   * Aborts the holder of the lock, waits until it has ended, then calls `act`.
   * @param reason The abort reason for the holder. @default a `conflict`: a later request took over
   * @throws StepwellError the `reason` of a later request that came before the lock was free; whatever `act` throws
   */
  runExclusive<T>(id: string, act: (signal: AbortSignal) => Promise<T>, reason?: StepwellError): Promise<T>;
  /** Whether the lock of this id is held. */
  isHeld(id: string): boolean;
  /** Aborts all holders and waits until they have ended. */
  abortAll(reason: StepwellError): Promise<void>;
}

interface Holder {
  readonly controller: AbortController;
  /** Never rejects. */
  readonly ended: Promise<unknown>;
}

export function createUploadLock(): UploadLock {
  const latest = new Map<string, Holder>();

  return {
    async runExclusive(id, act, reason = takenOver()) {
      const before = latest.get(id);
      before?.controller.abort(reason);
      const controller = new AbortController();
      const acting = (async () => {
        await before?.ended;
        return act(controller.signal);
      })();
      const holder: Holder = { controller, ended: acting.catch(() => undefined) };
      latest.set(id, holder);
      try {
        return await acting;
      } finally {
        if (latest.get(id) === holder) latest.delete(id);
      }
    },
    isHeld: (id) => latest.has(id),
    async abortAll(reason) {
      const holders = [...latest.values()];
      for (const { controller } of holders) controller.abort(reason);
      await Promise.all(holders.map(({ ended }) => ended));
    },
  };
}

function takenOver(): StepwellError {
  return new StepwellError("conflict", "A later request for the same upload replaced this one.");
}
