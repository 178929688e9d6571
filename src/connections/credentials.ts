/** Validates credentials against the schema of their service. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { FieldError } from "../errors.ts";
import { isRecord, type JsonObject, type JsonValue, pointer } from "../json.ts";
import { plainPath } from "../messages/field-errors.ts";
import { issueText } from "../messages/issue-sentence.ts";

export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Characters of a string to hide. Shorter strings occur in too many other texts. */
export const MIN_SECRET_CHARS = 4;
/** Digits of a number to hide. A shorter number may be a port. */
export const MIN_SECRET_DIGITS = 6;

/** The output of the schema, or its errors without any of the credentials. */
export async function checkCredentials(schema: StandardSchemaV1, credentials: JsonObject): Promise<Checked> {
  try {
    // A schema may modify its input.
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
    // The thrown error may contain the credentials.
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

/** Messages of schema libraries often contain the received value. */
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

/** All strings and numbers that may be secret. */
export function secretValues(value: JsonValue): (string | number)[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number") return [value];
  if (Array.isArray(value)) return value.flatMap(secretValues);
  return isRecord(value) ? Object.values(value as JsonObject).flatMap(secretValues) : []; // part of a JSON value
}
