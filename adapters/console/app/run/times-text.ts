/** How often a step was executed: its tries, or the repetitions of a loop, in which nothing need have failed. Pure. */
import type { RunStep } from "../../../../src/runs/run-step.ts";
import type { Step } from "../../../../src/workflows/step.ts";
import type { Messages } from "../texts/messages.ts";

/**
 * @param last Index of the last repetition that is known of.
 * @returns Undefined for a single time, and for repetitions whose number is not known: the attempts of a step are those of all.
 */
export function timesText(
  texts: Messages["run"],
  { attempts, items }: Pick<RunStep, "attempts" | "items">,
  definition: Step | undefined,
  last: number | undefined,
): string | undefined {
  if (attempts <= 1 || items !== undefined) return undefined;
  if (last !== undefined) return texts.repetitions(last + 1);
  return definition?.loop === undefined ? texts.tries(attempts) : undefined;
}
