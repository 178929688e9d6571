/** The input of a process of the matrix, and its report. */
import type { Run } from "../../../src/index.ts";
import type { WriteDeath } from "./mortal-driver.ts";
import type { Outside } from "./outside.ts";

export interface Order {
  readonly base: string;
  readonly app: string;
  readonly outside: Outside;
  /** Workflows to start; null to resume the stored runs. */
  readonly create: readonly string[] | null;
  readonly death: WriteDeath | null;
}

export interface Report {
  /** All runs of the app, including child runs. */
  readonly runs: readonly Run[];
  /** Its records and files, one line for each. */
  readonly holdings: readonly string[];
  /** The number of writes. */
  readonly writes: number;
}
