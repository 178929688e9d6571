/** Compiling a large definition leaves turns of the event loop to other work. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject, Step } from "../../src/index.ts";
import { give, openService, type Service } from "../support/engine/service.ts";

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stepwell.close());

/** How many turns of the event loop an operation takes. */
async function turnsOf(operation: Promise<unknown>): Promise<number> {
  let isDone = false;
  let turns = 0;
  const done = operation.then(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise(setImmediate);
    turns++;
  }
  await done;
  return turns;
}

it.each<[string, (step: Step) => Step]>([
  ["without expressions", (step) => step],
  ["with expressions", (step) => ({ ...step, conditional: "input.a == 1" })],
])("compiles a hundred steps in a turn: 2,000 steps %s", async (_, change) => {
  const { stepwell, app, draft } = service;
  const id = await draft([]);
  const validate = (count: number) => {
    const steps = Array.from({ length: count }, (_, index) => change(give(`s${index}`)));
    return stepwell.workflows.validate(app, id, { steps } as unknown as JsonObject);
  };
  expect(await validate(2)).toEqual({ valid: true, errors: [] });
  const few = await turnsOf(validate(2));
  expect(await turnsOf(validate(2_000))).toBeGreaterThanOrEqual(few + 19);
});
