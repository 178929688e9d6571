/** Checks that a step's output is JSON, and makes it immune to changes by other code. Pure. */
import { MEBIBYTE } from "../../../encoding/bytes.ts";
import { copyOf, type JsonValue, jsonProblem, withoutUndefined } from "../../../json.ts";
import { groupedDigits } from "../../../messages/grouped-digits.ts";
import { isUpTo } from "../../state/large-values.ts";
import { invalidOutput, StepError } from "../../step-error.ts";
import type { Executable } from "../step-context.ts";

/** Maximum length of an output as JSON, in characters. */
const MAX_OUTPUT_CHARS = 10 * MEBIBYTE;

/** Returns why an output is rejected, or null if it is valid. */
export function outputProblem(value: JsonValue | undefined, executable: Executable): StepError | null {
  if (value === undefined) return null;
  const problem = isPlain(executable) ? null : jsonProblem(value);
  if (problem !== null) return invalidOutput(problem);
  if (isUpTo(MAX_OUTPUT_CHARS, value)) return null;
  return new StepError(
    "output_limit",
    `The output of the step exceeds ${groupedDigits(MAX_OUTPUT_CHARS)} characters of JSON.`,
  );
}

/** Returns a checked output that no other code can change. */
export function ownedOutput(value: JsonValue | undefined, executable: Executable): JsonValue {
  if (value === undefined) return null;
  if (isPlain(executable)) return value;
  if (executable.kind === "effect" && executable.isShared === true) return copyOf(value);
  return withoutUndefined(value) as JsonValue; // still JSON: this only removes properties
}

function isPlain(executable: Executable): boolean {
  return executable.kind === "effect" && executable.isPlain === true;
}
