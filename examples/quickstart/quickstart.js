// An order that survives `kill -9`: start it, kill it at any moment, start it again.
//
//   node examples/quickstart/quickstart.js & sleep 2; kill -9 $!; node examples/quickstart/quickstart.js
import { setTimeout } from "node:timers/promises";
import { createStepwell, defineService } from "stepwell";
import fsDriver from "stepwell/storage/fs";
import * as v from "valibot";

const shop = defineService({
  name: "shop",
  actions: {
    call: {
      input: v.object({ task: v.string() }),
      output: v.number(),
      async run({ task }) {
        console.log(process.pid, task, "…");
        await setTimeout(1_000); // your payment provider, your warehouse, your carrier
        console.log(process.pid, task, "done");
        return process.pid;
      },
    },
  },
});
const stepwell = createStepwell({ services: [shop], storage: { entities: fsDriver({ base: ".orders" }) } });

const [app = await stepwell.apps.create({ name: "Shop" })] = (await stepwell.apps.list()).items;
const [{ id } = await order()] = (await stepwell.runs.list(app.id, { status: "running" })).items;
console.log(process.pid, "follows", id);
const { status, steps } = await stepwell.runs.wait(app.id, id);
console.log(status, Object.fromEntries(steps.map(({ key, output }) => [key, output])));
await stepwell.close();

async function order() {
  const workflow = await stepwell.workflows.create(app.id, {
    name: "Order",
    steps: [
      { type: "service", key: "charge", service: { service: "shop", action: "call", input: { task: "charge" } } },
      { type: "service", key: "pack", service: { service: "shop", action: "call", input: { task: "pack" } } },
      { type: "service", key: "ship", service: { service: "shop", action: "call", input: { task: "ship" } } },
    ],
  });
  await stepwell.workflows.deploy(app.id, workflow.id);
  return stepwell.runs.create(app.id, workflow.id);
}
