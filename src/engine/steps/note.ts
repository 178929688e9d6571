/** The step type `note`: documentation for people. Nothing is executed. */
import type { StepImplementation } from "../compile/step-implementation.ts";

export const note: StepImplementation<"note"> = {
  compile: () => ({ kind: "pure", evaluate: () => null }),
};
