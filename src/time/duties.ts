/** Background work that one process does for all that share a store. */
import type { Alarms } from "./durable-timers.ts";

export interface Duties {
  /**
   * Whether this process does the work. If not, the process that does is told to look for it.
   * @param part As named in {@link Duties.add}.
   */
  take(part: string): boolean;
  /**
   * Adds a part of the work.
   * @param resume Looks for all work that is left. Called when this process takes it over from another one, and when there is
   * work from other processes. May be called again at any time.
   */
  add(part: string, resume: () => Promise<unknown>): void;
  /** For timers that only that process handles. Undefined without a cluster. */
  readonly alarms: Alarms | undefined;
}

/** A process that has the store for itself. */
export const ALL_DUTIES: Duties = { take: () => true, add: () => undefined, alarms: undefined };
