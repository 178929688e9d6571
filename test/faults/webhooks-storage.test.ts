/** Storage that fails or a process that dies at any call of a write and its deliveries: each event arrives, in order. */
import { beforeAll, expect, it } from "vitest";
import type { StepwellEvent } from "../../src/index.ts";
import { quickStorageClock } from "../support/engine/quick-clock.ts";
import { openService } from "../support/engine/service.ts";
import { callsToFail } from "../support/storage/calls-to-fail.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { unlessUnavailable } from "../support/storage/unless-unavailable.ts";
import { createReceiver } from "../support/webhooks/receiver.ts";

const template = new Map<string, string>();
const SECRET = "s".repeat(40);
let app: string;
let collection: string;
let webhook: string;

beforeAll(async () => {
  const storage = { entities: faultyDriver(template, "rejects", 0).driver };
  const service = await openService({ storage, secret: SECRET });
  app = service.app;
  collection = (await service.stepwell.collections.create(app, { name: "Loans" })).id;
  const url = "https://receiver.test/";
  webhook = (await service.stepwell.webhooks.create(app, { url, events: ["record.*"] })).id;
  await service.stepwell.close();
});

const versionOf = ({ data }: StepwellEvent) => ("version" in data ? data.version : 0);

/** Writes a record three times, then checks what arrived after another process; returns the number of driver calls. */
async function survive(fault: Fault, at: number): Promise<number> {
  const data = new Map(template);
  const faulty = faultyDriver(data, fault, at);
  const { fetch, accepted } = createReceiver();
  const options = { secret: SECRET, fetch, clock: quickStorageClock() };
  const { stepwell } = await openService({ ...options, storage: { entities: faulty.driver } }, app);
  const input = { path: "loan:number", value: 1 };
  const stored = new Set<number>();
  for (let amount = 1; amount <= 3; amount++) {
    const written = stepwell.records.upsert(app, collection, { ...input, data: { loan: { amount } } });
    const record = await unlessUnavailable(written, faulty.death);
    if (record !== null) stored.add(record.version);
  }
  await unlessUnavailable(stepwell.close(), faulty.death);

  const next = await openService({ ...options, storage: { entities: faultyDriver(data, "rejects", 0).driver } }, app);
  const pending = async () => (await next.stepwell.webhooks.deliveries(app, webhook, { status: "pending" })).items;
  await next.stepwell.ready();
  const { items } = await next.stepwell.records.list(app, collection);
  const last = items[0]?.version ?? 0;
  await expect.poll(() => accepted.map(({ event }) => versionOf(event)).includes(last) || last === 0).toBe(true);
  await expect.poll(pending).toEqual([]);
  const arrived = accepted.map(({ event }) => versionOf(event));
  const unique = [...new Set(arrived)];
  expect(unique).toEqual([...unique].sort()); // repeats come before the next version
  expect(arrived).toEqual([...arrived].sort());
  expect(unique).toHaveLength(last);
  for (const version of stored) expect(arrived).toContain(version);
  await next.stepwell.close();
  return faulty.calls;
}

it.each<Fault>(["rejects", "loses the response", "hangs", "dies", "dies after the call"])(
  "delivers every stored event in order when any one storage call %s",
  async (fault) => {
    const calls = await survive(fault, Number.POSITIVE_INFINITY);
    expect(calls).toBeGreaterThan(5);
    for (const at of callsToFail(calls, fault)) await survive(fault, at);
  },
);

it("delivers nothing of a webhook that is deleted while it sends, and leaves nothing of it", async () => {
  const data = new Map(template);
  let release = () => {};
  const { fetch, received } = createReceiver(async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return 500;
  });
  const options = { secret: SECRET, fetch, clock: quickStorageClock() };
  const { stepwell } = await openService(
    { ...options, storage: { entities: faultyDriver(data, "rejects", 0).driver } },
    app,
  );
  const { id } = await stepwell.records.create(app, collection, { data: { loan: { amount: 1 } } });
  await stepwell.records.update(app, collection, id, { data: { loan: { amount: 2 } } });
  await expect.poll(() => received).toHaveLength(1);
  await stepwell.webhooks.remove(app, webhook);
  release();
  await stepwell.records.update(app, collection, id, { data: { loan: { amount: 3 } } });
  await stepwell.close();
  const next = await openService(
    { ...options, storage: { entities: faultyDriver(data, "rejects", 0).driver, checkpointRecords: 1 } },
    app,
  );
  await next.stepwell.ready();
  for (let count = 0; count < 3; count++) await next.stepwell.collections.create(app, { name: "More" });
  await next.stepwell.close();
  expect([...data.keys()].filter((key) => /^webhook(-delivery)?:/.test(key))).toEqual([]);
  expect(received).toHaveLength(1);
});
