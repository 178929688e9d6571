/** The range of each limit. */

import { MEBIBYTE } from "../encoding/bytes.ts";
import { DAY_MS } from "../time/units.ts";

/** A range of whole numbers. */
export interface Range {
  readonly least: number;
  readonly most: number;
  /** Whether the limit may be `Infinity`, which means no limit. */
  readonly isOpen?: true;
}

export type Ranges = Readonly<Record<string, Range>>;

/** The largest whole number that a double represents exactly. */
const ANY = Number.MAX_SAFE_INTEGER;
/** A string has at most about 512 Mi characters; what is built from a body or a result must fit. */
const LARGEST_TEXT = 256 * MEBIBYTE;

export const LIMIT_RANGES = {
  bodyBytes: { least: 1, most: LARGEST_TEXT },
  bodyIdleMs: { least: 1, most: DAY_MS },
  fileBytes: { least: 1, most: ANY },
  concurrentRuns: { least: 1, most: ANY },
  concurrentRunsPerApp: { least: 1, most: ANY, isOpen: true },
  concurrentRunsPerWorkflow: { least: 1, most: ANY, isOpen: true },
  queuedRuns: { least: 0, most: ANY },
  descendantRuns: { least: 0, most: ANY, isOpen: true },
  runTimeoutMs: { least: 1, most: ANY, isOpen: true },
  runRetentionMs: { least: 0, most: ANY, isOpen: true },
  modelTimeoutMs: { least: 1, most: DAY_MS },
} as const satisfies Ranges;

export const CODE_RANGES = {
  memoryBytes: { least: 1, most: 4_096 * MEBIBYTE },
  timeoutMs: { least: 1, most: DAY_MS },
  stackBytes: { least: 1, most: MEBIBYTE },
  outputCharacters: { least: 1, most: LARGEST_TEXT },
} as const satisfies Ranges;

export function isWithin(value: unknown, { least, most, isOpen }: Range): boolean {
  if (value === Number.POSITIVE_INFINITY) return isOpen === true;
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

export function rangeText({ least, most, isOpen }: Range): string {
  const range = most === ANY ? `of at least ${least}` : `from ${least} to ${most}`;
  return `a whole number ${range}${isOpen === true ? ", or Infinity for no limit" : ""}`;
}
