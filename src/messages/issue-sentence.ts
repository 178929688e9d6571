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
  const limit = limitSentence(issue);
  if (limit !== null) return limit;
  const { expected, received } = issue;
  const shown = cut(NAMES.get(received) ?? received, MAX_RECEIVED_CHARS);
  if (issue.kind !== "schema") {
    const requirement = requirementOf(issue);
    return requirement === null ? `${shown} is not accepted.` : `Must ${requirement}, not ${shown}.`;
  }
  if (expected === null || expected === "unknown") return `${shown} is not accepted.`;
  const { text, literals } = expectation(expected);
  const near = typeof issue.input === "string" ? didYouMean(issue.input, literals) : "";
  return `Must be ${text}, not ${shown}.${near}`;
}

/** What a check requires, by the label in its message, such as `Invalid email: …`; null for a function of the host. */
function requirementOf({ message, expected }: v.BaseIssue<unknown>): string | null {
  const label = message.slice("Invalid ".length).split(":", 1)[0] ?? "";
  if (expected !== null) return `${VERBS.get(label) ?? "be"} ${expected}`;
  if (label === "input" || label === "") return null;
  return `be ${LABELS.get(label) ?? `a valid ${label}`}`;
}

/** valibot's labels of checks, and how their requirement is said. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ["start", "start with"],
  ["end", "end with"],
  ["content", "contain"],
  ["format", "match"],
]);
const LABELS: ReadonlyMap<string, string> = new Map([
  ["email", "an e-mail address"],
  ["URL", "a URL"],
  ["integer", "an integer"],
  ["safe integer", "an integer"],
  ["UUID", "a UUID"],
]);

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
