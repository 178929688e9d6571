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
  return async (cancelAfter) => {
    const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { n: 21 } });
    if (cancelAfter !== undefined) {
      await later(cancelAfter);
      await stepwell.runs.cancel(app.id, id);
    }
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

const endless = await deployed(code("while (true) {}"), "canceled");

/** Hostile or heavy: each ends at a limit, is canceled, or has much to hand over. */
const loads = {
  "no code": () => later(500),
  "code that is done at once": await deployed(code("return 1;"), "succeeded"),
  "code that never ends, canceled": () => endless(1_000),
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
for (const [what, once] of Object.entries(loads)) {
  await once();
  const delays = [];
  for (let turn = 0; turn < 5; turn++)
    delays.push(await longestDelay(() => Promise.all(Array.from({ length: 4 }, () => once()))));
  report(`event loop, longest delay under four of ${what}`, median(delays), "ms", what === "no code" ? "" : "under 5");
}
await stepwell.close();

/**
 * Beyond the millisecond that the timer of the monitor sleeps by itself. What another program takes of the processor
 * counts too: hence the medians, and the line for no code.
 */
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
