/** Checks that a step's output is JSON, and makes it immune to changes by other code. Pure. */
import { MEBIBYTE } from "../../../encoding/bytes.ts";
import { type OwnedJson, ownedJson, receivedJson } from "../../../encoding/json/owned-json.ts";
import type { JsonValue } from "../../../json.ts";
import { groupedDigits } from "../../../messages/grouped-digits.ts";
import { isUpTo, isWritten } from "../../state/large-values.ts";
import { invalidOutput, StepError } from "../../step-error.ts";
import type { Executable } from "../step-context.ts";

/** Maximum length of an output as JSON, in characters. */
const MAX_OUTPUT_CHARS = 10 * MEBIBYTE;

/**
 * Returns an output that no other code can change.
 * @throws StepError if it is not JSON, or too long
 */
export function takenOutput(value: JsonValue | undefined, executable: Executable): JsonValue {
  if (value === undefined) return null;
  const taken = ownedBy(executable, value);
  if (taken.problem === null && isUpTo(MAX_OUTPUT_CHARS, taken.value)) return taken.value;
  if (taken.problem !== null && taken.isTooLong !== true) throw invalidOutput(taken.problem);
  throw new StepError(
    "output_limit",
    `The output of the step exceeds ${groupedDigits(MAX_OUTPUT_CHARS)} characters of JSON.`,
  );
}

function ownedBy(executable: Executable, value: JsonValue): OwnedJson {
  if (executable.kind !== "effect") return receivedJson(value);
  return executable.isPlain === true || isWritten(value)
    ? { value, problem: null }
    : ownedJson(value, MAX_OUTPUT_CHARS);
}
