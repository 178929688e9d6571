/** Keys of steps stand in addresses: those that no address can contain are refused wherever a definition is written. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { isStepwellError, type Step } from "../../src/index.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";

let t: TestService;
beforeAll(async () => {
  t = await createTestService();
});
afterAll(() => t.close());

const refused = async (act: Promise<unknown>) => {
  const error: unknown = await act.catch((cause: unknown) => cause);
  return isStepwellError(error) ? error.errors.map(({ pointer, message }) => `${pointer}: ${message}`) : error;
};

it.each([".", ".."])("refuses the key %j with its place, in drafts, imports and validation", async (key) => {
  const steps: Step[] = [
    { type: "input", key: "start", input: {}, destinations: [key] },
    { type: "code", key, code: "return 1" },
  ];
  const message = 'Must not be "." or "..": no URL can contain this key.';
  const problems = [`/steps/0/destinations/0: ${message}`, `/steps/1/key: ${message}`];
  const { workflows } = t.stepwell;
  expect(await refused(workflows.create(t.app, { name: "W", steps }))).toEqual(problems);
  const { id } = await workflows.create(t.app, { name: "W" });
  expect(await refused(workflows.putDraft(t.app, id, { steps }))).toEqual(problems);
  const { valid, errors } = await workflows.validate(t.app, id, { steps });
  expect([valid, errors.map(({ pointer }) => pointer)]).toEqual([false, ["/steps/0/destinations/0", "/steps/1/key"]]);
});

it("accepts keys that only contain dots among others", async () => {
  const steps: Step[] = [{ type: "code", key: "...", code: "return 1" }];
  const { id } = await t.stepwell.workflows.create(t.app, { name: "W", steps });
  await t.stepwell.workflows.deploy(t.app, id);
  const run = await t.stepwell.runs.create(t.app, id);
  expect((await t.stepwell.runs.wait(t.app, run.id)).status).toBe("succeeded");
});
