/** A definition with empty values for omitted fields, as the server stores it. Pure. */
import { omitUndefined } from "../../../../../src/json.ts";
import type { Definition, DraftPut } from "../../../../../src/workflows/version.ts";

export function wholeDefinition({
  input,
  input_default,
  input_options,
  steps,
  settings,
  pinned,
}: DraftPut): Definition {
  return {
    input: input ?? {},
    input_default: input_default ?? null,
    input_options: input_options ?? null,
    steps: steps ?? [],
    ...omitUndefined({ settings, pinned }),
  };
}
