/** Code: JavaScript of users, in the sandbox and nowhere else. DESIGN 5.5. */
import type { JsonValue } from "../../json.ts";
import { SandboxError } from "../../ports/sandbox.ts";
import { StepError } from "../step-error.ts";
import { MINUTE, SECOND, type StepKind } from "../step-kind.ts";

const MEBI = 1024 * 1024;
const LIMITS = { memory: 64 * MEBI, time: 5 * SECOND, stack: MEBI, output: 10 * MEBI };

export const code: StepKind<"code"> = {
  compile: (step) => ({
    kind: "effect",
    tries: 1,
    timeout: MINUTE,
    async run({ input, steps }, { signal, log }, effects) {
      const sandbox = await effects.sandbox();
      try {
        const result = await sandbox.run({ code: step.code, globals: { input, steps }, limits: LIMITS, signal });
        log(...result.logs);
        return result.value as JsonValue; // the port promises plain JSON
      } catch (error) {
        if (error instanceof SandboxError) throw new StepError(error.code, error.message, { logs: error.logs });
        throw error;
      }
    },
  }),
};
