/** The interface of telemetry adapters. Types only. */
import type { Run } from "./run.ts";

/** Receives every run that has ended. */
export interface Telemetry {
  /** Called once each time a run ends, child runs included, after the end has been stored. */
  runEnded(run: Run): void;
}
