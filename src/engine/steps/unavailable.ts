/** Step types that can be written and kept, but not run by this release: deploying one says so. */
import type { Step } from "../../workflows/step.ts";
import type { Compiler, Wait } from "../step-kind.ts";

export const unavailable = {
  compile(step: Step, { problem }: Compiler): Wait {
    problem(["type"], `Steps of type ${step.type} are not available in this release.`);
    return { kind: "wait" };
  },
};
