/** Identifiers. */
export interface Ids {
  /**
   * `prefix_` and 26 characters of lower-case letters and digits: 10 of time, 16 random (80 bits). Ids of one process
   * grow strictly, also within a millisecond and when the clock goes back.
   */
  next(prefix: string): string;
  /** So many random characters of lower-case letters and digits (5.17 bits each) without any order: for secrets. */
  random(length: number): string;
}
