/** Told of runs when they have ended, for those who watch from outside. Types only. */
import type { Run } from "./run.ts";

export interface Telemetry {
  /** Called once for each end of a run, also of runs within runs, behind everything that the run needs. */
  runEnded(run: Run): void;
}
