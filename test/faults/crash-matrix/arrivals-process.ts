/** A process with webhook deliveries and due schedules, until its time is over and all runs ended, or it is killed. */
import fs from "../../../adapters/storage/fs/fs.ts";
import type { Clock } from "../../../src/index.ts";
import { openService } from "../../support/engine/service.ts";
import { type ArrivalsOrder, type ArrivalsReport, HOOK, SPAN } from "./arrivals-order.ts";
import { waitUntilSettled } from "./holdings.ts";
import { mortalDriver } from "./mortal-driver.ts";

const order: ArrivalsOrder = JSON.parse(process.argv[2] ?? "");
const { app } = order;
/** How many times faster than real time the clock runs. */
const SPEED = 20;
const BASE = "https://example.com/auto";

const began = performance.now();
const clock: Clock = {
  now: () => order.begins + Math.min(SPAN, Math.floor((performance.now() - began) * SPEED)),
  after(milliseconds, callback) {
    // Longer timers are timeouts, for storage calls for example: they keep their length for busy machines.
    const timer = setTimeout(callback, milliseconds > SPAN ? milliseconds : milliseconds / SPEED);
    return () => clearTimeout(timer);
  },
};
const { driver } = mortalDriver(fs({ base: order.base }), order.death);
const service = await openService({ storage: { entities: driver }, clock, baseUrl: BASE }, app);
const { stepwell } = service;
console.log("ready");

async function deliver(n: number): Promise<void> {
  const headers = { "content-type": "application/json", "webhook-id": `delivery-${n}` };
  const init = { method: "POST", headers, body: JSON.stringify({ n }) };
  const answer = await stepwell.fetch(new Request(`${BASE}/public/apps/hooks/${app}/${HOOK}`, init));
  if (answer.status !== 202) throw new Error(`A delivery got the status ${answer.status}: ${await answer.text()}`);
  const { id }: { id: string } = await answer.json();
  console.log(`created ${n} ${id}`);
}

/** Whether nothing more is due. */
async function isQuiet(): Promise<boolean> {
  const { items } = await stepwell.schedules.list(app);
  const isOver = clock.now() === order.begins + SPAN;
  return isOver && items.every(({ next_at }) => next_at === null || Date.parse(next_at) > clock.now());
}

// Senders without a response send again, and some send twice anyway.
for (const n of order.deliveries) await Promise.all([deliver(n), deliver(n)]);
while (!(await isQuiet())) await new Promise((resolve) => setTimeout(resolve, 5));
const { items } = await stepwell.runs.list(app, { take: 1_000 });
const runs = await Promise.all(items.map(({ id }) => service.wait(id)));
const holdings = await waitUntilSettled(service);
await stepwell.close();
console.log(`report ${JSON.stringify({ runs, holdings } satisfies ArrivalsReport)}`);
