/** Code steps seen from outside: what a warm one costs, and how long any of them, and long responses, hold the event loop. */
import { once as onceOf } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { createStepwell } from "stepwell";
import { createQuickjsSandbox } from "stepwell/sandbox/quickjs";
import { at, median, report, round } from "./measure.js";

/** A server in another thread: only what the engine does with its response is measured. */
const server = new Worker(
  `const rows = Array.from({ length: 22000 }, (_, id) => ({ id, name: "Person " + id, email: id + "@example.com", tags: ["a", "b"], score: id / 7 }));
   const text = JSON.stringify({ rows });
   const web = require("node:http").createServer((_, response) => response.setHeader("content-type", "application/json").end(text));
   web.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage("127.0.0.1:" + web.address().port));`,
  { eval: true },
);
const [host] = await onceOf(server, "message");

const logger = { debug() {}, info() {}, warn() {}, error: console.error };
const stepwell = createStepwell({ net: { allow: [host] }, logger });
const app = await stepwell.apps.create({ name: "Bench" });

async function deployed(step, expected, input = () => ({ n: 21 })) {
  const fields = { n: { type: "number", default: 0 }, text: { type: "string", default: "" } };
  const steps = [
    { type: "input", key: "start", input: fields },
    { ...step, key: "work" },
  ];
  const workflow = await stepwell.workflows.create(app.id, { name: "Code", steps });
  await stepwell.workflows.deploy(app.id, workflow.id);
  return async (cancelAfter) => {
    const { id } = await stepwell.runs.create(app.id, workflow.id, { input: input() });
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

const sandbox = createQuickjsSandbox();
const limits = { memoryBytes: 67_108_864, timeoutMs: 5_000, stackBytes: 1_048_576, outputCharacters: 10_485_760 };
const bare = () => sandbox.run({ code: "return input.n * 2;", globals: { input: { n: 21 } }, limits });

const sides = { note, small, bare };
// V8 compiles what has run some thousand times. A run with a note has, long before one with code.
for (const once of Object.values(sides)) for (let call = 0; call < 8_000; call++) await once();
const seen = Object.fromEntries(Object.keys(sides).map((name) => [name, { p50: [], cpu: [] }]));
for (let turn = 0; turn < 15; turn++) {
  for (const [name, once] of Object.entries(sides)) {
    const { p50, cpu } = await round(once, { milliseconds: 500, at_once: 1 });
    seen[name].p50.push(p50);
    seen[name].cpu.push(cpu / 1_000);
  }
}
const quartile = (values) =>
  at(
    values.sort((one, other) => one - other),
    0.25,
  );
const found = (kind) => Object.keys(sides).map((name) => quartile(seen[name][kind]));
const [noteMs, smallMs, bareMs] = found("p50");
const [noteCpu, smallCpu, bareCpu] = found("cpu");
report("a run with a code step that does next to nothing", smallMs, "ms");
report("the same run with a note in its place", noteMs, "ms");
report("a bare call of the sandbox", bareMs, "ms");
report("a warm code step over its own work", smallMs - noteMs, "ms", "under 0.4");
report("a warm code step, of a bare call of the sandbox", (smallMs - noteMs) / bareMs, "times", "at most 3");
report("the same, processor time", (smallCpu - noteCpu) / bareCpu, "times", "at most 3");

const endless = await deployed(code("while (true) {}"), "canceled");

const text = Buffer.alloc(4_000_000, "x").toString();

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
  "code that reads an input of 4 MB": await deployed(code("return input.text.length;"), "succeeded", () => ({ text })),
  "requests whose response is 2 MB of JSON": await deployed(
    { type: "http_request", url: `http://${host}/` },
    "succeeded",
  ),
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
  report(`event loop, longest delay under four of ${what}`, median(delays), "ms", what === "no code" ? "" : "under 10");
}
await stepwell.close();
await sandbox.close();
await server.terminate();

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
