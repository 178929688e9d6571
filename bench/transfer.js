/**
 * Import and export of 100,000 records as CSV: rows per second, processor time, and the memory that they take. Rows of the
 * lists stay in memory, so it grows with the number of records; `transfer.js 20000` shows the same for fewer.
 * The exports read from a storage that has just been opened, so that no record is in memory.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createStepwell } from "stepwell";
import fsDriver from "stepwell/storage/fs";
import memoryDriver from "stepwell/storage/memory";
import { report } from "./measure.js";

const ROWS = Number(process.argv[2] ?? 100_000);
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const memory = () => {
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20 };
};
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

async function* csv(rows) {
  const encoder = new TextEncoder();
  yield encoder.encode("loan:number,loan:amount,loan:state,loan:note\n");
  for (let n = 0; n < rows; n += 1_000) {
    const some = Array.from({ length: 1_000 }, (_, at) => `A-${n + at},${n + at},open,"paid, back"\n`);
    yield encoder.encode(some.join(""));
  }
}

/** Reports the rate, the processor's time for a row, and the memory at the start, at most, and at the end. */
async function measure(what, goal, rows, work) {
  collectGarbage();
  const start = memory();
  let most = start;
  const sample = () => {
    const now = memory();
    most = { rss: Math.max(most.rss, now.rss), heap: Math.max(most.heap, now.heap) };
  };
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await work(sample);
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  collectGarbage();
  const end = memory();
  report(what, rows / seconds, "rows/s", goal);
  report("  processor", (user + system) / rows, "µs/row");
  const shown = ({ rss, heap }) => `${Math.round(rss)} (heap ${Math.round(heap)})`;
  console.log(`  memory in MiB: start ${shown(start)}, most ${shown(most)}, end ${shown(end)}`);
}

async function importAll(stepwell, app, { id }, rows, options, sample) {
  let job = await stepwell.records.import(app, id, csv(rows), options);
  while (job.status === "running") {
    await pause();
    sample();
    job = await stepwell.jobs.get(app, job.id);
  }
  if (job.status !== "succeeded" || job.done !== rows) throw new Error(JSON.stringify(job));
}

async function bench(title, openStorage) {
  let stepwell = createStepwell({ storage: { entities: openStorage() } });
  const app = (await stepwell.apps.create({ name: "many" })).id;
  const loans = await stepwell.collections.create(app, { name: "Loans" });
  await measure(`${title}: import of ${ROWS}, new records`, "over 5,000", ROWS, (sample) =>
    importAll(stepwell, app, loans, ROWS, {}, sample),
  );
  const keyed = await stepwell.collections.create(app, { name: "Keyed" });
  const few = Math.min(ROWS, 20_000);
  await measure(`${title}: import of ${few} with a key`, "", few, (sample) =>
    importAll(stepwell, app, keyed, few, { key: "loan:number" }, sample),
  );
  await stepwell.close();

  for (const format of ["csv", "jsonl"]) {
    stepwell = createStepwell({ storage: { entities: openStorage() } });
    await measure(`${title}: export as ${format}`, "over 20,000", ROWS, async (sample) => {
      let chunks = 0;
      for await (const _ of await stepwell.records.export(app, loans.id, { format })) {
        if (chunks++ % 100 === 0) sample();
      }
    });
    await stepwell.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
await bench("fs", () => fsDriver({ base: folder }));
rmSync(folder, { recursive: true });
const shared = memoryDriver();
await bench("memory", () => ({ ...shared, dispose: () => undefined }));
