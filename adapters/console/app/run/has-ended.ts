/** Whether a status of a run is final. The slice says the same; its file brings the schemas of runs along. */
import type { RunStatus } from "../../../../src/runs/run.ts";

const FINAL: ReadonlySet<RunStatus> = new Set(["succeeded", "failed", "canceled"]);

export const hasEnded = (status: RunStatus): boolean => FINAL.has(status);
