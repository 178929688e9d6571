/** Checks options, for programs that no compiler has checked: a wrong one would have no effect, or make calls hang. */
import { isRecord, ownField } from "../json.ts";
import { MAX_TIMER_MS } from "./backoff.ts";
import type { CallOptions, ClientOptions } from "./client.ts";
import { wrongField } from "./connection.ts";

/** Whether the value of an option is right, and what to say if it is not. */
type Rule = readonly [isRight: (value: unknown) => boolean, message: string];
type Rules<Options> = { readonly [Name in keyof Options]-?: Rule };

const isFunction = (value: unknown) => typeof value === "function";
const isObject = (value: unknown) => typeof value === "object" && value !== null;
const isPositive = (value: unknown) => typeof value === "number" && value > 0;
const isLimit = (value: unknown) => isPositive(value) && (value === Infinity || Number(value) <= MAX_TIMER_MS);

const KEY: Rule = [
  (value) => typeof value === "string" || isFunction(value),
  "Must be a string, or a function that returns one.",
];

export const WHOLE_NUMBER: Rule = [
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  "Must be a whole number of at least 0.",
];

export const CLIENT_OPTIONS: Rules<ClientOptions> = {
  // The connection checks it.
  url: [() => true, ""],
  key: KEY,
  headers: [(value) => isObject(value) || isFunction(value), "Must be an object, or a function that returns one."],
  fetch: [isFunction, "Must be a function."],
  retries: WHOLE_NUMBER,
  timeoutMs: [isLimit, `Must be a number above 0, at most ${MAX_TIMER_MS} (24 days), or Infinity for no limit.`],
  maxResponseBytes: [isPositive, "Must be a number above 0."],
};

export const CALL_OPTIONS: Rules<CallOptions> = {
  // Unlike `instanceof`, accepts a signal of another realm.
  signal: [(value) => Object.prototype.toString.call(value) === "[object AbortSignal]", "Must be an AbortSignal."],
  headers: [isObject, "Must be an object."],
  idempotencyKey: [(value) => typeof value === "string", "Must be a string."],
  key: KEY,
};

/**
 * Options that are undefined are omitted ones.
 * @throws StepwellError `invalid` for the first unknown or invalid option
 */
export function checkOptions<Options>(rules: Rules<Options>, options: unknown): void {
  if (!isRecord(options)) throw wrongField("", "Must be an object.");
  for (const [name, value] of Object.entries(options)) {
    const known: Readonly<Record<string, Rule>> = rules;
    const rule = ownField(known, name);
    if (rule === undefined) throw wrongField(`/${name}`, `Unknown field. Known: ${Object.keys(rules).join(", ")}.`);
    if (value !== undefined && !rule[0](value)) throw wrongField(`/${name}`, rule[1]);
  }
}
