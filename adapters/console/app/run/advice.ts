/** Which advice fits an error. Pure. */
import type { StepFailure } from "../../../../src/runs/run-step.ts";
import type { Messages } from "../texts/messages.ts";

export type Advice = keyof Messages["run"]["advice"];

const BY_CODE: Readonly<Record<string, Advice>> = {
  address_refused: "address",
  timeout: "timeout",
  run_timeout: "timeout",
  fetch_failed: "transient",
  model_failed: "transient",
  expression_failed: "expression",
  invalid_items: "expression",
  code_failed: "code",
  child_failed: "child",
  run_failed: "child",
  invalid: "input",
  invalid_input: "input",
  invalid_output: "input",
  invalid_argument: "input",
};

export function adviceOf({ code, status }: Pick<StepFailure, "code" | "status">): Advice {
  if (status !== undefined) return status === 408 || status === 429 || status >= 500 ? "transient" : "status";
  return BY_CODE[code] ?? "other";
}
