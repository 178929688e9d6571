/** The plain functions of the benches as steps of ours. */
import { defineService } from "stepwell";
import { z } from "zod";
import { double, finish, increase } from "./peers/work.js";

const value = z.object({ value: z.number() });
const done = z.object({ value: z.number(), done: z.boolean() });

/** What `createStepwell` needs, and `step(name, input)`: what a step of such an action consists of. */
export function hostActions() {
  const service = defineService({
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
