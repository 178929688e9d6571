/** The list of the failed runs that a summary counts. */
import type { Summary } from "../../../../src/summary/summary.ts";
import { addressOf, NO_TESTS } from "../runs/filters/run-filters.ts";

/**
 * The address of the list: from the first hour of the summary, and without tests of steps, so that it has as many runs as the
 * summary counts.
 * @param workflow Id of the workflow. Default: all.
 */
export function failedRuns(appId: string, { hours }: Summary, workflow: string | null = null): string {
  const from = hours[0]?.from ?? null;
  const filters = addressOf({ status: ["failed"], workflow, trigger: NO_TESTS, from });
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== null) params.set(name, value);
  return `/apps/${appId}/runs?${params}`;
}
