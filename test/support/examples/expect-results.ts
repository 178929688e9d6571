/** Compares a run with the results that its example expects. */
import { expect } from "vitest";
import type { ExampleRun } from "./example.ts";
import type { Ended, Outside } from "./example-host.ts";

export function expectResults({ expected }: ExampleRun, { run, response }: Ended, outside: Outside): void {
  const { output, error, status, steps } = run;
  const byKey = Object.fromEntries(steps.map((step) => [step.key, step]));
  const { sent = [], prompts = [], response: answer, ...outcome } = expected;
  const defaults = { error: null, status: "succeeded" };
  expect({ error, status, output, steps: byKey }).toMatchObject({ ...defaults, ...outcome });
  if (answer !== undefined) expect(response).toMatchObject(answer);
  for (const { headers = {}, ...one } of sent) {
    const withHeaders = { ...one, headers: expect.objectContaining(headers) as object };
    expect(outside.sent()).toContainEqual(expect.objectContaining(withHeaders));
  }
  for (const text of prompts) expect(outside.prompts()).toContain(text);
}
