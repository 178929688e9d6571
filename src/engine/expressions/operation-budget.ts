/** Decides how much one expression may do: a budget of operations, the same on every machine and after every crash. */
import { EvaluationError } from "@marcbachmann/cel-js";

/** Between 20 and 100 ms of work. */
const MOST = 1_000_000;
/** Of all expressions of one step: they are evaluated one after the other, while everything else waits. */
const MOST_TOGETHER = 4 * MOST;
/** Characters that a built-in function reads in the time of one operation. */
const TEXT_SHIFT = 4;
/** To list the keys of a large object takes longer than to pass through a list. */
const KEY_COST = 4;

export interface Budget {
  /** @throws EvaluationError when there is none left; from then on always. */
  spend(operations: number): void;
  /** What reading this value costs, of lists and maps their items alone. */
  spendOn(value: unknown): void;
  /** What comparing with this value costs: all that is in it. */
  spendOnAll(value: unknown): void;
  /** Does work with a fresh budget. Expressions catch errors of their parts: that it ran out is not to be caught. */
  within<T>(work: () => T): T;
  /** Operations of all expressions so far. */
  spent(): number;
  /** Does work whose expressions share one budget, beside that of each. Work that goes on later is not part of it. */
  together<T>(work: () => T): T;
}

export function createBudget(): Budget {
  let left = 0;
  let shared = Number.POSITIVE_INFINITY;
  let end: EvaluationError | undefined;
  let total = 0;

  function spend(operations: number): void {
    left -= operations;
    if (left >= 0) return;
    end ??= exhausted(shared < MOST); // one for all that still try: to make it costs more than what they do
    throw end;
  }

  function spendOn(value: unknown): void {
    if (typeof value === "string") spend(value.length >> TEXT_SHIFT);
    else if (typeof value !== "object" || value === null) return;
    else if (Array.isArray(value)) spend(value.length);
    else if (value instanceof Uint8Array) spend(value.length >> TEXT_SHIFT);
    else if (value instanceof Map) spend(value.size);
    else spend(Object.keys(value).length * KEY_COST);
  }

  function spendOnAll(value: unknown): void {
    spend(1);
    spendOn(value);
    if (typeof value !== "object" || value === null || value instanceof Uint8Array) return;
    const items = Array.isArray(value) ? value : value instanceof Map ? value.values() : Object.values(value);
    for (const item of items) spendOnAll(item);
  }

  return {
    spend,
    spendOn,
    spendOnAll,
    spent: () => total,
    within(work) {
      const granted = Math.min(MOST, Math.max(0, shared));
      left = granted;
      end = undefined;
      try {
        const value = work();
        spend(0);
        return value;
      } finally {
        const spent = granted - Math.max(0, left);
        shared -= spent;
        total += spent;
      }
    },

    together(work) {
      shared = MOST_TOGETHER;
      try {
        return work();
      } finally {
        shared = Number.POSITIVE_INFINITY;
      }
    },
  };
}

function exhausted(isTogether: boolean): EvaluationError {
  const [who, most] = isTogether ? ["The expressions of the step need", MOST_TOGETHER] : ["The expression needs", MOST];
  return new EvaluationError({
    code: "too_much_work",
    message: `${who} more than ${most.toLocaleString("en")} operations, the limit. Use a code step instead`,
  });
}
