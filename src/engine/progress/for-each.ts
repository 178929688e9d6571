/** The items of a step with `for_each`: which have ended, with which results, and which come next. Pure. */
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { approximateJsonSize, type JsonValue, omitUndefined } from "../../json.ts";
import { groupedDigits } from "../../messages/grouped-digits.ts";
import type { ItemCounts, ItemError, StepFailure } from "../../runs/run-step.ts";
import { MAX_ITEMS } from "../../workflows/step-policies.ts";
import type { CompiledForEach } from "../compile/compile-policies.ts";
import { StepError } from "../step-error.ts";
import type { Outcome, StepState } from "./step-state.ts";

/** Results of items, as stored with an ended run. */
export interface ItemResults {
  readonly counts: ItemCounts;
  readonly errors: readonly ItemError[];
  /** The output of the step, or null if it has not succeeded. */
  readonly output: JsonValue;
  /** Outputs of the items of a step that has not succeeded, by index. */
  readonly done: readonly (readonly [number, JsonValue])[];
}

export interface ForEachState {
  readonly items: readonly JsonValue[];
  /** Takes the indexes of items to begin next, as many as the concurrency allows. */
  begin(): readonly number[];
  /** Applies the outcome of an item that has begun. Returns why the step fails, or null. */
  settle(item: number, outcome: Outcome): StepFailure | null;
  /** Begins anew, without the items that ended before the run was retried. An item that failed the step is repeated. */
  restore(results: ItemResults): void;
  isDone(): boolean;
  /** When the last item ended, in milliseconds since 1970. Not that of the last outcome: they may come in another order. */
  finishedAt(): number;
  results(): ItemResults;
}

/** Maximum length of all items as JSON, and of all outputs, in characters. */
const MAX_CHARS = 10 * MEBIBYTE;
const OUTPUT_LIMIT = {
  code: "output_limit",
  message: `The outputs of the items exceed ${groupedDigits(MAX_CHARS)} characters of JSON.`,
};
/** The errors of 10,000 items are stored with the run. */
const MAX_MESSAGE_CHARS = 500;

/** @throws StepError `invalid_items` if the value is not a list within the limits */
export function checkedItems(value: JsonValue): readonly JsonValue[] {
  if (!Array.isArray(value)) {
    const actual =
      value === null ? "null" : typeof value === "object" ? "an object" : JSON.stringify(value).slice(0, 100);
    throw new StepError("invalid_items", `The items of for_each must be a list, not ${actual}.`);
  }
  if (value.length > MAX_ITEMS) {
    throw new StepError(
      "invalid_items",
      `for_each accepts at most ${groupedDigits(MAX_ITEMS)} items, not ${groupedDigits(value.length)}. Split the list across several runs.`,
    );
  }
  if (approximateJsonSize(value, MAX_CHARS) > MAX_CHARS) {
    throw new StepError(
      "invalid_items",
      `The items of for_each exceed ${groupedDigits(MAX_CHARS)} characters of JSON.`,
    );
  }
  return value;
}

export function createForEachState(
  items: readonly JsonValue[],
  { concurrency, isTolerant }: CompiledForEach,
): ForEachState {
  const outputs = new Map<number, JsonValue>();
  const errors = new Map<number, ItemError>();
  let next = 0;
  let active = 0;
  let chars = 0;
  let finishedAt = 0;

  /** Adds the output of an item, unless all of them would be too long. */
  function add(item: number, output: JsonValue): boolean {
    const more = approximateJsonSize(output, MAX_CHARS - chars) + 1;
    if (chars + more > MAX_CHARS) return false;
    chars += more;
    outputs.set(item, output);
    return true;
  }

  return {
    items,

    begin() {
      const begun: number[] = [];
      for (; active < concurrency && next < items.length; next++) {
        if (outputs.has(next) || errors.has(next)) continue;
        active++;
        begun.push(next);
      }
      return begun;
    },

    settle(item, { output, error, attempts, finished_at }) {
      active--;
      finishedAt = Math.max(finishedAt, finished_at);
      if (error === null) return add(item, output) ? null : { ...OUTPUT_LIMIT, index: item };
      const { code, message, field } = error;
      const short = message.length > MAX_MESSAGE_CHARS ? `${message.slice(0, MAX_MESSAGE_CHARS)}…` : message;
      errors.set(item, omitUndefined({ index: item, code, message: short, field, attempts }));
      return isTolerant ? null : { ...error, index: item };
    },

    restore({ done, errors: failed }) {
      active = 0;
      next = 0;
      for (const [item, output] of done) add(item, output);
      if (isTolerant) for (const error of failed) errors.set(error.index, error);
    },

    finishedAt: () => finishedAt,
    isDone: () => outputs.size + errors.size >= items.length,
    results() {
      const counts = { total: items.length, succeeded: outputs.size, failed: errors.size };
      const failed = [...errors.values()].sort((one, other) => one.index - other.index);
      const hasSucceeded = isTolerant
        ? counts.succeeded + counts.failed === counts.total
        : outputs.size === items.length;
      if (hasSucceeded)
        return { counts, errors: failed, output: items.map((_, item) => outputs.get(item) ?? null), done: [] };
      return { counts, errors: failed, output: null, done: [...outputs].sort(([one], [other]) => one - other) };
    },
  };
}

/** The items as part of the state of their step. */
export function itemsOf({ counts, errors }: ItemResults): { items: ItemCounts; errors?: readonly ItemError[] } {
  return errors.length === 0 ? { items: counts } : { items: counts, errors };
}

/** Adds the items that have ended so far to the state of their step. */
export function withItems(state: StepState, results: ItemResults, allWait: boolean): StepState {
  const status = state.status === "running" && allWait ? "waiting" : state.status;
  return { ...state, status, ...itemsOf(results) };
}
