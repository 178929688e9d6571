/**
 * Functions of expressions beyond those of CEL. Each can be called in two ways: `lower(name)` and `name.lower()`. A
 * date parameter accepts a timestamp or an ISO 8601 string. Dates are in UTC. Positions count from 0, negative
 * positions from the end.
 *
 * | for | functions |
 * |---|---|
 * | JSON | `json(value)`, `parseJson(text)` |
 * | values | `text(value)`, `number(value)`, `default(value, other)`: `other` if the value is null or missing (`.?`) |
 * | strings | `lower(text)`, `upper(text)`, `replace(text, from, to[, most])`, `slice(text, from[, to])`, `urlEncode(value)`: encodes a part of a path or query, `escapeMarkdown(value)`: shows as plain text within Markdown |
 * | numbers | `round(number[, digits])`, `floor(number)`, `ceil(number)`, `abs(number)`, `fixed(number, digits)`: text with this number of decimals |
 * | lists | `first`, `last` (null when empty), `slice(list, from[, to])`, `sort(list[, key])`, `unique`, `reverse`, `flatten`, `join(list[, between])`, `range([from, ]to)` |
 * | lists of numbers | `sum`, `avg`, `min`, `max`, and `min(a, b)`, `max(a, b)` |
 * | maps | `keys`, `values`, `entries`: a list of `{key, value}`, `merge(map, map)` |
 * | dates | `date(text)`, `format(date, "yyyy-MM-dd HH:mm:ss")`, `addDays(date, n)`, `addMonths(date, n)`, `daysBetween(from, to)` |
 */
import { type Environment, Optional } from "@marcbachmann/cel-js";
import { urlComponent } from "../../../encoding/url-component.ts";
import { parseJson } from "../../../json.ts";
import { type Budget, CHARS_PER_OPERATION } from "../operation-budget.ts";
import { reverseText, sliceText, splitText } from "./code-points.ts";
import { addDays, addMonths, dateOf, daysBetween, formatDate } from "./date-functions.ts";
import { mapOf } from "./equality.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { type Handler, nameErrors } from "./handler.ts";
import { toJson } from "./to-json.ts";
import {
  compare,
  entriesOf,
  extreme,
  fieldOf,
  fixedNumber,
  identity,
  joinItems,
  numberOf,
  roundNumber,
  wholeOf,
} from "./value-functions.ts";

/** Operations that take as long as converting an object or list to JSON, in addition to its characters. */
const OBJECT_COST = 8;

type List = readonly unknown[];

/** Number parameters are `dyn`, because CEL has three numeric types. */
function functionsOf(budget: Budget): { readonly [signature: string]: Handler } {
  const { spend } = budget;

  function textOf(value: unknown): string {
    const json = toJson(value);
    if (typeof json === "string") return json;
    const text = JSON.stringify(json);
    spend(text.length >> 1);
    return text;
  }

  function replaceText(text: string, from: string, to: string, most = -1): string {
    const parts = splitText(text, from, budget, most < 0 ? most : most + 1);
    spend(Math.floor((parts.length * to.length) / CHARS_PER_OPERATION));
    return parts.join(to);
  }

  return {
    "json(dyn): string": (value: unknown) => {
      const text = JSON.stringify(toJson(value));
      spend(text.length >> 1);
      return text;
    },
    "parseJson(string): dyn": (text: string) => {
      spend(text.length >> 3);
      return parseJson(text);
    },
    "text(dyn): string": textOf,
    "number(dyn): double": (value: unknown) => {
      if (typeof value !== "string") return numberOf(value);
      const number = value.trim() === "" ? Number.NaN : Number(value);
      if (!Number.isFinite(number)) throw new Error(`${JSON.stringify(value.slice(0, 50))} is not a number`);
      return number;
    },
    "default(dyn, dyn): dyn": (value: unknown, other: unknown) => {
      const inner = value instanceof Optional ? (value.hasValue() ? value.value() : null) : value;
      return inner ?? other;
    },

    "lower(string): string": (text: string) => text.toLowerCase(),
    "upper(string): string": (text: string) => text.toUpperCase(),
    "replace(string, string, string): string": (text: string, from: string, to: string) => replaceText(text, from, to),
    "replace(string, string, string, dyn): string": (text: string, from: string, to: string, most: unknown) =>
      replaceText(text, from, to, wholeOf(most)),
    "urlEncode(dyn): string": (value: unknown) => {
      const text = textOf(value);
      spend(text.length >> 3);
      return urlComponent(text);
    },
    "escapeMarkdown(dyn): string": (value: unknown) => {
      const text = textOf(value);
      spend(text.length >> 3);
      return escapeMarkdown(text);
    },
    "slice(string, dyn): string": (text: string, from: unknown) => sliceText(text, wholeOf(from)),
    "slice(string, dyn, dyn): string": (text: string, from: unknown, to: unknown) =>
      sliceText(text, wholeOf(from), wholeOf(to)),

    "round(dyn): double": (number: unknown) => roundNumber(number, 0),
    "round(dyn, dyn): double": roundNumber,
    "fixed(dyn, dyn): string": fixedNumber,
    "floor(dyn): double": (number: unknown) => Math.floor(numberOf(number)),
    "ceil(dyn): double": (number: unknown) => Math.ceil(numberOf(number)),
    "abs(dyn): double": (number: unknown) => Math.abs(numberOf(number)),

    "first(list): dyn": (list: List) => list[0] ?? null,
    "last(list): dyn": (list: List) => list.at(-1) ?? null,
    "slice(list, dyn): list": (list: List, from: unknown) => list.slice(wholeOf(from)),
    "slice(list, dyn, dyn): list": (list: List, from: unknown, to: unknown) => list.slice(wholeOf(from), wholeOf(to)),
    "sort(list): list": (list: List) => {
      spend(list.length * 8);
      return [...list].sort(compare);
    },
    "sort(list, string): list": (list: List, key: string) => {
      spend(list.length * 8);
      return [...list].sort((a, b) => compare(fieldOf(a, key), fieldOf(b, key)));
    },
    "unique(list): list": (list: List) => {
      const seen = new Map<unknown, unknown>();
      for (const item of list) {
        const known = identity(item);
        if (typeof item === "string") spend(item.length >> 3);
        else if (typeof known === "string") spend(OBJECT_COST + (known.length >> 2));
        if (!seen.has(known)) seen.set(known, item);
      }
      return [...seen.values()];
    },
    "reverse(string): string": (text: string) => {
      spend(text.length >> 2);
      return reverseText(text);
    },
    "reverse(list): list": (list: List) => [...list].reverse(),
    "flatten(list): list": (list: List) => {
      for (const item of list) if (Array.isArray(item)) spend(item.length);
      return list.flat();
    },
    "join(list): string": (list: List) => joinItems(list, "", budget),
    "join(list, string): string": (list: List, between: string) => joinItems(list, between, budget),
    "range(dyn): list": (to: unknown) => range(0, wholeOf(to), spend),
    "range(dyn, dyn): list": (from: unknown, to: unknown) => range(wholeOf(from), wholeOf(to), spend),

    "sum(list): double": (list: List) => list.reduce((sum: number, item) => sum + numberOf(item), 0),
    "avg(list): double": (list: List) => {
      if (list.length === 0) throw new Error("an empty list has no average");
      return list.reduce((sum: number, item) => sum + numberOf(item), 0) / list.length;
    },
    "min(list): dyn": (list: List) => extreme(list, -1),
    "max(list): dyn": (list: List) => extreme(list, 1),
    "min(dyn, dyn): dyn": (a: unknown, b: unknown) => extreme([a, b], -1),
    "max(dyn, dyn): dyn": (a: unknown, b: unknown) => extreme([a, b], 1),

    "keys(map): list": (map: object) => entriesOf(map).map(([key]) => key),
    "values(map): list": (map: object) => entriesOf(map).map(([, value]) => value),
    "entries(map): list": (map: object) => entriesOf(map).map(([key, value]) => ({ key, value })),
    "merge(map, map): map": (map: object, over: object) => mapOf([...entriesOf(map), ...entriesOf(over)]),

    "date(dyn): google.protobuf.Timestamp": dateOf,
    "format(dyn, string): string": (date: unknown, pattern: string) => formatDate(dateOf(date), pattern),
    "addDays(dyn, dyn): google.protobuf.Timestamp": (date: unknown, days: unknown) =>
      addDays(dateOf(date), wholeOf(days)),
    "addMonths(dyn, dyn): google.protobuf.Timestamp": (date: unknown, months: unknown) =>
      addMonths(dateOf(date), wholeOf(months)),
    "daysBetween(dyn, dyn): double": (from: unknown, to: unknown) => daysBetween(dateOf(from), dateOf(to)),
  };
}

function range(from: number, to: number, spend: Budget["spend"]): number[] {
  const length = Math.max(0, to - from);
  spend(length);
  return Array.from({ length }, (_, index) => from + index);
}

export function registerFunctions(environment: Environment, budget: Budget): void {
  const sync = { async: false };
  for (const [signature, handler] of Object.entries(functionsOf(budget))) {
    const [name = "", parameters = "", result = ""] = signature.split(/\(|\): /);
    const [first = "", ...others] = parameters.split(", ");
    environment.registerFunction(signature, withCharge(name, handler, budget), sync);
    if (name === "json") continue; // the library defines `bytes.json()`
    // Wrap the handler again: the library stores on it how it is called.
    environment.registerFunction(
      `${first}.${name}(${others.join(", ")}): ${result}`,
      withCharge(name, handler, budget),
      sync,
    );
  }
}

/** Charges for list and map arguments, and prefixes errors with the function's name. */
function withCharge(name: string, handler: Handler, { spendOn }: Budget): Handler {
  return nameErrors(name, (...args: unknown[]) => {
    for (const arg of args) if (typeof arg === "object") spendOn(arg);
    return Reflect.apply(handler, undefined, args);
  });
}
