/** An input: where a run starts, with what it was given; in the middle of a run, where it waits for somebody. */
import { wantsContents, withContents } from "../../runs/read-input-files.ts";
import { MINUTE_MS } from "../../time/units.ts";
import type { StepKind } from "../compile/step-kind.ts";

export const input: StepKind<"input"> = {
  compile(step, _, { isStart, versionInput }) {
    // What it waits for comes with its contents read already: whoever gives it is there to hear what is wrong with it.
    if (!isStart) return { kind: "wait" };
    const definition = { ...versionInput, ...step.input };
    if (!wantsContents(definition)) return { kind: "pure", evaluate: (scope) => scope.input };
    return {
      kind: "effect",
      maxAttempts: 3,
      timeoutMs: 10 * MINUTE_MS,
      run: ({ input }, { app_id: appId, idempotencyKey: key, signal }, effects) =>
        withContents(definition, input, (fileId, wanted) =>
          effects.fileContents({ appId, fileId, wanted, key, signal }),
        ),
    };
  },
};
