/** Which runs are selected. Pure. */
import type { RunRow } from "../live/run-rows.ts";

export interface Selection {
  /** The selected runs by id, as they were when they were selected. */
  readonly runs: ReadonlyMap<string, RunRow>;
  /** Whether all runs that match the filters are selected, also those that have not been read. */
  readonly isEverything: boolean;
  /** Where a range begins: the row that was changed last. */
  readonly anchor: string | null;
}

export const NOTHING: Selection = { runs: new Map(), isEverything: false, anchor: null };

export const isSelected = ({ runs, isEverything }: Selection, id: string) => isEverything || runs.has(id);

/** Selects a run, or no longer. */
export function toggled(selection: Selection, run: RunRow): Selection {
  const runs = new Map(selection.runs);
  if (!runs.delete(run.id)) runs.set(run.id, run);
  return { runs, isEverything: false, anchor: run.id };
}

/** Selects all rows from the one that was changed last to this one. */
export function extended(selection: Selection, rows: readonly RunRow[], run: RunRow): Selection {
  const from = rows.findIndex(({ id }) => id === selection.anchor);
  const to = rows.findIndex(({ id }) => id === run.id);
  if (from === -1 || to === -1) return toggled(selection, run);
  const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ...selection, isEverything: false, runs: withRuns(selection.runs, between) };
}

/** Selects all rows that have been read, or none if they are selected. */
export function allToggled(selection: Selection, rows: readonly RunRow[]): Selection {
  const isAll = rows.every(({ id }) => isSelected(selection, id));
  return isAll ? NOTHING : { ...selection, runs: withRuns(selection.runs, rows) };
}

/** Selects these runs no longer. */
export function without(selection: Selection, ids: readonly string[]): Selection {
  const runs = new Map(selection.runs);
  for (const id of ids) runs.delete(id);
  return { ...selection, runs };
}

function withRuns(runs: Selection["runs"], more: readonly RunRow[]): Selection["runs"] {
  return new Map([...runs, ...more.map((run): [string, RunRow] => [run.id, run])]);
}
