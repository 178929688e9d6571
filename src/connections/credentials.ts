/** Credentials against the schema of their service. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { FieldError } from "../errors.ts";
import { isRecord, type JsonObject, type JsonValue, pointer } from "../json.ts";
import { issueText } from "../messages/issue-sentence.ts";
import { plainPath } from "../schema.ts";

export type Checked = { readonly value: unknown } | { readonly errors: readonly FieldError[] };

/** Characters of a text that is kept secret; shorter ones stand in too many others. */
export const SHORTEST = 4;
/** Digits of a number that is kept secret; fewer may be a port. */
export const SHORTEST_NUMBER = 6;

/** What the schema makes of credentials; or what is wrong with them, without repeating any of them. */
export async function checkCredentials(schema: StandardSchemaV1, credentials: JsonObject): Promise<Checked> {
  try {
    // A schema may change what it checks.
    const result = await schema["~standard"].validate(structuredClone(credentials));
    if (result.issues === undefined) return { value: result.value };
    const values = scalars(credentials);
    return {
      errors: result.issues.map((issue) => ({
        pointer: pointer(["credentials", ...plainPath(issue.path)]),
        message: told(issue, values),
      })),
    };
  } catch {
    // What was thrown may hold what was given.
    return {
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
function told(issue: StandardSchemaV1.Issue, values: readonly (string | number)[]): string {
  const message = issueText(issue);
  const lower = message.toLowerCase();
  const words = lower.split(/[^\p{L}\p{N}]+/u);
  const isTold = (value: string) => (value.length < SHORTEST ? words.includes(value) : lower.includes(value));
  return values.some((value) => isTold(String(value).toLowerCase()))
    ? "Does not match the connection schema of the service."
    : message;
}

/** Every text and number in them that could be a secret. */
export function scalars(value: JsonValue): (string | number)[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number") return [value];
  if (Array.isArray(value)) return value.flatMap(scalars);
  return isRecord(value) ? Object.values(value as JsonObject).flatMap(scalars) : []; // a part of JSON
}
