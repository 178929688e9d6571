/** A note: for people; nothing runs. */
import type { StepKind } from "../compile/step-kind.ts";

export const note: StepKind<"note"> = {
  compile: () => ({ kind: "pure", evaluate: () => null }),
};
