/** The interface of telemetry adapters. Types only. */
import type { Run } from "./run.ts";

/** Receives every ended run. */
export interface Telemetry {
  /**
   * Called each time a run ends, including child runs and retried runs, after the end is stored. Stepwell logs errors
   * that it throws.
   */
  runEnded(run: Run): void;
}
