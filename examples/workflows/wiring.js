// Branches, an approval in the middle of a run, and events: node examples/workflows/wiring.js
import { createStepwell } from "stepwell";

const stepwell = createStepwell();
const app = await stepwell.apps.create({ name: "Lending" });
const workflow = await stepwell.workflows.create(app.id, {
  name: "Loan",
  steps: [
    { type: "input", key: "start", input: { amount: { type: "number" } }, destinations: ["judge"] },
    {
      type: "branch",
      key: "judge",
      conditions: { large: { order: 1, condition: "input.amount > 10000.0", destinations: ["approve"] } },
      else: ["book"],
    },
    { type: "input", key: "approve", input: { granted: { type: "boolean" } }, destinations: ["book"] },
    {
      type: "code",
      key: "book",
      code: `
        const isGranted = steps.approve.status === "skipped" || steps.approve.output.granted;
        return isGranted ? "booked " + input.amount : "declined";
      `,
    },
    { type: "code", key: "audit", input_connected: true, code: "return 'audited ' + input.amount" },
  ],
});
await stepwell.workflows.deploy(app.id, workflow.id);

const small = await stepwell.runs.create(app.id, workflow.id, { input: { amount: 500 } });
show(await stepwell.runs.wait(app.id, small.id));

const large = await stepwell.runs.create(app.id, workflow.id, { input: { amount: 50_000 } });
for await (const _ of stepwell.runs.events(app.id, large.id)) {
  const run = await stepwell.runs.get(app.id, large.id);
  if (run.status !== "waiting") continue;
  show(run);
  await stepwell.runs.provide(app.id, large.id, "approve", { granted: true });
}
show(await stepwell.runs.get(app.id, large.id));
await stepwell.close();

function show({ input, status, steps, output }) {
  console.log(`${input.amount}: ${status} ${JSON.stringify(output)}`);
  console.log(steps.map((step) => `  ${step.key.padEnd(8)} ${step.status}`).join("\n"));
}
