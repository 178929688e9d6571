/**
 * What a run keeps of the attempts, repetitions and items of its steps, for people who look at it. Nothing is kept of a
 * step that succeeds at its first attempt, because its outcome says the same. Pure.
 */
import { cut } from "../../errors.ts";
import { omitUndefined } from "../../json.ts";
import type { StepError } from "../step-error.ts";

/** An attempt of a step that had several. */
export interface EndedAttempt {
  /** From 1. */
  readonly number: number;
  /** Index of the item or the repetition, from 0. */
  readonly item?: number;
  /** Milliseconds since 1970. */
  readonly started_at: number;
  readonly finished_at: number;
  /** Missing if it succeeded. */
  readonly error?: { readonly code: string; readonly message: string };
}

export interface StepHistory {
  /** Start of the first item or repetition, in milliseconds since 1970. */
  readonly since?: number;
  /**
   * Of each item or repetition that has ended, four numbers: its index, the milliseconds from `since` to its start, those
   * from its start to its end, and the number of attempts. As numbers, because there may be 10,000.
   */
  readonly ended?: readonly number[];
  /** Of what had several attempts. */
  readonly attempts?: readonly EndedAttempt[];
}

/** What counts of the outcome of a step, or of one of its items or repetitions. */
interface Ended {
  readonly attempts: number;
  readonly started_at: number;
  readonly finished_at: number;
  readonly kept?: unknown;
  readonly tries?: readonly EndedAttempt[] | undefined;
  readonly history?: StepHistory | undefined;
}

/** The histories of the steps of a run that have one. Most runs have none. */
export type StepHistories = Map<number, LiveHistory> | undefined;

interface LiveHistory {
  since: number | undefined;
  readonly ended: number[];
  readonly attempts: EndedAttempt[];
}

/** Numbers of {@link StepHistory.ended} for each item. */
export const NUMBERS_PER_ITEM = 4;
/** The last attempts of a step or an item that are kept. */
const MAX_ATTEMPTS = 20;
/** All attempts of the items of a step that are kept. */
const MAX_ATTEMPTS_OF_ITEMS = 2_000;
const MAX_MESSAGE_CHARS = 500;

/** Adds an attempt to those of the same step or item. */
export function withAttempt(
  before: readonly EndedAttempt[] | undefined,
  { error, ...attempt }: Omit<EndedAttempt, "item" | "error"> & { readonly error: StepError | null },
): readonly EndedAttempt[] {
  const short =
    error === null ? undefined : { code: error.code, message: [...cut(error.message, MAX_MESSAGE_CHARS)].join("") };
  return [...(before ?? []), omitUndefined({ ...attempt, error: short })].slice(-MAX_ATTEMPTS);
}

/** Adds what an outcome says about a step, or about one of its items or repetitions. */
export function withOutcome(
  histories: StepHistories,
  index: number,
  item: number | undefined,
  outcome: Ended,
): StepHistories {
  const { tries, history, started_at, finished_at } = outcome;
  const hasEnded = item !== undefined && outcome.kept === undefined;
  if (!hasEnded && tries === undefined && history === undefined) return histories;
  const all = histories ?? new Map<number, LiveHistory>();
  const { since, ended = [], attempts = [] } = history ?? {};
  if (history !== undefined) all.set(index, { since, ended: [...ended], attempts: [...attempts] });
  const known = all.get(index) ?? { since: undefined, ended: [], attempts: [] };
  all.set(index, known);
  for (const attempt of tries ?? []) {
    if (known.attempts.length < MAX_ATTEMPTS_OF_ITEMS)
      known.attempts.push(item === undefined ? attempt : { ...attempt, item });
  }
  if (!hasEnded) return all;
  known.since ??= started_at;
  known.ended.push(item, started_at - known.since, finished_at - started_at, outcome.attempts);
  return all;
}

export function historyOf(histories: StepHistories, index: number): StepHistory | undefined {
  const known = histories?.get(index);
  if (known === undefined) return undefined;
  const { since, ended, attempts } = known;
  return {
    ...omitUndefined({ since }),
    ...(ended.length === 0 ? undefined : { ended: [...ended] }),
    ...(attempts.length === 0 ? undefined : { attempts: [...attempts] }),
  };
}
