/** Errors for actions whose input or output doesn't match their schema. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type JsonValue, omitUndefined, pointer } from "../../json.ts";
import { plainPath } from "../../messages/field-errors.ts";
import { issueText } from "../../messages/issue-sentence.ts";
import type { ActionErrorDetails } from "../../services/error-details.ts";
import { StepError } from "../step-error.ts";

/** Maximum number of issues that an error reports. */
const MAX_REPORTED_ISSUES = 5;

export type Issues = readonly StandardSchemaV1.Issue[];

/** Replaces credentials in what an error shows of a response. */
export function hideInDetails(
  { status, headers, body }: ActionErrorDetails,
  hide: (text: string) => string,
): ActionErrorDetails {
  const hidden = headers && Object.entries(headers).map(([name, value]) => [name, hide(value)] as const);
  return omitUndefined({
    status,
    headers: hidden && Object.fromEntries(hidden),
    body: body === undefined ? undefined : hideInJson(body, hide),
  });
}

function hideInJson(value: JsonValue, hide: (text: string) => string): JsonValue {
  if (typeof value === "string") return hide(value);
  if (Array.isArray(value)) return value.map((item) => hideInJson(item, hide));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [hide(name), hideInJson(item, hide)]));
}

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
