// From nothing to a run that has ended: node examples/quickstart/quickstart.js
import { createStepwell } from "stepwell";

const stepwell = createStepwell();

const app = await stepwell.apps.create({ name: "Lending" });
const workflow = await stepwell.workflows.create(app.id, {
  name: "Interest",
  steps: [
    { type: "input", key: "start", input: { amount: { type: "number" }, years: { type: "number", default: 1 } } },
    { type: "code", key: "interest", code: "return Math.round(input.amount * (1.04 ** input.years - 1))" },
    {
      type: "branch",
      key: "size",
      conditions: { large: { order: 1, condition: "steps.interest.output > 1000", destinations: [] } },
    },
  ],
});
await stepwell.workflows.deploy(app.id, workflow.id, { notes: "first" });

const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { amount: 20_000, years: 2 } });
const run = await stepwell.runs.wait(app.id, id);
console.log(run.status, run.output); // succeeded { taken: 'large' }
