/**
 * Creating 100,000 records, a filtered, sorted page of them with and without an index, building the index, and the first page
 * after a start.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createStepwell } from "stepwell";
import fsDriver from "stepwell/storage/fs";
import { at, report, times } from "./measure.js";

const MANY = 100_000;
const AT_ONCE = 32;

async function fill(stepwell, app, collection) {
  let next = 0;
  const work = async () => {
    for (let n = next++; n < MANY; n = next++) {
      const loan = { amount: (n * 7_919) % MANY, state: n % 10 === 0 ? "open" : "closed", number: `A-${n}` };
      await stepwell.records.create(app, collection, { data: { loan } });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function ready(stepwell, app, collection) {
  for (;;) {
    const { config } = await stepwell.collections.get(app, collection);
    if (config.index_states.every(({ state }) => state === "ready")) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function costOf(work) {
  const started = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: performance.now() - started, processor: (user + system) / 1_000 };
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const heap = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

async function bench(title, open) {
  let stepwell = open();
  const app = (await stepwell.apps.create({ name: "many" })).id;
  const { id } = await stepwell.collections.create(app, { name: "Loans" });
  const filling = await costOf(() => fill(stepwell, app, id));
  report(
    `${title}: creation, ${AT_ONCE} at once`,
    filling.milliseconds / MANY,
    "ms",
    title === "fs" ? "under 5" : "under 2",
  );
  report(`${title}: creation, processor`, filling.processor / MANY, "ms");
  const page = (query) => async () => (await stepwell.records.list(app, id, { take: 100, ...query })).items.length;
  const range = [{ field: "loan:amount", op: "gte", value: MANY / 2 }];
  const without = await times(page({ filter: [{ field: "loan:amount", op: "lt", value: 10 }] }), 30);
  report(`${title}: 2,000 records examined, median`, at(without, 0.5), "ms", "under 50");

  const before = heap();
  const building = await costOf(async () => {
    await stepwell.collections.update(app, id, { config: { indexes: ["loan:amount"] } });
    await ready(stepwell, app, id);
  });
  report(`${title}: building the index`, building.milliseconds, "ms");
  report(`${title}: building the index, processor`, building.processor, "ms");
  report(`${title}: heap of the index`, heap() - before, "MB", "under 100");
  const sorted = { filter: range, sort: "-loan:amount" };
  if ((await page(sorted)()) !== 100) throw new Error("the page must be full");
  report(
    `${title}: filtered, sorted page by the index, median`,
    at(await times(page(sorted), 200), 0.5),
    "ms",
    "under 5",
  );
  await stepwell.close();
  if (title !== "fs") return;
  stepwell = open();
  const restarted = performance.now();
  await page(sorted)();
  report(`${title}: first page after a start`, performance.now() - restarted, "ms", "under 1,000");
  await stepwell.close();
}

await bench("memory", () => createStepwell());
const base = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
try {
  await bench("fs", () => createStepwell({ storage: { entities: fsDriver({ base }) } }));
} finally {
  rmSync(base, { recursive: true, force: true });
}
