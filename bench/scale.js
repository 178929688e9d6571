/**
 * What a store costs with few and with many runs: memory, start, pages, filters and creations. Each figure is taken in a
 * process of its own, which opens what others have filled. `node --expose-gc scale.js sqlite|fs [many]`
 */
import { fork } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createStepwell } from "stepwell";
import fsDriver from "stepwell/storage/fs";
import sqlite from "stepwell/storage/sqlite";
import { cpuOf, report } from "./measure.js";

const FEW = 1_000;
const LANES = 64;
const stores = {
  fs: (folder) => ({ entities: fsDriver({ base: join(folder, "fs") }) }),
  sqlite: (folder) => ({ entities: sqlite({ file: join(folder, "store.db") }) }),
};

const [, , name, ...given] = process.argv;
if (process.send === undefined) await parent(name, Number(given[0] ?? 100_000));
else await child(...given);
process.exit();

async function parent(store, many) {
  const folder = mkdtempSync(join(tmpdir(), "bench-scale-"));
  const run = (what, ...args) =>
    new Promise((resolve, reject) => {
      const one = fork(fileURLToPath(import.meta.url), [store, what, folder, ...args.map(String)], {
        execArgv: ["--expose-gc"],
      });
      let seen;
      one.on("message", (message) => (seen = message));
      one.on("exit", (code) => (code === 0 ? resolve(seen) : reject(new Error(`${what} ended with ${code}`))));
    });
  console.log(`Node ${process.version}, ${store}, load ${loadavg()[0].toFixed(2)}`);
  try {
    const ids = await run("fill", FEW);
    const few = await run("measure", ...ids);
    const before = performance.now();
    await run("fill", many - FEW, ...ids);
    const rate = (many - FEW) / ((performance.now() - before) / 1_000);
    report(`${store}: filled with ${many} runs, 64 at once`, rate, "runs/s");
    const full = await run("measure", ...ids);
    for (const [figure, value] of Object.entries(full)) {
      report(`${store}, ${figure}: ${FEW}`, few[figure], "");
      report(`${store}, ${figure}: ${many}`, value, "");
      report(`${store}, ${figure}: ratio`, value / few[figure], "times");
    }
    report(`${store}: on disk for a run`, bytesIn(folder) / many / 1_024, "KiB");
    report(`${store}: files`, filesIn(folder).length, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function child(what, folder, ...args) {
  process.send(await (what === "fill" ? fill(folder, ...args) : measure(folder, ...args)));
}

async function fill(folder, count, ...known) {
  const stepwell = createStepwell({ storage: stores[name](folder) });
  const [app, workflow] = known.length > 0 ? known : await deploy(stepwell);
  let left = Number(count);
  const lane = async () => {
    while (left-- > 0) await once(stepwell, app, workflow);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await stepwell.close();
  return [app, workflow];
}

async function deploy(stepwell) {
  const { id: app } = await stepwell.apps.create({ name: "Scale" });
  const note = { type: "note", key: "note", note: "Nothing" };
  const { id: workflow } = await stepwell.workflows.create(app, { name: "Tiny", steps: [note] });
  await stepwell.workflows.deploy(app, workflow);
  return [app, workflow];
}

async function once(stepwell, app, workflow) {
  const { id } = await stepwell.runs.create(app, workflow, {});
  await stepwell.runs.wait(app, id);
}

async function measure(folder, app, workflow) {
  const before = performance.now();
  const stepwell = createStepwell({ storage: stores[name](folder) });
  await stepwell.runs.list(app, { take: 1 });
  const start = performance.now() - before;
  const page = await cpuOf(30, () => stepwell.runs.list(app, { take: 100 }));
  const none = await cpuOf(30, () => stepwell.runs.list(app, { status: ["failed"], take: 100 }));
  const all = await cpuOf(30, () => stepwell.runs.list(app, { status: ["succeeded", "failed"], take: 100 }));
  const creation = await cpuOf(300, () => once(stepwell, app, workflow));
  globalThis.gc();
  const memory = process.memoryUsage.rss() / 2 ** 20;
  await stepwell.close();
  return {
    "start, ms": start,
    "memory, MiB": memory,
    "page of 100, µs": page,
    "filter without a hit, µs": none,
    "filter with many hits, µs": all,
    "a run, µs": creation,
  };
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
}

function bytesIn(folder) {
  return filesIn(folder).reduce((sum, { parentPath, name }) => sum + 512 * statSync(join(parentPath, name)).blocks, 0);
}
