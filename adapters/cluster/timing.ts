/** The time limits of a connection. Tests choose shorter ones. */
export interface Timing {
  /** Milliseconds within which Redis must respond. */
  readonly timeoutMs: number;
  /** Milliseconds for which a worker that does not respond keeps its jobs. */
  readonly lockMs: number;
  /** Milliseconds between looks for jobs whose worker does not respond. */
  readonly stalledMs: number;
  /** Milliseconds after which a job is tried again whose kind this version does not know. */
  readonly unknownKindMs: number;
  /** Milliseconds after which a job is tried again for which a worker had no room. */
  readonly laterMs: number;
  /** Milliseconds between checks whether a connection still responds. */
  readonly heartbeatMs: number;
}

export const TIMING: Timing = {
  timeoutMs: 5_000,
  lockMs: 15_000,
  stalledMs: 5_000,
  unknownKindMs: 5_000,
  laterMs: 250,
  heartbeatMs: 10_000,
};
