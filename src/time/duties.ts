/** Background work that one process does for all that share a store. */
import type { Alarms } from "./durable-timers.ts";

export interface Duties {
  /** Whether this process does the work now. Background work that has begun looks again, and ends if it is not. */
  readonly isMine: boolean;
  /**
   * Makes `act` work of that process: the function returned calls it there, soon. Other processes send a message, which may be
   * lost, so a function of {@link add} must find the work, too.
   * @param part Unique name, without colons.
   * @param act Gets an ID of what there is to do. Must not throw, and may be called for work that is done or in progress.
   */
  assign(part: string, act: (subject: string) => void): (subject: string) => void;
  /**
   * Adds a part of the work.
   * @param resume Looks for all work that is left. Called when this process takes it over, and again every minute.
   */
  add(part: string, resume: () => Promise<unknown>): void;
  /** As {@link add}, for work that other processes do as long as they run. Called only when one of them has ended. */
  addOfOthers(part: string, resume: () => Promise<unknown>): void;
  /** For timers that only that process handles. Undefined without a cluster. */
  readonly alarms: Alarms | undefined;
}

/** A process that has the store for itself. */
export const ALL_DUTIES: Duties = {
  isMine: true,
  assign: (_, act) => act,
  add: () => undefined,
  addOfOthers: () => undefined,
  alarms: undefined,
};
