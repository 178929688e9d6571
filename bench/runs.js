/** Five-step runs in memory, journal on: one after the other, and 64 at once. */
import { createStepwell } from "stepwell";
import { at, rates, report, times } from "./measure.js";

const steps = [
  { type: "input", key: "start", input: { n: { type: "number" } }, destinations: ["before"] },
  { type: "note", key: "before", note: "A step that does nothing.", destinations: ["judge"] },
  {
    type: "branch",
    key: "judge",
    conditions: { high: { order: 1, condition: "input.n > 10", destinations: ["between"] } },
    else: ["after"],
  },
  { type: "note", key: "between", note: "The path that is taken.", destinations: ["after"] },
  { type: "note", key: "after", note: "The end." },
];

const stepwell = createStepwell();
const app = await stepwell.apps.create({ name: "Bench" });
const workflow = await stepwell.workflows.create(app.id, { name: "Five", steps });
await stepwell.workflows.deploy(app.id, workflow.id);

async function once() {
  const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { n: 12 } });
  const run = await stepwell.runs.wait(app.id, id);
  if (run.status !== "succeeded") throw new Error(JSON.stringify(run.error));
}

const alone = await rates({ stepwell: once }, { rounds: 5, milliseconds: 1_500 });
report("5-step run in memory, alone", alone.stepwell, "runs/s");
const latencies = await times(once, 5_000);
report("5-step run in memory, alone, median", at(latencies, 0.5), "ms");
report("5-step run in memory, alone, p99", at(latencies, 0.99), "ms");
const together = await rates({ stepwell: once }, { rounds: 5, milliseconds: 1_500, at_once: 64 });
report("5-step run in memory, 64 at once", together.stepwell, "runs/s");
await stepwell.close();
