/** Code steps seen from outside: what a warm one costs, and how long any of them holds the event loop. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createStepwell } from "stepwell";
import { median, report, round } from "./measure.js";

const stepwell = createStepwell({ logger: { debug() {}, info() {}, warn() {}, error: console.error } });
const app = await stepwell.apps.create({ name: "Bench" });

async function deployed(step, expected) {
  const steps = [
    { type: "input", key: "start", input: { n: { type: "number" } } },
    { ...step, key: "work" },
  ];
  const workflow = await stepwell.workflows.create(app.id, { name: "Code", steps });
  await stepwell.workflows.deploy(app.id, workflow.id);
  return async () => {
    const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { n: 21 } });
    const { status, error } = await stepwell.runs.wait(app.id, id);
    if (status !== expected) throw new Error(`the run has ${status}: ${JSON.stringify(error)}`);
  };
}

const code = (text) => ({ type: "code", code: text });
const note = await deployed({ type: "note", note: "Nothing." }, "succeeded");
const small = await deployed(code("return input.n * 2;"), "succeeded");

const seen = { note: [], small: [] };
for (let turn = 0; turn < 6; turn++) {
  for (const [name, once] of Object.entries({ note, small })) {
    const { p50 } = await round(once, { milliseconds: 500, at_once: 1 });
    if (turn > 0) seen[name].push(p50);
  }
}
report("a run with a code step that does next to nothing", median(seen.small), "ms");
report("the same run with a note in its place", median(seen.note), "ms");
report(
  "a warm code step over its own work",
  median(seen.small.map((one, at) => one - seen.note[at])),
  "ms",
  "under 0.4",
);

/** Hostile or heavy: each ends at a limit, or has much to hand over. */
const loads = {
  "code that is idle": await deployed(code("return 1;"), "succeeded"),
  "code that never ends": await deployed(code("while (true) {}"), "failed"),
  "code that fills its memory": await deployed(
    code("const all = []; while (true) all.push('x'.repeat(65536) + all.length);"),
    "failed",
  ),
  "code that returns 4 MB": await deployed(code("return 'x'.repeat(4000000);"), "succeeded"),
  "code that logs 20,000 lines": await deployed(
    code("for (let n = 0; n < 20000; n++) console.log('line', n);"),
    "succeeded",
  ),
};
report("event loop of an idle process, longest delay", await longestDelay(() => later(2_000)), "ms");
for (const [what, once] of Object.entries(loads)) {
  await once();
  const delay = await longestDelay(() => Promise.all(Array.from({ length: 4 }, once)));
  report(`event loop under four of ${what}, longest delay`, delay, "ms", "under 5");
}
await stepwell.close();

/** Beyond the millisecond that the timer of the monitor sleeps by itself. */
async function longestDelay(work) {
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  monitor.enable();
  await later(50);
  monitor.reset();
  await work();
  await later(50);
  monitor.disable();
  return monitor.max / 1e6 - 1;
}

function later(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
