/** Loads `bullmq`, which the user installs. */
import { packageProblem } from "../package-problem.ts";

export type Bullmq = typeof import("bullmq");

/** In `try`, so that bundlers accept that the package is missing. */
export async function loadBullmq(): Promise<Bullmq> {
  try {
    return await import("bullmq");
  } catch (cause) {
    throw new Error(`${packageProblem("The connection bullmq()", "bullmq", cause)}.`, { cause });
  }
}
