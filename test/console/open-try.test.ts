/** Which try of a step goes on after the last one that has ended. */
import { expect, it } from "vitest";
import { openTry } from "../../adapters/console/app/run/open-try.ts";

const running = { status: "running", attempts: 4 } as const;
const waits_until = "2026-11-28T12:00:00.000Z";

it.each([
  ["the next try of a step that failed", running, { number: 2, part: null, isFailed: true }, { number: 3, part: null }],
  ["the same repetition after a failure", running, { number: 1, part: 2, isFailed: true }, { number: 2, part: 2 }],
  ["the next repetition", running, { number: 2, part: 2, isFailed: false }, { number: 1, part: 3 }],
  ["none while it waits", { ...running, waits_until }, { number: 1, part: 2, isFailed: true }, null],
  ["none after its end", { ...running, status: "succeeded" } as const, { number: 1, part: 2, isFailed: false }, null],
  [
    "none while no further one is known of",
    { ...running, attempts: 1 },
    { number: 1, part: null, isFailed: true },
    null,
  ],
])("is %s", (_, step, last, open) => {
  expect(openTry(step, last)).toEqual(open);
});
