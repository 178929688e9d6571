/** The step type `input`: the start of a run with its input, or a later step that waits for input. */
import { wantsContents, withContents } from "../../runs/read-input-files.ts";
import { MINUTE_MS } from "../../time/units.ts";
import type { StepImplementation } from "../compile/step-implementation.ts";

export const input: StepImplementation<"input"> = {
  compile(step, _, { isStart, versionInput }) {
    // Input provided later arrives with file contents already read, so that the caller receives any errors.
    if (!isStart) return { kind: "wait" };
    const definition = { ...versionInput, ...step.input };
    if (!wantsContents(definition))
      return { kind: "pure", evaluate: (scope) => scope.input, input: ({ input }) => input };
    return {
      kind: "effect",
      maxAttempts: 3,
      timeoutMs: 10 * MINUTE_MS,
      input: ({ input }) => input,
      run: ({ input }, { app_id: appId, idempotencyKey: key, signal }, effects) =>
        withContents(definition, input, (fileId, request) =>
          effects.fileContents({ appId, fileId, request, key, signal }),
        ),
    };
  },
};
