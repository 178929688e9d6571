/** Calls of a service whose storage fails: only `unavailable` may reject them. */
import { expect } from "vitest";
import { isStepwellError } from "../../../src/index.ts";

/** The result of a call; null if it rejects, which must be with `unavailable`, or if the process dies first. */
export async function unlessUnavailable<T>(answer: Promise<T>, death: Promise<void>): Promise<T | null> {
  const refused = answer.catch((error: unknown) => {
    expect(isStepwellError(error, "unavailable"), String(error)).toBe(true);
    return null;
  });
  return Promise.race([refused, death.then(() => null)]);
}
