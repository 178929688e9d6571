import type { Change } from "../ports/store.ts";

/**
 * Returns the changes to commit together with a created object, so that a repeated request (`Idempotency-Key`) finds
 * the first response. Of any number of repetitions exactly one creates the object, even across a crash.
 */
export type Receipt = (answer: object) => readonly Change[];

/** For calls without an idempotency key. */
export const noReceipt: Receipt = () => [];
