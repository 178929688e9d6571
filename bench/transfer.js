/** Import and export of 20,000 records as CSV: rows per second, and the memory that they take. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStepwell } from "stepwell";
import fsDriver from "stepwell/storage/fs";
import { report } from "./measure.js";

const ROWS = 20_000;

const resident = () => process.memoryUsage().rss / 2 ** 20;
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

async function* csv() {
  const encoder = new TextEncoder();
  yield encoder.encode("loan:number,loan:amount,loan:state,loan:note\n");
  for (let n = 0; n < ROWS; n += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, at) => `A-${n + at},${n + at},open,"paid, back"\n`);
    yield encoder.encode(rows.join(""));
  }
}

async function importAll(stepwell, app, collection, options) {
  const started = performance.now();
  let most = resident();
  let job = await stepwell.records.import(app, collection, csv(), options);
  while (job.status === "running") {
    await pause();
    most = Math.max(most, resident());
    job = await stepwell.jobs.get(app, job.id);
  }
  if (job.status !== "succeeded" || job.done !== ROWS) throw new Error(JSON.stringify(job));
  return { perSecond: ROWS / ((performance.now() - started) / 1_000), most };
}

async function bench(title, open) {
  const stepwell = open();
  const app = (await stepwell.apps.create({ name: "many" })).id;
  const { id } = await stepwell.collections.create(app, { name: "Loans" });
  const created = await importAll(stepwell, app, id, {});
  report(`${title}: import, new records`, created.perSecond, "rows/s", "over 5,000");
  report(`${title}: memory at most`, created.most, "MiB");
  const { id: keyed } = await stepwell.collections.create(app, { name: "Keyed" });
  report(
    `${title}: import with a key`,
    (await importAll(stepwell, app, keyed, { key: "loan:number" })).perSecond,
    "rows/s",
  );

  for (const format of ["csv", "jsonl"]) {
    const before = resident();
    let most = before;
    const started = performance.now();
    for await (const _ of await stepwell.records.export(app, id, { format })) most = Math.max(most, resident());
    const perSecond = ROWS / ((performance.now() - started) / 1_000);
    report(`${title}: export as ${format}`, perSecond, "rows/s", "over 20,000");
    report(`${title}: memory added by it`, most - before, "MiB");
  }
  await stepwell.close();
}

const folder = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
await bench("fs", () => createStepwell({ storage: { entities: fsDriver({ base: folder }) } }));
rmSync(folder, { recursive: true });
