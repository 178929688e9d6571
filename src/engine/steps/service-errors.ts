/** How it is told that an action was given, or gave, what its schema forbids. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { pointer } from "../../json.ts";
import { issueText } from "../../messages/issue-sentence.ts";
import { plainPath } from "../../schema.ts";
import { StepError } from "../step-error.ts";

/** Wrong fields that are told of one input or output. */
const TOLD = 5;

export type Issues = readonly StandardSchemaV1.Issue[];

/** @param title `SERVICE.ACTION` */
export function refusedInput(title: string, issues: Issues): StepError {
  return refused("invalid_input", `The input is not what ${title} takes`, issues);
}

/** @param title `SERVICE.ACTION` */
export function refusedOutput(title: string, issues: Issues): StepError {
  return refused("invalid_output", `${title} gave what its output is not`, issues);
}

function refused(code: string, what: string, issues: Issues): StepError {
  const told = issues
    .slice(0, TOLD)
    .map((issue) => `${pointer(plainPath(issue.path)) || "all of it"}: ${issueText(issue)}`);
  const more = issues.length > TOLD ? ` (and ${issues.length - TOLD} more)` : "";
  return new StepError(code, `${what}: ${told.join("; ")}${more}`);
}
