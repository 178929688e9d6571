/** The input of a process of these tests, and its report. */
export interface NewRun {
  /** Milliseconds after which its step kills the process; null for an innocent run. */
  readonly kills_after: number | null;
  /** The duration of its steps. */
  readonly milliseconds: number;
}

export interface Order {
  readonly base: string;
  readonly app?: string;
  readonly create: readonly NewRun[];
}

export type Report = readonly {
  readonly isCulprit: boolean;
  readonly status: string;
  readonly code: string | null;
}[];
