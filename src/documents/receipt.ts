import type { Change } from "../ports/store.ts";

/**
 * Returns the changes to commit together with a created object, so that a repeated request (`Idempotency-Key`) finds
 * the first response. Of any number of repetitions exactly one creates the object, even across a crash.
 */
export type Receipt = (answer: object) => readonly Change[];

/** For calls without an idempotency key. */
export const noReceipt: Receipt = () => [];

/** Makes the parts of a call repeatable, each by itself, for a call with several commits. */
export interface RepeatableParts {
  /**
   * Stores that the call has begun.
   * @throws StepwellError `idempotency_mismatch` if it began with another body
   */
  begin(): Promise<void>;
  /** Calls `act`, which must commit the receipt, or returns what it returned the first time. */
  once(part: string, act: (receipt: Receipt) => Promise<object>): Promise<unknown>;
}

/** For calls without an idempotency key. */
export const unrepeatableParts: RepeatableParts = {
  begin: async () => undefined,
  once: (_, act) => act(noReceipt),
};
