/** A program that only follows a run with a delay. */
import { createStepwell } from "../../src/index.ts";

const stepwell = createStepwell();
const app = await stepwell.apps.create({ name: "A" });
const service = { service: "scheduler", action: "delay", input: { seconds: 1 } } as const;
const workflow = await stepwell.workflows.create(app.id, {
  name: "W",
  steps: [{ type: "service", key: "later", service }],
});
await stepwell.workflows.deploy(app.id, workflow.id);
const { id } = await stepwell.runs.create(app.id, workflow.id);
for await (const { type } of stepwell.runs.events(app.id, id)) console.log(type);
const again = await stepwell.runs.create(app.id, workflow.id);
for await (const { type } of stepwell.runs.events(app.id, again.id)) if (type === "step.waiting") break;
console.log("left");
