/**
 * Finds the run that kills the process, by halves: which runs go first and alone at this start, as a pure function of
 * which did at the start before and of who has made no progress since.
 *
 * While the search holds a culprit, one more death halves `suspects`: either a run that was tried killed the process, or
 * the culprit is among those that were not.
 */
import { MINUTE_MS } from "../../time/units.ts";

/** What a start stores before the trial begins. */
export interface CulpritSearch {
  /** Ids of runs one of which kills the process, as far as is known. */
  readonly suspects: readonly string[];
  /** Those of them that go first, while nothing else is active. */
  readonly tried: readonly string[];
  /** False once other runs have joined: a death after that tells nothing about those that were tried. */
  readonly isOnTrial: boolean;
  /** Deaths of the process so far while the only run of `tried` was the only active one. */
  readonly strikes: number;
  /** Milliseconds after which the others go on in any case. */
  readonly trial_ms: number;
}

/** What a start does before it takes up the other runs. */
export interface Verdict {
  /** The run that fails as `poison_run`. */
  readonly convicted: string | null;
  /** Null where nobody is left to be tried. */
  readonly search: CulpritSearch | null;
}

/** Deaths alone, without progress in between, after which a run is ended. */
export const STRIKES = 3;
const FIRST_TRIAL_MS = 2_000;
const LONGEST_TRIAL_MS = MINUTE_MS;

/**
 * @param before What the start before stored, if it tried anybody.
 * @param suspected Runs that were taken up at an earlier start and have made no progress since, in a stable order.
 */
export function judge(before: CulpritSearch | null, suspected: readonly string[]): Verdict {
  if (before === null) return { convicted: null, search: halved(suspected, FIRST_TRIAL_MS) };
  const { suspects, tried, isOnTrial, trial_ms } = before;
  const open = new Set(suspected);
  const [alone] = tried;
  if (isOnTrial && tried.length === 1 && alone !== undefined && open.has(alone)) {
    const strikes = before.strikes + 1;
    if (strikes < STRIKES) return { convicted: null, search: { ...before, strikes } };
    const others = suspected.filter((id) => id !== alone);
    return { convicted: alone, search: halved(others, trial_ms) };
  }
  const passed = new Set(isOnTrial ? [] : tried);
  const left = (isOnTrial ? tried : suspects).filter((id) => open.has(id) && !passed.has(id));
  if (left.length > 0) return { convicted: null, search: halved(left, trial_ms) };
  // All of them have passed, so the culprit was not among them, or takes longer to kill than a trial lasted.
  const next = isOnTrial ? trial_ms : Math.min(2 * trial_ms, LONGEST_TRIAL_MS);
  return { convicted: null, search: halved(suspected, next) };
}

function halved(suspects: readonly string[], trial_ms: number): CulpritSearch | null {
  if (suspects.length === 0) return null;
  const tried = suspects.slice(0, Math.ceil(suspects.length / 2));
  return { suspects, tried, isOnTrial: true, strikes: 0, trial_ms };
}
