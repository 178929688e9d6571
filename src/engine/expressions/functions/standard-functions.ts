/** CEL's standard functions that the library lacks, or implements differently from the language definition. */
import type { Environment } from "@marcbachmann/cel-js";
import { type Operator, replaceFunction, replaceOperator } from "../cel-internals.ts";
import { registerHas } from "../has-macro.ts";
import type { Budget } from "../operation-budget.ts";
import { registerOrder } from "../operators.ts";
import { charAt, indexOf, lastIndexOf, splitText, substring, trimText } from "./code-points.ts";
import { CONVERSIONS } from "./conversions.ts";
import { addNanoseconds, durationBetween, durationOf, nanosecondsOf } from "./durations.ts";
import { type Handler, nameErrors } from "./handler.ts";
import { DATE_PARTS, inZone } from "./time-zones.ts";
import { wholeOf } from "./value-functions.ts";

type Duration = Parameters<typeof nanosecondsOf>[0];

/** Positions are `dyn`, to accept integers of any type. */
const textFunctions = (budget: Budget) => ({
  "string.charAt(dyn): string": (text: string, position: unknown) => charAt(text, wholeOf(position)),
  "string.indexOf(string): int": (text: string, search: string) => BigInt(indexOf(text, search)),
  "string.indexOf(string, dyn): int": (text: string, search: string, from: unknown) =>
    BigInt(indexOf(text, search, wholeOf(from))),
  "string.lastIndexOf(string): int": (text: string, search: string) => BigInt(lastIndexOf(text, search)),
  "string.lastIndexOf(string, dyn): int": (text: string, search: string, from: unknown) =>
    BigInt(lastIndexOf(text, search, wholeOf(from))),
  "string.substring(dyn): string": (text: string, from: unknown) => substring(text, wholeOf(from)),
  "string.substring(dyn, dyn): string": (text: string, from: unknown, to: unknown) =>
    substring(text, wholeOf(from), wholeOf(to)),
  "string.split(string): list<string>": (text: string, between: string) => splitText(text, between, budget),
  "string.split(string, dyn): list<string>": (text: string, between: string, most: unknown) =>
    splitText(text, between, budget, wholeOf(most)),
  "string.trim(): string": trimText,
  "string.lowerAscii(): string": (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  "string.upperAscii(): string": (text: string) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
});

const DURATION_OPERATORS: Readonly<Record<string, Operator>> = {
  "Duration + Duration: Duration": (a: Duration, b: Duration) => durationOf(nanosecondsOf(a) + nanosecondsOf(b)),
  "Duration - Duration: Duration": (a: Duration, b: Duration) => durationOf(nanosecondsOf(a) - nanosecondsOf(b)),
  "Duration + Timestamp: Timestamp": (duration: Duration, date: Date) => addNanoseconds(date, nanosecondsOf(duration)),
  "Timestamp + Duration: Timestamp": (date: Date, duration: Duration) => addNanoseconds(date, nanosecondsOf(duration)),
  "Timestamp - Duration: Timestamp": (date: Date, duration: Duration) => addNanoseconds(date, -nanosecondsOf(duration)),
  "Timestamp - Timestamp: Duration": (date: Date, from: Date) => durationBetween(from, date),
};

export function registerStandardFunctions(environment: Environment, budget: Budget): void {
  for (const [signature, handler] of Object.entries<Handler>({
    ...CONVERSIONS,
    ...textFunctions(budget),
    ...dateFunctions(),
  })) {
    const name = signature.slice(signature.indexOf(".") + 1, signature.indexOf("("));
    replaceFunction(environment, withPackage(signature), nameErrors(name, handler));
  }
  for (const [signature, handler] of Object.entries(DURATION_OPERATORS)) {
    replaceOperator(environment, withPackage(signature), handler);
  }
  registerOrder<Duration>(environment, withPackage("Duration"), (a, b) => nanosecondsOf(a) - nanosecondsOf(b));
  registerHas(environment);
}

function dateFunctions(): Record<string, Handler> {
  const ofDates = Object.entries(DATE_PARTS).flatMap(([name, part]): [string, Handler][] => [
    [`Timestamp.${name}(): int`, (date: Date) => BigInt(part(date))],
    [`Timestamp.${name}(string): int`, (date: Date, zone: string) => BigInt(part(inZone(date, zone)))],
  ]);
  return {
    ...Object.fromEntries(ofDates),
    "Duration.getMilliseconds(): int": ({ nanos }: Duration) => BigInt(Math.trunc(nanos / 1_000_000)),
  };
}

const withPackage = (signature: string) => signature.replace(/\b(?:Timestamp|Duration)\b/g, "google.protobuf.$&");
