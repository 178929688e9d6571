/** Credentials against the schema of their service. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { FieldError } from "../errors.ts";
import { isRecord, type JsonObject, type JsonValue, pointer } from "../json.ts";
import { plainPath } from "../messages/field-errors.ts";
import { issueText } from "../messages/issue-sentence.ts";

export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Characters of a text that is kept secret; shorter ones stand in too many others. */
export const MIN_SECRET_CHARS = 4;
/** Digits of a number that is kept secret; fewer may be a port. */
export const MIN_SECRET_DIGITS = 6;

/** What the schema makes of credentials; or what is wrong with them, without repeating any of them. */
export async function checkCredentials(schema: StandardSchemaV1, credentials: JsonObject): Promise<Checked> {
  try {
    // A schema may change what it checks.
    const result = await schema["~standard"].validate(structuredClone(credentials));
    if (result.issues === undefined) return { ok: true, value: result.value };
    const values = secretValues(credentials);
    return {
      ok: false,
      errors: result.issues.map((issue) => ({
        pointer: pointer(["credentials", ...plainPath(issue.path)]),
        message: safeMessage(issue, values),
      })),
    };
  } catch {
    // What was thrown may hold what was given.
    return {
      ok: false,
      errors: [
        {
          pointer: "/credentials",
          message: "Could not be checked: the connection schema of the service threw an error.",
        },
      ],
    };
  }
}

/** Libraries like to say what they received. */
function safeMessage(issue: StandardSchemaV1.Issue, values: readonly (string | number)[]): string {
  const message = issueText(issue);
  const lower = message.toLowerCase();
  const words = lower.split(/[^\p{L}\p{N}]+/u);
  const isRepeated = (value: string) =>
    value.length < MIN_SECRET_CHARS ? words.includes(value) : lower.includes(value);
  return values.some((value) => isRepeated(String(value).toLowerCase()))
    ? "Does not match the connection schema of the service."
    : message;
}

/** Every text and number in them that could be a secret. */
export function secretValues(value: JsonValue): (string | number)[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number") return [value];
  if (Array.isArray(value)) return value.flatMap(secretValues);
  return isRecord(value) ? Object.values(value as JsonObject).flatMap(secretValues) : []; // a part of JSON
}
