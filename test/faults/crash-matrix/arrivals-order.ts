/** What a process of arrivals is told, and what it tells at its end. */
import type { WriteDeath } from "./mortal-driver.ts";
import type { Report } from "./order.ts";

/** Milliseconds that the clock of one process goes on for, from its own beginning; then it stands. */
export const SPAN = 10_000;
/** The path of the webhook. */
export const HOOK = "arrivals";

export interface ArrivalsOrder {
  readonly base: string;
  readonly app: string;
  /** When its clock begins. */
  readonly begins: number;
  /** What comes to the webhook, by number. */
  readonly deliveries: readonly number[];
  readonly death: WriteDeath | null;
}

export type ArrivalsReport = Pick<Report, "runs" | "holdings">;
