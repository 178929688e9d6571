/** Time, so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Calls back once after so many milliseconds; the answer cancels. Never keeps a process alive. */
  after(milliseconds: number, callback: () => void): () => void;
}
