/** An exclusive lock per upload. A new request aborts the holder, whose connection is most likely dead. */
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
  const holders = new Map<string, Holder>();

  return {
    async runExclusive(id, act, reason = replacedError()) {
      const previous = holders.get(id);
      previous?.controller.abort(reason);
      const controller = new AbortController();
      const result = (async () => {
        await previous?.ended;
        return act(controller.signal);
      })();
      const holder: Holder = { controller, ended: result.catch(() => undefined) };
      holders.set(id, holder);
      try {
        return await result;
      } finally {
        if (holders.get(id) === holder) holders.delete(id);
      }
    },
    isHeld: (id) => holders.has(id),
    async abortAll(reason) {
      const all = [...holders.values()];
      for (const { controller } of all) controller.abort(reason);
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

function replacedError(): StepwellError {
  return new StepwellError("conflict", "A later request for the same upload replaced this one.");
}
