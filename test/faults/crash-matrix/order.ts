/** What a process of the matrix is told, and what it tells at its end. */
import type { Run } from "../../../src/index.ts";
import type { WriteDeath } from "./mortal-driver.ts";

export interface Order {
  readonly base: string;
  readonly app: string;
  /** Addresses that may be called. */
  readonly allow: readonly string[];
  /** Workflows to start; null to go on with what is there. */
  readonly create: readonly string[] | null;
  readonly death: WriteDeath | null;
}

export interface Report {
  /** All of the app, children too. */
  readonly runs: readonly Run[];
  /** How often it wrote. */
  readonly writes: number;
}
