/** Generates identifiers. */
export interface Ids {
  /**
   * Returns `prefix_` and 26 lowercase letters and digits: 10 for the time, 16 random (80 bits). IDs of one process
   * increase strictly, even within a millisecond and if the clock is set back.
   */
  next(prefix: string): string;
  /** Returns random lowercase letters and digits (5.17 bits each), for secrets. */
  random(length: number): string;
}
