/** Errors for actions whose input or output doesn't match their schema. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { pointer } from "../../json.ts";
import { plainPath } from "../../messages/field-errors.ts";
import { issueText } from "../../messages/issue-sentence.ts";
import { StepError } from "../step-error.ts";

/** Maximum number of issues that an error reports. */
const MAX_REPORTED_ISSUES = 5;

export type Issues = readonly StandardSchemaV1.Issue[];

/** @param title `SERVICE.ACTION` */
export function invalidInputError(title: string, issues: Issues): StepError {
  return schemaError("invalid_input", `The input does not match the schema of ${title}`, issues);
}

/** @param title `SERVICE.ACTION` */
export function invalidOutputError(title: string, issues: Issues): StepError {
  return schemaError("invalid_output", `The output of ${title} does not match its schema`, issues);
}

function schemaError(code: string, what: string, issues: Issues): StepError {
  const reported = issues
    .slice(0, MAX_REPORTED_ISSUES)
    .map((issue) => `${pointer(plainPath(issue.path)) || "whole value"}: ${issueText(issue)}`);
  const more = issues.length > MAX_REPORTED_ISSUES ? ` (and ${issues.length - MAX_REPORTED_ISSUES} more)` : "";
  return new StepError(code, `${what}: ${reported.join("; ")}${more}`);
}
