/** How a field of a step asks for what comes next. The owner of the draft adds and connects it. */
import { createContext } from "react";
import type { Way } from "../editor/draft/ways.ts";

export interface NextSteps {
  /** Asks for a new step that a way leads to. */
  add(way: Way): void;
  /** Asks for one of the steps. */
  connect(way: Way): void;
}

/** null: nothing can be connected here. */
export const NextStepsContext = createContext<NextSteps | null>(null);
