/** The step type `note`: documentation for people. Nothing is executed. */
import type { StepKind } from "../compile/step-kind.ts";

export const note: StepKind<"note"> = {
  compile: () => ({ kind: "pure", evaluate: () => null }),
};
