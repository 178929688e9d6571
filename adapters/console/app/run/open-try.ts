/** The try of a step that goes on. Pure. */
import type { RunStep } from "../../../../src/runs/run-step.ts";

interface EndedTry {
  readonly number: number;
  /** Index of the repetition of a loop; null without one. */
  readonly part: number | null;
  readonly isFailed: boolean;
}

/**
 * A step that runs after a try has ended is in its next one, which nothing has been stored of.
 * @param last The last try that has ended.
 * @returns Null if none goes on, such as while the step waits before the next one.
 */
export function openTry(
  { status, attempts, waits_until }: Pick<RunStep, "status" | "attempts" | "waits_until">,
  last: EndedTry,
): Pick<EndedTry, "number" | "part"> | null {
  if (status !== "running" || waits_until !== undefined || attempts <= last.number) return null;
  if (last.part !== null && !last.isFailed) return { number: 1, part: last.part + 1 };
  return { number: last.number + 1, part: last.part };
}
