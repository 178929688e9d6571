/** Storage that fails or a process that dies while a webhook catches up after an outage: what waits is sent soon anyway. */
import { beforeAll, expect, it } from "vitest";
import type { Clock } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { quickStorageClock } from "../support/engine/quick-clock.ts";
import { openService } from "../support/engine/service.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { unlessUnavailable } from "../support/storage/unless-unavailable.ts";
import { until } from "../support/until.ts";
import { createReceiver } from "../support/webhooks/receiver.ts";

const SECRET = "s".repeat(40);
const RECORDS = 3;
const template = new Map<string, string>();
let app: string | undefined;
let collection: string;
let webhook: string;
/** Stands still, so that nothing becomes due. */
let clock: Clock;

type Driver = ReturnType<typeof faultyDriver>["driver"];
const open = async (entities: Driver, { fetch }: ReturnType<typeof createReceiver>, clock: Clock) => {
  const service = await openService({ storage: { entities }, secret: SECRET, fetch, clock }, app);
  const list = async (status?: "pending" | "delivered") =>
    (await service.stepwell.webhooks.deliveries(service.app, webhook, status && { status })).items;
  return { ...service, list };
};

/** The receiver is down until each record's event waits for an hour. */
beforeAll(async () => {
  const moving = createTestClock();
  const service = await open(
    faultyDriver(template, "rejects", 0).driver,
    createReceiver(() => 503),
    moving,
  );
  const { stepwell, list } = service;
  app = service.app;
  collection = (await stepwell.collections.create(app, { name: "Loans" })).id;
  webhook = (await stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["record.*"] })).id;
  for (let count = 0; count < RECORDS; count++)
    await stepwell.records.create(app, collection, { data: { a: { b: 1 } } });
  await until(async () => {
    await moving.advance("1m");
    return (await list()).every(({ attempts_count }) => attempts_count >= 6);
  });
  await stepwell.close();
  clock = { ...quickStorageClock(), now: moving.now };
});

/** A fault may have prevented what is waited for. */
const MAX_LOOKS = 8;

/** The receiver is up again, and a new record tells; returns the number of driver calls before it closes. */
async function survive(fault: Fault, at: number): Promise<number> {
  const data = new Map(template);
  const faulty = faultyDriver(data, fault, at);
  const receiver = createReceiver();
  const { stepwell, app, list } = await open(faulty.driver, receiver, clock);
  const create = (b: number) => ({ data: { a: { b } } });
  await unlessUnavailable(stepwell.records.create(app, collection, create(2)), faulty.death);
  let looks = 0;
  const hasDelivered = async () => (await list("delivered").catch(() => [])).length > 0;
  await Promise.race([until(async () => ++looks > MAX_LOOKS || (await hasDelivered())), faulty.death]);
  const { calls } = faulty;
  await unlessUnavailable(stepwell.close(), faulty.death);

  const next = await open(faultyDriver(data, "rejects", 0).driver, receiver, clock);
  await next.stepwell.records.create(app, collection, create(3));
  await expect.poll(() => next.list("pending")).toEqual([]);
  expect((await next.list("delivered")).length).toBeGreaterThan(RECORDS);
  await next.stepwell.close();
  return calls;
}

it.each<[Fault, number, number]>([
  ["rejects", 1, 12],
  ["dies", 2, 12],
  ["dies after the call", 3, 12],
])("sends what waits after an outage when any one storage call %s", async (fault, first, stride) => {
  const calls = await survive(fault, Number.POSITIVE_INFINITY);
  expect(calls).toBeGreaterThan(5);
  for (let at = first; at <= calls; at += stride) await survive(fault, at);
});
