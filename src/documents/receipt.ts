import type { Change } from "../ports/store.ts";

/**
 * What a creation commits together with what it creates, so that a repeated request (`Idempotency-Key`) finds the first
 * one's answer: exactly one of any number of repetitions creates, also across a crash.
 */
export type Receipt = (answer: object) => readonly Change[];

/** For calls that nobody repeats. */
export const noReceipt: Receipt = () => [];
