/**
 * Limits the work of an expression with a budget of operations, which is the same on every machine and after a crash.
 */
import { EvaluationError } from "@marcbachmann/cel-js";
import { groupedDigits } from "../../messages/grouped-digits.ts";

/** Takes between 20 and 100 ms. */
export const MAX_OPERATIONS = 1_000_000;
/** For all expressions of one step, which are evaluated in sequence and block everything else. */
const MAX_OPERATIONS_PER_STEP = 4 * MAX_OPERATIONS;
/** A built-in function reads or writes them in the time of one operation. */
export const CHARS_PER_OPERATION = 16;
/** Listing the keys of a large object takes longer than iterating over a list. */
const KEY_COST = 4;

/** What several calls have spent of a budget that they share. */
export interface Spending {
  operations: number;
}

export interface Budget {
  /** @throws EvaluationError if the budget is exceeded, and on every later call. */
  spend(operations: number): void;
  /** Charges for reading a value. Lists and maps count their items, not what these contain. */
  spendOn(value: unknown): void;
  /** Charges for comparing with a value, including everything in it. */
  spendOnAll(value: unknown): void;
  /** Evaluates with a fresh budget. Expressions can catch errors of subexpressions, but not this one. */
  within<T>(work: () => T): T;
  /** Charges for what is done with the values of expressions, such as joining texts. The next expression has less. */
  charge(operations: number): void;
  /** Total number of operations of all expressions. */
  spent(): number;
  /**
   * Evaluates expressions that share a budget, in addition to their own. Doesn't include asynchronous work.
   * @param earlier What earlier calls have spent of the same budget. Adds what this call spends.
   */
  shareBudget<T>(work: () => T, earlier?: Spending): T;
}

export function createBudget(): Budget {
  let left = 0;
  let shared = Number.POSITIVE_INFINITY;
  let end: EvaluationError | undefined;
  let total = 0;

  function spend(operations: number): void {
    left -= operations;
    if (left >= 0) return;
    end ??= exhaustedError(shared < MAX_OPERATIONS); // reused, because creating an error costs more than an operation
    throw end;
  }

  function spendOn(value: unknown): void {
    if (typeof value === "string") spend(Math.floor(value.length / CHARS_PER_OPERATION));
    else if (typeof value !== "object" || value === null) return;
    else if (Array.isArray(value)) spend(value.length);
    else if (value instanceof Uint8Array) spend(Math.floor(value.length / CHARS_PER_OPERATION));
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
    charge(operations) {
      shared -= operations;
      total += operations;
    },
    within(work) {
      const granted = Math.min(MAX_OPERATIONS, Math.max(0, shared));
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

    shareBudget(work, earlier = { operations: 0 }) {
      shared = MAX_OPERATIONS_PER_STEP - earlier.operations;
      try {
        return work();
      } finally {
        earlier.operations = MAX_OPERATIONS_PER_STEP - shared;
        shared = Number.POSITIVE_INFINITY;
      }
    },
  };
}

function exhaustedError(isShared: boolean): EvaluationError {
  const [subject, limit] = isShared
    ? ["The expressions of the step exceed", MAX_OPERATIONS_PER_STEP]
    : ["The expression exceeds", MAX_OPERATIONS];
  return new EvaluationError({
    code: "too_much_work",
    message: `${subject} the limit of ${groupedDigits(limit)} operations. Use a code step instead`,
  });
}
