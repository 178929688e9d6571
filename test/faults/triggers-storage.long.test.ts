/** Storage that fails in any one call while a trigger receives an event: the event becomes one change of one record. */
import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { defineTrigger } from "../../src/index.ts";
import { quickStorageClock } from "../support/engine/quick-clock.ts";
import { openService, silent } from "../support/engine/service.ts";
import { callsToFail } from "../support/storage/calls-to-fail.ts";
import { expectIntact } from "../support/storage/expect-intact.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { until } from "../support/until.ts";

const template = new Map<string, string>();
let app: string;
let collection: string;
let trigger: string;

const open = (driver: ReturnType<typeof faultyDriver>["driver"]) =>
  openService({ storage: { entities: driver }, clock: quickStorageClock() }, app);

/** Without a key, a second handling of an event would create a second record. */
const mappings = [{ type: "field", entity_path: "loan:amount", input_path: ["amount"], name: "Amount" }];

beforeAll(async () => {
  const service = await openService({ storage: { entities: faultyDriver(template, "rejects", 0).driver } });
  app = service.app;
  const { id, triggers } = await service.stepwell.collections.create(app, {
    name: "Loans",
    triggers: [{ type: "loan_origination", name: "Loans", config: { type: "loan_origination", mappings } }],
  });
  collection = id;
  trigger = triggers[0]?.id ?? "";
  await service.stepwell.close();
});

/** A fault may have prevented what a test waits for. */
const MAX_LOOKS = 12;

/** The status of the response; null if the process died. */
async function send(service: Awaited<ReturnType<typeof open>>, death: Promise<void>): Promise<number | null> {
  const url = `http://localhost:3000/public/apps/triggers/${trigger}/events`;
  const request = new Request(url, { method: "POST", body: JSON.stringify({ id: "e1", amount: 7 }) });
  const answer = service.stepwell.fetch(request).then(({ status }) => status);
  return Promise.race([answer, death.then(() => null)]);
}

/** Sends an event, and checks it in the next process; returns the number of driver calls. */
async function survive(fault: Fault, at: number): Promise<number> {
  const data = new Map(template);
  const faulty = faultyDriver(data, fault, at);
  const service = await open(faulty.driver);
  let status: number | null = null;
  for (let tries = 0; status !== 202 && tries < 3 && !faulty.dead; tries++) {
    status = await send(service, faulty.death);
    expect([202, 503, null]).toContain(status);
  }
  // Otherwise, closing would leave the event to the next process.
  let looks = 0;
  const isHandled = async () => {
    const { items } = await service.stepwell.triggers.deliveries(app, collection, trigger);
    return items.length > 0 && items.every((delivery) => delivery.status !== "pending");
  };
  const handled = until(async () => ++looks > MAX_LOOKS || (await isHandled().catch(() => false)));
  await Promise.race([handled, faulty.death]);
  await Promise.race([service.stepwell.close().catch(() => undefined), faulty.death]);

  const next = await open(faultyDriver(data, "rejects", 0).driver);
  const { stepwell } = next;
  // An acknowledged event needs no repeat. The sender repeats any other.
  if (status !== 202) expect(await send(next, new Promise(() => undefined))).toBe(202);
  const deliveries = async () => (await stepwell.triggers.deliveries(app, collection, trigger)).items;
  await expect.poll(async () => (await deliveries()).map((delivery) => delivery.status)).toEqual(["created"]);
  if (status === 202) expect(await send(next, new Promise(() => undefined))).toBe(202);
  const { items } = await stepwell.records.list(app, collection);
  expect(items.map((record) => record.data)).toEqual([{ loan: { amount: 7 } }]);
  expect((await deliveries()).map(({ record_id }) => record_id)).toEqual([items[0]?.id]);
  await stepwell.close();
  await expectIntact(faultyDriver(data, "rejects", 0).driver);
  return faulty.calls;
}

describe("receiving an event", () => {
  it.each<Fault>(["rejects", "loses the response", "hangs", "dies", "dies after the call"])(
    "writes one record when any one storage call %s",
    async (fault) => {
      // The number of calls without a fault.
      const calls = await survive(fault, Number.POSITIVE_INFINITY);
      expect(calls).toBeGreaterThan(3);
      for (const at of callsToFail(calls, fault)) await survive(fault, at);
    },
  );
});

const source = defineTrigger({
  name: "source",
  config: v.object({}),
  poll: () => ({ events: [1, 2, 3].map((amount) => ({ id: `e${amount}`, data: { amount } })) }),
});

/** Creates a trigger that polls, and checks its records in the next process; returns the number of driver calls. */
async function survivePoll(fault: Fault, at: number): Promise<number> {
  const data = new Map(template);
  const openWith = (driver: ReturnType<typeof faultyDriver>["driver"]) =>
    openService({ storage: { entities: driver }, clock: quickStorageClock(), triggers: [source], logger: silent }, app);
  const faulty = faultyDriver(data, fault, at);
  const { stepwell } = await openWith(faulty.driver);
  const config = { type: "source", mappings, interval: 86_400 };
  const given = { type: "source", name: "Source", config };
  const polled = async (service: typeof stepwell) => {
    const { items } = await service.triggers.list(app, collection);
    const id = items.find(({ type }) => type === "source")?.id;
    return id === undefined ? null : (await service.triggers.polling(app, collection, id)).polled_at;
  };
  const done = (async () => {
    await stepwell.triggers.create(app, collection, given).catch(() => undefined);
    let tries = 0;
    await until(async () => ++tries > MAX_LOOKS || (await polled(stepwell).catch(() => null)) !== null);
  })();
  await Promise.race([done, faulty.death]);
  await Promise.race([stepwell.close().catch(() => undefined), faulty.death]);

  const { stepwell: next } = await openWith(faultyDriver(data, "rejects", 0).driver);
  const { items } = await next.triggers.list(app, collection);
  if (!items.some(({ type }) => type === "source")) await next.triggers.create(app, collection, given);
  await expect.poll(() => polled(next)).not.toBeNull();
  const amounts = async () =>
    (await next.records.list(app, collection)).items.map((record) => record.data["loan"]?.["amount"]).sort();
  await expect.poll(amounts).toEqual([1, 2, 3]);
  await next.close();
  return faulty.calls;
}

describe("polling a source", () => {
  it.each<Fault>(["rejects", "loses the response", "hangs", "dies", "dies after the call"])(
    "writes each record once when any one storage call %s",
    async (fault) => {
      const calls = await survivePoll(fault, Number.POSITIVE_INFINITY);
      expect(calls).toBeGreaterThan(3);
      for (const at of callsToFail(calls, fault)) await survivePoll(fault, at);
    },
  );
});
