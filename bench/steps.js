/** A chain of 1,000 steps against one of 100, in memory: the cost of a run is linear in its steps. */
import { createStepwell } from "stepwell";
import { hostActions } from "./actions.js";
import { median, report, round } from "./measure.js";

const { step, options } = hostActions();
const stepwell = createStepwell(options);
const app = await stepwell.apps.create({ name: "Bench" });

/** An input step, then actions one after the other. */
async function chain(length) {
  const steps = Array.from({ length: length - 1 }, (_, at) => ({
    ...step("double", { n: "{{ input.n }}" }),
    key: `s${at}`,
  }));
  const definition = {
    name: `Chain of ${length}`,
    steps: [{ type: "input", key: "input", input: { n: { type: "number" } } }, ...steps],
  };
  const workflow = await stepwell.workflows.create(app.id, definition);
  await stepwell.workflows.deploy(app.id, workflow.id);
  return async () => {
    const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { n: 12 } });
    const { status, error } = await stepwell.runs.wait(app.id, id);
    if (status !== "succeeded") throw new Error(JSON.stringify(error));
  };
}

const sides = { short: await chain(100), long: await chain(1_000) };
const seen = { short: [], long: [] };
for (let turn = 0; turn < 6; turn++) {
  for (const [name, once] of Object.entries(sides)) {
    const one = await round(once, { milliseconds: 1_000, at_once: 1 });
    if (turn > 0) seen[name].push(one);
  }
}
const p50 = (name) => median(seen[name].map((one) => one.p50));
report("a run of 100 steps", p50("short"), "ms");
report("a run of 1,000 steps", p50("long"), "ms");
// Over all runs of a turn: the median run of 100 steps is one that no collection of garbage and no checkpoint falls into.
report("a run of 1,000 steps over one of 100", 1 / over("rate"), "times", "at most 12");
report("a run of 1,000 steps over one of 100, processor time", over("cpu"), "times");
report("a run of 1,000 steps over one of 100, at the median", over("p50"), "times");
await stepwell.close();

/** Of each turn by itself, for a machine's speed drifts. */
function over(figure) {
  return median(seen.long.map((one, turn) => one[figure] / seen.short[turn][figure]));
}
