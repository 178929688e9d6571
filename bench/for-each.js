/**
 * A step with for_each: its cost for an item against that of a step, how many items are worked on at once, and the memory
 * that 10,000 items take. In memory.
 */
import { createStepwell, defineService } from "stepwell";
import * as v from "valibot";
import { hostActions } from "./actions.js";
import { median, report, round } from "./measure.js";

const ITEMS = 1_000;
const { step, options } = hostActions();
const sleeper = defineService({
  name: "sleeper",
  actions: {
    sleep: {
      input: v.object({}),
      output: v.null(),
      run: () => new Promise((resolve) => setTimeout(() => resolve(null), 200)),
    },
  },
});
const stepwell = createStepwell({ ...options, services: [...(options.services ?? []), sleeper] });
const app = await stepwell.apps.create({ name: "Bench" });

/** Deploys steps after an input, and returns what runs them once. */
async function running(steps, input = { n: 12 }) {
  const start = { type: "input", key: "input", input: {} };
  const workflow = await stepwell.workflows.create(app.id, { name: "Bench", steps: [start, ...steps] });
  await stepwell.workflows.deploy(app.id, workflow.id);
  return async () => {
    const { id } = await stepwell.runs.create(app.id, workflow.id, { input });
    const { status, error } = await stepwell.runs.wait(app.id, id);
    if (status !== "succeeded") throw new Error(JSON.stringify(error));
  };
}

const each = (count, concurrency = 1, more = step("double", { n: "{{ item }}" })) => ({
  ...more,
  key: "each",
  for_each: { items: `range(0, ${count})`, concurrency },
});
const chain = Array.from({ length: ITEMS }, (_, at) => ({ ...step("double", { n: "{{ input.n }}" }), key: `s${at}` }));

const sides = { steps: await running(chain), items: await running([each(ITEMS)]) };
const seen = { steps: [], items: [] };
for (let turn = 0; turn < 8; turn++) {
  for (const [name, once] of Object.entries(sides)) {
    const one = await round(once, { milliseconds: 1_000, at_once: 1 });
    if (turn > 0) seen[name].push(one);
  }
}
const over = (figure) => median(seen.items.map((one, turn) => one[figure] / seen.steps[turn][figure]));
report(`${ITEMS} steps`, median(seen.steps.map(({ p50 }) => p50)), "ms");
report(`${ITEMS} items`, median(seen.items.map(({ p50 }) => p50)), "ms");
report("items over steps, time", over("p50"), "times", "at most 1.5");
report("items over steps, processor time", over("cpu"), "times", "at most 1.5");

const sleep = await running([
  each(10, 10, { type: "service", service: { service: "sleeper", action: "sleep", input: {} } }),
]);
await sleep();
const { p50 } = await round(sleep, { milliseconds: 3_000, at_once: 1 });
report("10 items of 200 ms, 10 at once", p50, "ms", "under 300");

/** Items of code over the output of an earlier step, which each item can see. */
const over500 = async (count) => {
  const list = { type: "code", key: "list", code: `return Array.from({ length: ${count} }, () => "x".repeat(500))` };
  const once = await running([
    list,
    { ...each(0, 1, { type: "code", code: "return item.length" }), for_each: { items: "steps.list.output" } },
  ]);
  await once();
  const start = performance.now();
  await once();
  return performance.now() - start;
};
const [short, long] = [await over500(500), await over500(2_000)];
report("2,000 items of 500 bytes in code", long, "ms");
report("2,000 such items over 500, for each item", long / short / 4, "times", "at most 1.5");

const many = await running([each(10_000, 10)]);
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
let most = 0;
const timer = setInterval(() => {
  most = Math.max(most, process.memoryUsage().heapUsed - before);
}, 5);
const start = performance.now();
await many();
clearInterval(timer);
report("10,000 items", performance.now() - start, "ms");
report("10,000 items, heap above the start at most", most / 2 ** 20, "MB", "under 100");
await stepwell.close();
