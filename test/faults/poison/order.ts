/** What a process of these tests is told, and what it reports. */
export interface NewRun {
  /** Milliseconds after which its step kills the process; null for one that does not. */
  readonly kills_after: number | null;
  /** That its steps take. */
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
