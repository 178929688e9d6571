/**
 * Finds the run that kills the process by binary search. A pure function decides which runs are tried first and alone
 * at this start. It depends on which runs the previous start tried, and which have made no progress since.
 *
 * While `suspects` contains the culprit, each further crash halves it: either a tried run killed the process, or the
 * culprit is among the untried ones.
 */
import { MINUTE_MS } from "../../time/units.ts";

/** The state that a start stores before the trial begins. */
export interface CulpritSearch {
  /** IDs of the runs that are suspected; one of them kills the process, as far as is known. */
  readonly suspects: readonly string[];
  /** IDs of the suspects that execute first, while nothing else is active. */
  readonly tried: readonly string[];
  /** False once other runs have joined. A crash after that says nothing about the tried runs. */
  readonly isOnTrial: boolean;
  /** Number of crashes so far while the only run in `tried` was the only active one. */
  readonly strikes: number;
  /** Milliseconds after which the other runs start in any case. */
  readonly trial_ms: number;
}

/** What a start does before it resumes other runs. */
export interface SearchDecision {
  /** ID of the run that fails with `poison_run`, if any. */
  readonly culprit: string | null;
  /** Null if no suspects are left. */
  readonly search: CulpritSearch | null;
}

/** Number of crashes without progress, while a run is the only active one, after which it is ended. */
export const MAX_STRIKES = 3;
const FIRST_TRIAL_MS = 2_000;
const LONGEST_TRIAL_MS = MINUTE_MS;

/**
 * @param before What the previous start stored, if it ran a trial.
 * @param suspected IDs of runs that an earlier start resumed and that have made no progress since, in a stable order.
 */
export function nextSearch(before: CulpritSearch | null, suspected: readonly string[]): SearchDecision {
  if (before === null) return { culprit: null, search: halve(suspected, FIRST_TRIAL_MS) };
  const { suspects, tried, isOnTrial, trial_ms } = before;
  const open = new Set(suspected);
  const [alone] = tried;
  if (isOnTrial && tried.length === 1 && alone !== undefined && open.has(alone)) {
    const strikes = before.strikes + 1;
    if (strikes < MAX_STRIKES) return { culprit: null, search: { ...before, strikes } };
    const others = suspected.filter((id) => id !== alone);
    return { culprit: alone, search: halve(others, trial_ms) };
  }
  const passed = new Set(isOnTrial ? [] : tried);
  const left = (isOnTrial ? tried : suspects).filter((id) => open.has(id) && !passed.has(id));
  if (left.length > 0) return { culprit: null, search: halve(left, trial_ms) };
  // All passed. The culprit was not among them, or needs more time to crash than the trial lasted.
  const next = isOnTrial ? trial_ms : Math.min(2 * trial_ms, LONGEST_TRIAL_MS);
  return { culprit: null, search: halve(suspected, next) };
}

function halve(suspects: readonly string[], trial_ms: number): CulpritSearch | null {
  if (suspects.length === 0) return null;
  const tried = suspects.slice(0, Math.ceil(suspects.length / 2));
  return { suspects, tried, isOnTrial: true, strikes: 0, trial_ms };
}
