/** A process whose collection gets events, polls a source, builds an index, evaluates its records and sends webhooks. */
import * as v from "valibot";
import fs from "../../../adapters/storage/fs/fs.ts";
import { defineTrigger } from "../../../src/index.ts";
import { quickClock } from "../../support/engine/quick-clock.ts";
import { openService } from "../../support/engine/service.ts";
import { createReceiver } from "../../support/webhooks/receiver.ts";
import type { CollectingOrder, CollectingReport } from "./collecting-order.ts";
import { mortalDriver } from "./mortal-driver.ts";

const order: CollectingOrder = JSON.parse(process.argv[2] ?? "");
const { app, collection, received, polled, webhook } = order;
const BASE = "https://example.com/auto";
const PAGE = 2;

/** The source: new items come first, so that the others move to later pages while it is read. */
let visible = order.items - 3;
const pages = defineTrigger({
  name: "pages",
  config: v.object({}),
  poll({ cursor }) {
    const { from = 0, isWhole = false } = Object(cursor);
    // A source keeps its items when this process is a new one.
    if (isWhole) visible = order.items;
    const events = Array.from({ length: visible }, (_, n) => `item ${visible - n}`)
      .slice(from, from + PAGE)
      .map((n) => ({ id: n, data: { n } }));
    const isEnd = from + PAGE >= visible;
    visible = Math.min(order.items, visible + 1);
    // What came first meanwhile is read in another pass.
    const next = isEnd ? { from: 0, isWhole: visible === order.items } : { from: from + PAGE, isWhole };
    return { events, cursor: next, more: !(isEnd && isWhole) };
  },
});
const { fetch } = createReceiver(({ event }) => {
  const { resource, version } = resourceOf(event.data);
  console.log(`ended ${resource} ${version}`);
  return 204;
});

function resourceOf(data: object): { readonly resource: string; readonly version: number } {
  const { id, version } = Object(data);
  return { resource: String(id), version: Number(version) };
}

const { driver } = mortalDriver(fs({ base: order.base }), order.death);
const awake = setInterval(() => undefined, 1_000);
const options = {
  clock: quickClock(10, undefined, false),
  baseUrl: BASE,
  secret: "s".repeat(40),
  fetch,
  triggers: [pages],
};
const { stepwell } = await openService({ storage: { entities: driver, checkpointRecords: 20 }, ...options }, app);
console.log("ready");

async function send(n: number): Promise<void> {
  const init = { method: "POST", body: JSON.stringify({ id: `event ${n}`, n: `event ${n}` }) };
  const answer = await stepwell.fetch(new Request(`${BASE}/public/apps/triggers/${received}/events`, init));
  if (answer.status !== 202) throw new Error(`An event got the status ${answer.status}: ${await answer.text()}`);
}

const deliveriesOf = async (trigger: string) =>
  (await stepwell.triggers.deliveries(app, collection, trigger, { take: 1_000 })).items;
const records = async () => (await stepwell.records.list(app, collection, { take: 1_000 })).items;

async function isSettled(): Promise<boolean> {
  const { config } = await stepwell.collections.get(app, collection);
  const deliveries = [...(await deliveriesOf(received)), ...(await deliveriesOf(polled))];
  const jobs = (await stepwell.jobs.list(app)).items;
  const sent = (await stepwell.webhooks.deliveries(app, webhook, { status: "pending" })).items;
  return (
    deliveries.length >= new Set(order.events).size + order.items &&
    deliveries.every(({ status }) => status !== "pending") &&
    config.index_states.every(({ state }) => state === "ready") &&
    jobs.every(({ status }) => status !== "running") &&
    (await records()).every(({ rule_results }) => rule_results.every(({ result }) => result !== "PENDING")) &&
    sent.length === 0
  );
}

async function untilSettled(): Promise<void> {
  while (!(await isSettled())) await new Promise((resolve) => setTimeout(resolve, 5));
}

const { index_states } = (await stepwell.collections.get(app, collection)).config;
// Built while records come.
if (index_states.length === 0) {
  await stepwell.collections.update(app, collection, { config: { indexes: ["a:n"] } });
}
await stepwell.triggers.update(app, collection, polled, { enabled: true });
await Promise.all(order.events.map(send));
await untilSettled();
for (const { id, data } of await records()) {
  const write = (m: number) => stepwell.records.update(app, collection, id, { data: { a: { m } } });
  if (data["a"]?.["m"] === undefined) await write(1);
  if (data["a"]?.["m"] !== 2) await write(2);
}
if ((await stepwell.jobs.list(app)).items.length === 0) await stepwell.records.evaluateMany(app, collection);
await untilSettled();

const found = await records();
const report: CollectingReport = {
  count: (await stepwell.collections.get(app, collection)).records_count,
  records: await Promise.all(
    found.map(async ({ id, version, data, rule_results }) => ({
      ...{ id, version, n: String(data["a"]?.["n"]), result: rule_results[0]?.result },
      history: (await stepwell.records.history(app, collection, id)).items.map((entry) => entry.version),
    })),
  ),
  sorted: (await stepwell.records.list(app, collection, { sort: "a:n", take: 1_000 })).items.map(({ id }) => id),
  deliveries: [...(await deliveriesOf(received)), ...(await deliveriesOf(polled))].map(({ status }) => status).sort(),
  jobs: (await stepwell.jobs.list(app)).items.map(({ status, done, total }) => ({ status, done, total })),
  indexes: (await stepwell.collections.get(app, collection)).config.index_states.map(({ state }) => state),
};
await stepwell.close();
console.log(`report ${JSON.stringify(report)}`);
clearInterval(awake);
