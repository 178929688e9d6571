/** What a write of a record costs with 1,000 webhooks that want it, against none. The deliveries fail at once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createStepwell } from "stepwell";
import fsDriver from "stepwell/storage/fs";
import { at, median, report, times } from "./measure.js";

const data = {
  loan: Object.fromEntries(Array.from({ length: 20 }, (_, field) => [`field ${field}`, `value ${field}`])),
};
const WEBHOOKS = 1_000;

async function side(storage, webhooks) {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  // Never answers, so that what is measured is the write and not 1,000 deliveries of it.
  const fetch = () => new Promise(() => {});
  const stepwell = createStepwell({ ...storage, logger, fetch, secret: "s".repeat(40) });
  const app = (await stepwell.apps.create({ name: "Bench" })).id;
  const collection = (await stepwell.collections.create(app, { name: "Loans" })).id;
  const { id } = await stepwell.records.create(app, collection, { data });
  for (let count = 0; count < webhooks; count++) {
    await stepwell.webhooks.create(app, { url: `https://receiver.test/${count}`, events: ["record.updated"] });
  }
  let amount = 0;
  const write = () => stepwell.records.update(app, collection, id, { data: { loan: { amount: amount++ } } });
  return { write, close: stepwell.close };
}

async function bench(title, open) {
  const none = await side(open("none"), 0);
  const many = await side(open("many"), WEBHOOKS);
  const seen = { none: [], many: [], busy: [] };
  for (let round = 0; round < 60; round++) {
    // Alone: the 1,000 deliveries of the write before have been created.
    await setTimeout(150);
    seen.none.push(...(await times(none.write, 1)));
    seen.many.push(...(await times(many.write, 1)));
  }
  for (let round = 0; round < 9; round++) seen.busy.push(at(await times(many.write, 20), 0.5));
  report(`${title}: write without webhooks, median`, median(seen.none), "ms");
  report(`${title}: write with ${WEBHOOKS} webhooks, median`, median(seen.many), "ms");
  report(`${title}: write, ratio`, median(seen.many) / median(seen.none), "", "at most 1.2");
  report(`${title}: the same while deliveries are created`, median(seen.busy), "ms");
  await none.close();
  await many.close();
}

await bench("memory", () => ({}));
const base = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
try {
  await bench("fs", (name) => ({ storage: { entities: fsDriver({ base: join(base, name) }) } }));
} finally {
  rmSync(base, { recursive: true, force: true });
}
