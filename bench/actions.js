/** The plain functions of the benches as steps of ours. */
import * as stepwell from "stepwell";
import { z } from "zod";
import { double, finish, increase } from "./peers/work.js";

const value = z.object({ value: z.number() });
const done = z.object({ value: z.number(), done: z.boolean() });

/** What `createStepwell` needs, and `step(name, input)`: what a step of such an action consists of. */
export function hostActions() {
  if (stepwell.defineService === undefined) return stubs();
  const service = stepwell.defineService({
    name: "bench",
    actions: {
      double: { title: "Double", input: z.object({ n: z.number() }), output: value, run: double },
      increase: { title: "Increase", input: value, output: value, run: increase },
      finish: { title: "Finish", input: value, output: done, run: finish },
    },
  });
  return {
    options: { services: [service] },
    step: (action, input) => ({ type: "service", service: { service: "bench", action, input } }),
  };
}

/** A release without services: code steps, in a sandbox that calls the function which the code names. */
function stubs() {
  console.error("!! no defineService in this build: host actions are stood in for by code steps and a stub sandbox");
  const run = {
    double: ({ input }) => double(input),
    increase: ({ steps }) => increase(steps.double.output),
    finish: ({ steps }) => finish((steps.increase ?? steps.double).output),
  };
  const sandbox = {
    run: async ({ code, globals }) => ({ value: run[code](globals), logs: [] }),
    async close() {},
  };
  return { options: { sandbox }, step: (action) => ({ type: "code", code: action }) };
}
