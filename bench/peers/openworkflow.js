/** OpenWorkflow on PostgreSQL, as it comes: its worker and its handles poll. The actions are steps, the rest is code. */
import { OpenWorkflow } from "openworkflow";
import { BackendPostgres } from "openworkflow/postgres";
import { checked, double, finish, INPUT, increase, isHigh } from "./work.js";

export async function start({ url }) {
  const backend = await BackendPostgres.connect(`${url}/postgres`);
  const engine = new OpenWorkflow({ backend });
  const five = engine.defineWorkflow({ name: "five" }, async ({ input, step }) => {
    if (typeof input.n !== "number") throw new TypeError("no number");
    const doubled = await step.run({ name: "double" }, async () => double(input));
    const increased = isHigh(doubled) ? await step.run({ name: "increase" }, async () => increase(doubled)) : doubled;
    return await step.run({ name: "finish" }, async () => finish(increased));
  });
  const worker = engine.newWorker({ concurrency: 64 });
  await worker.start();
  return {
    async once() {
      const handle = await five.run(INPUT);
      checked(await handle.result());
    },
    async close() {
      await worker.stop();
      await backend.stop();
    },
  };
}
