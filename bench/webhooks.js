/**
 * What writes of records cost with 1,000 webhooks that want them, against none: latency of a write alone and while deliveries
 * are being created, and throughput. The receivers never answer, so that what is measured is not 1,000 requests a write.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createStepwell } from "stepwell";
import fsDriver from "stepwell/storage/fs";
import { at, median, report, round, times } from "./measure.js";

const data = {
  loan: Object.fromEntries(Array.from({ length: 20 }, (_, field) => [`field ${field}`, `value ${field}`])),
};
const WEBHOOKS = 1_000;

async function side(storage, webhooks) {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const fetch = () => new Promise(() => {});
  const stepwell = createStepwell({ ...storage, logger, fetch, secret: "s".repeat(40) });
  const app = (await stepwell.apps.create({ name: "Bench" })).id;
  const collection = (await stepwell.collections.create(app, { name: "Loans" })).id;
  const { id } = await stepwell.records.create(app, collection, { data });
  let last;
  for (let count = 0; count < webhooks; count++) {
    last = await stepwell.webhooks.create(app, { url: `https://receiver.test/${count}`, events: ["record.updated"] });
  }
  let amount = 0;
  const write = () => stepwell.records.update(app, collection, id, { data: { loan: { amount: amount++ } } });
  /** Milliseconds until the last webhook has a delivery of the last write. */
  async function fanOut() {
    const before = (await stepwell.webhooks.deliveries(app, last.id)).total;
    const start = performance.now();
    await write();
    while ((await stepwell.webhooks.deliveries(app, last.id)).total === before) await setTimeout(1);
    return performance.now() - start;
  }
  return { write, fanOut, close: stepwell.close };
}

async function bench(title, open) {
  const none = await side(open("none"), 0);
  const many = await side(open("many"), WEBHOOKS);
  const seen = { none: [], many: [], busyNone: [], busy: [], rateNone: [], rate: [], fanOut: [] };
  for (let turn = 0; turn < 60; turn++) {
    // Alone: the 1,000 deliveries of the write before have been created.
    await setTimeout(400);
    seen.none.push(...(await times(none.write, 1)));
    seen.many.push(...(await times(many.write, 1)));
  }
  for (let turn = 0; turn < 5; turn++) {
    await setTimeout(400);
    seen.fanOut.push(await many.fanOut());
  }
  for (let turn = 0; turn < 9; turn++) {
    seen.busyNone.push(at(await times(none.write, 20), 0.5));
    seen.busy.push(at(await times(many.write, 20), 0.5));
  }
  for (let turn = 0; turn < 5; turn++) {
    seen.rateNone.push((await round(none.write, { milliseconds: 400, at_once: 1 })).rate);
    seen.rate.push((await round(many.write, { milliseconds: 400, at_once: 1 })).rate);
  }
  const ratio = (one, other) => median(one) / median(other);
  report(`${title}: write without webhooks, median`, median(seen.none), "ms");
  report(`${title}: write with ${WEBHOOKS} webhooks, median`, median(seen.many), "ms");
  report(`${title}: write, ratio`, ratio(seen.many, seen.none), "", "at most 1.2");
  report(`${title}: the same while deliveries are created, median`, median(seen.busy), "ms");
  report(`${title}: the same, ratio`, ratio(seen.busy, seen.busyNone), "", "at most 1.2");
  report(`${title}: writes a second without webhooks, one after the other`, median(seen.rateNone), "/s");
  report(`${title}: writes a second with ${WEBHOOKS} webhooks`, median(seen.rate), "/s");
  report(`${title}: throughput, ratio`, ratio(seen.rateNone, seen.rate), "", "at most 1.2");
  report(`${title}: until a write has its ${WEBHOOKS} deliveries`, median(seen.fanOut), "ms");
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
