/** Turns a schema issue into a message that says what would be right. Pure. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type * as v from "valibot";
import { cut } from "../errors.ts";
import { didYouMean } from "./closest-name.ts";

/** Characters of an invalid value that a message repeats. */
const MAX_RECEIVED_CHARS = 100;

/** The message of a Standard Schema issue. valibot's default messages are rephrased to match all others. */
export function issueText(issue: StandardSchemaV1.Issue): string {
  return isOfValibot(issue) ? issueSentence(issue) : issue.message;
}

function isOfValibot(issue: StandardSchemaV1.Issue): issue is StandardSchemaV1.Issue & v.BaseIssue<unknown> {
  return "kind" in issue && "expected" in issue && typeof (issue as { received?: unknown }).received === "string";
}

export function issueSentence(issue: v.BaseIssue<unknown>): string {
  if (!issue.message.startsWith("Invalid ")) return issue.message;
  if (issue.expected === "never") return "Unknown field.";
  if (issue.received === "undefined") return "Is required.";
  const { expected, received } = issue;
  const limit = limitSentence(issue);
  if (limit !== null) return limit;
  const shown = cut(NAMES.get(received) ?? received, MAX_RECEIVED_CHARS);
  if (issue.kind !== "schema") return `Must be ${expected ?? "something else"}, not ${shown}.`;
  const { text, literals } = expectation(expected ?? "something else");
  const near = typeof issue.input === "string" ? didYouMean(issue.input, literals) : "";
  return `Must be ${text}, not ${shown}.${near}`;
}

/** The message for a text or list of the wrong length, or for a number out of range; null for another issue. */
function limitSentence({ type, requirement, input }: v.BaseIssue<unknown> & { requirement?: unknown }): string | null {
  if (typeof requirement !== "number") return null;
  const unit = `${typeof input === "string" ? "character" : "item"}${requirement === 1 ? "" : "s"}`;
  switch (type) {
    case "min_length":
      return requirement === 1 ? "Must not be empty." : `Must have at least ${requirement} ${unit}.`;
    case "max_length":
      return `Must have at most ${requirement} ${unit}.`;
    case "min_value":
      return `Must be at least ${requirement}.`;
    case "max_value":
      return `Must be at most ${requirement}.`;
    default:
      return null;
  }
}

/** valibot's names of types, and names for people. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["string", "a string"],
  ["number", "a number"],
  ["boolean", "a boolean"],
  ["Object", "an object"],
  ["Array", "an array"],
]);

/** Turns `("GET" | "POST")` into `one of "GET", "POST"`, and `(string | Object)` into `a string or an object`. */
function expectation(expected: string): { text: string; literals: readonly string[] } {
  const alternatives = expected.replace(/^\((.*)\)$/s, "$1").split(" | ");
  const literals = alternatives.flatMap((one) => (/^"[^"\\]*"$/.test(one) ? [one.slice(1, -1)] : []));
  if (literals.length === alternatives.length && literals.length > 1) {
    return { text: `one of ${alternatives.join(", ")}`, literals };
  }
  return { text: [...new Set(alternatives.map((one) => NAMES.get(one) ?? one))].join(" or "), literals };
}
