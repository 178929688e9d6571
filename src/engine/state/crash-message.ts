/** What the error of a run says that crashes its process again and again. */
import type { Replayed } from "./replay.ts";

/** Maximum number of steps that the message names. */
const MAX_NAMED = 5;

/** @param crashes What happened, as a sentence. */
export function crashMessage({ plan, ready }: Pick<Replayed, "plan" | "ready">, crashes: string): string {
  const keys = [...new Set(ready.map(({ index }) => JSON.stringify(plan.steps[index]?.step.key)))];
  const named = keys.slice(0, MAX_NAMED).join(", ");
  const steps = `It was executing the step${keys.length === 1 ? "" : "s"} ${named}${keys.length > MAX_NAMED ? " and others" : ""}.`;
  return `${crashes} ${steps}`;
}
