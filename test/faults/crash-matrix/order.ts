/** What a process of the matrix is told, and what it tells at its end. */
import type { Run } from "../../../src/index.ts";
import type { WriteDeath } from "./mortal-driver.ts";
import type { Outside } from "./outside.ts";

export interface Order {
  readonly base: string;
  readonly app: string;
  readonly outside: Outside;
  /** Workflows to start; null to go on with what is there. */
  readonly create: readonly string[] | null;
  readonly death: WriteDeath | null;
}

export interface Report {
  /** All of the app, children too. */
  readonly runs: readonly Run[];
  /** Its records and files, a line for each. */
  readonly holdings: readonly string[];
  /** How often it wrote. */
  readonly writes: number;
}
