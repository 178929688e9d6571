/** An exclusive lock per upload. A new request aborts the holder, whose connection is most likely dead. */
import { notFound, StepwellError } from "../../errors.ts";
import type { TakeoverReason } from "./partial-upload.ts";

/** @param abort Aborts the signal. */
export type HeldAct<T> = (signal: AbortSignal, abort: (reason: StepwellError) => void) => Promise<T>;

export interface UploadLock {
  /**
   * Aborts the holder of the lock, waits until it has ended, then calls `act`.
   * @param reason The abort reason for the holder.
   * @throws StepwellError the `reason` of a later request that came before the lock was free; whatever `act` throws
   */
  runExclusive<T>(id: string, act: HeldAct<T>, reason: StepwellError): Promise<T>;
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
    async runExclusive(id, act, reason) {
      const previous = holders.get(id);
      previous?.controller.abort(reason);
      const controller = new AbortController();
      const result = (async () => {
        await previous?.ended;
        return act(controller.signal, (reason) => controller.abort(reason));
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

/** The error of a request that another one has ended. */
export function takeoverError(uploadId: string, why: TakeoverReason): StepwellError {
  if (why === "deleted") return notFound("upload URL", uploadId);
  return new StepwellError("conflict", "A later request for the same upload replaced this one.");
}
