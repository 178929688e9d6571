/** What was sent without a response, and may be stored. */
import { expect, it } from "vitest";
import { rememberLost } from "../../../adapters/console/app/merging/lost-writes.ts";
import { StepwellError } from "../../../src/client/index.ts";

interface Fields {
  readonly name: string;
}

/** @param answers What each write is answered with, one after the other. */
async function lostOf(...answers: readonly [name: string, error: Error][]): Promise<readonly string[]> {
  const lost: { current: readonly Fields[] } = { current: [] };
  for (const [name, error] of answers) {
    const write = rememberLost<Fields, Fields>(() => Promise.reject(error), lost);
    await expect(write({ name }, null)).rejects.toBe(error);
  }
  return lost.current.map(({ name }) => name);
}

const NO_RESPONSE = new TypeError("fetch failed");

it("is remembered once, the last one last", async () => {
  expect(await lostOf(["a", NO_RESPONSE], ["b", NO_RESPONSE], ["a", NO_RESPONSE])).toEqual(["b", "a"]);
});

it("is nothing that was refused", async () => {
  const refusal = new StepwellError("precondition_failed", "The revision differs.");
  expect(await lostOf(["a", refusal], ["b", NO_RESPONSE])).toEqual(["b"]);
});

it("includes what a proxy has given up", async () => {
  const timeout = new StepwellError("request_timeout", "No request arrived in time.");
  expect(await lostOf(["a", timeout])).toEqual(["a"]);
});

it("is nothing while it is stored", async () => {
  const lost: { current: readonly Fields[] } = { current: [] };
  const write = rememberLost<Fields, Fields>((fields) => Promise.resolve(fields), lost);
  expect(await write({ name: "a" }, null)).toEqual({ name: "a" });
  expect(lost.current).toEqual([]);
});
