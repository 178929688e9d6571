/** The range of each limit. */

import { MEBIBYTE } from "../encoding/bytes.ts";
import { DAY_MS } from "../time/units.ts";

/** A range of whole numbers. */
export interface Range {
  readonly min: number;
  readonly max: number;
  /** Whether the limit may be `Infinity`, which means no limit. */
  readonly isOpen?: true;
}

export type Ranges = Readonly<Record<string, Range>>;

/** The largest whole number that a double represents exactly. */
const ANY = Number.MAX_SAFE_INTEGER;
/** A string has at most about 512 Mi characters; what is built from a body or a result must fit. */
const MAX_TEXT_CHARS = 256 * MEBIBYTE;

export const LIMIT_RANGES = {
  bodyBytes: { min: 1, max: MAX_TEXT_CHARS },
  bodyIdleMs: { min: 1, max: DAY_MS },
  fileBytes: { min: 1, max: ANY },
  concurrentRuns: { min: 1, max: ANY },
  concurrentRunsPerApp: { min: 1, max: ANY, isOpen: true },
  concurrentRunsPerWorkflow: { min: 1, max: ANY, isOpen: true },
  queuedRuns: { min: 0, max: ANY },
  childRuns: { min: 1, max: ANY, isOpen: true },
  descendantRuns: { min: 0, max: ANY, isOpen: true },
  runTimeoutMs: { min: 1, max: ANY, isOpen: true },
  runRetentionMs: { min: 0, max: ANY, isOpen: true },
  modelTimeoutMs: { min: 1, max: DAY_MS },
} as const satisfies Ranges;

export const CODE_RANGES = {
  memoryBytes: { min: 1, max: 4_096 * MEBIBYTE },
  timeoutMs: { min: 1, max: DAY_MS },
  stackBytes: { min: 1, max: MEBIBYTE },
  outputCharacters: { min: 1, max: MAX_TEXT_CHARS },
} as const satisfies Ranges;

export function isWithin(value: unknown, { min, max, isOpen }: Range): boolean {
  if (value === Number.POSITIVE_INFINITY) return isOpen === true;
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

export function rangeText({ min, max, isOpen }: Range): string {
  const range = max === ANY ? `of at least ${min}` : `from ${min} to ${max}`;
  return `a whole number ${range}${isOpen === true ? ", or Infinity for no limit" : ""}`;
}
