/** What 10,000 runs that wait for a person hold in memory, on fs, and what one costs to take up again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createStepwell } from "stepwell";
import fsDriver from "stepwell/storage/fs";
import { report } from "./measure.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const MEBI = 2 ** 20;
const RUNS = 10_000;

const steps = [
  { type: "input", key: "start", input: { n: { type: "number" } }, destinations: ["approve"] },
  { type: "input", key: "approve", input: { yes: { type: "boolean" } }, destinations: ["end"] },
  { type: "note", key: "end", note: "Approved." },
];

const root = mkdtempSync(join(tmpdir(), "bench-waiting-"));
try {
  const stepwell = createStepwell({ storage: { entities: fsDriver({ base: root }) } });
  const app = await stepwell.apps.create({ name: "Bench" });
  const workflow = await stepwell.workflows.create(app.id, { name: "Approval", steps });
  await stepwell.workflows.deploy(app.id, workflow.id);
  const ids = [];
  await start(100);
  const before = await memory();
  await start(RUNS);
  const after = await memory();
  for (const id of [ids[100], ids.at(-1)]) {
    const { status } = await stepwell.runs.get(app.id, id);
    if (status !== "waiting") throw new Error(`a run that waits is ${status}`);
  }
  report("10,000 waiting runs, heap over the base", (after.heap - before.heap) / MEBI, "MB", "under 100");
  report("10,000 waiting runs, resident over the base", (after.resident - before.resident) / MEBI, "MB", "under 100");

  const begin = performance.now();
  const last = ids.slice(-100);
  for (const id of last) await stepwell.runs.provide(app.id, id, "approve", { yes: true });
  for (const id of last) {
    const { status } = await stepwell.runs.wait(app.id, id);
    if (status !== "succeeded") throw new Error(`a run that was approved is ${status}`);
  }
  report("one of them continues and ends", (performance.now() - begin) / last.length, "ms");
  await stepwell.close();

  async function start(count) {
    const end = ids.length + count;
    const lane = async () => {
      while (ids.length < end) {
        const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { n: 1 } });
        ids.push(id);
      }
    };
    await Promise.all(Array.from({ length: 64 }, lane));
    while ((await stepwell.runs.get(app.id, ids.at(-1))).status !== "waiting") await later(20);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function memory() {
  for (let times = 0; times < 3; times++) {
    collect();
    await later(300);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}

function later(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
