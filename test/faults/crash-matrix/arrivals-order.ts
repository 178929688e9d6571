/** The input of a process in the arrivals test, and its report. */
import type { WriteDeath } from "./mortal-driver.ts";
import type { Report } from "./order.ts";

/** The milliseconds that the clock of one process runs before it stops. */
export const SPAN = 10_000;
/** The path of the webhook. */
export const HOOK = "arrivals";

export interface ArrivalsOrder {
  readonly base: string;
  readonly app: string;
  /** The time at which its clock starts. */
  readonly begins: number;
  /** The numbers of the webhook deliveries. */
  readonly deliveries: readonly number[];
  readonly death: WriteDeath | null;
}

export type ArrivalsReport = Pick<Report, "runs" | "holdings">;
