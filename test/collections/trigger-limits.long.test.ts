/** What bounds triggers: the time of their functions, attempts, waiting events, and how long deliveries are kept. */

import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { damaged } from "../../src/errors.ts";
import { defineTrigger, type Options } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { openService } from "../support/engine/service.ts";
import { createGate } from "../support/gate.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { heldStore } from "../support/storage/held-store.ts";
import { until } from "../support/until.ts";

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
});

const MAPPINGS = [
  { type: "key", entity_path: "loan:number", input_path: ["number"], name: "Number" },
  { type: "field", entity_path: "loan:amount", input_path: ["amount"], name: "Amount" },
];

type Data = Map<string, string>;
const storageOf = (data: Data) => ({ entities: faultyDriver(data, "rejects", 0).driver });

/** A collection with a trigger on a clock that the test moves. */
async function open({
  type = "loan_origination",
  start,
  ...options
}: Partial<Options> & { type?: string; start?: string } = {}) {
  const clock = createTestClock(start);
  const service = await openService({ clock, ...options });
  closing.push(service.stepwell);
  const trigger = { type, name: "Loans", config: { type, mappings: MAPPINGS } };
  const collection = await service.stepwell.collections.create(service.app, { name: "Loans", triggers: [trigger] });
  return { ...at(service, collection.id, collection.triggers[0]?.id ?? ""), clock };
}

/** The same trigger in another process. */
async function reopen(before: { app: string; place: Place }, options: Partial<Options>, start: string) {
  const clock = createTestClock(start);
  const service = await openService({ clock, ...options }, before.app);
  closing.push(service.stepwell);
  return { ...at(service, before.place[1], before.place[2]), clock };
}

type Place = readonly [app: string, collection: string, trigger: string];

function at(service: Awaited<ReturnType<typeof openService>>, collection: string, trigger: string) {
  const { stepwell, app } = service;
  const place: Place = [app, collection, trigger];
  return {
    ...service,
    place,
    async send(body: object) {
      const url = `http://localhost:3000/public/apps/triggers/${trigger}/events`;
      const response = await stepwell.fetch(new Request(url, { method: "POST", body: JSON.stringify(body) }));
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    deliveries: async () => (await stepwell.triggers.deliveries(...place)).items,
  };
}

describe("a function of a trigger type that hangs", () => {
  const signals: AbortSignal[] = [];
  const hanging = () => new Promise<never>(() => undefined);
  const type = defineTrigger({
    name: "hanging",
    config: v.object({}),
    receive(_, { signal }) {
      signals.push(signal);
      return hanging();
    },
    test: hanging,
  });

  it("is given up after 30 seconds: the sender gets 503, and nothing is stored", async () => {
    const { send, deliveries, clock } = await open({ type: "hanging", triggers: [type] });
    const sent = send({ id: "e1" });
    await until(() => signals.length === 1);
    await clock.advance("29s");
    expect(signals[0]?.aborted).toBe(false);
    await clock.advance("1s");
    const { status, headers, body } = await sent;
    expect({ status, retry: headers.get("retry-after") }).toEqual({ status: 503, retry: "5" });
    expect(body.detail).toContain("30 seconds");
    expect(signals.splice(0)[0]?.aborted).toBe(true);
    expect(await deliveries()).toEqual([]);
  });

  it("is given up when the sample for a test takes longer", async () => {
    const { stepwell, place, clock } = await open({ type: "hanging", triggers: [type] });
    const tested = expect(stepwell.triggers.test(...place)).rejects.toMatchObject({ code: "unavailable" });
    await clock.advance("30s");
    await tested;
  });

  it("does not hold up close()", async () => {
    const { send, stepwell } = await open({ type: "hanging", triggers: [type] });
    const sent = send({ id: "e1" });
    await until(() => signals.length === 1);
    await stepwell.close();
    expect((await sent).status).toBe(503);
    expect(signals.splice(0)[0]?.aborted).toBe(true);
  });
});

it("an event that meets unexpected errors is dead after eight attempts, and can be redelivered", async () => {
  const data: Data = new Map();
  const first = await open({ storage: storageOf(data) });
  await first.send({ id: "e1", number: "L-1", amount: 1 });
  await until(async () => (await first.deliveries())[0]?.status === "created");
  await first.stepwell.close();

  let isLost = true;
  const hold = async (key: string) => {
    if (isLost && key.startsWith("record:")) throw damaged(key, "The document");
  };
  const storage = { entities: heldStore(storageOf(data).entities, hold) };
  const { send, deliveries, clock, stepwell, place } = await reopen(first, { storage }, "2030-01-02");
  expect((await send({ id: "e2", number: "L-1", amount: 2 })).status).toBe(202);
  const second = async () => (await deliveries()).find(({ event_id }) => event_id === "e2");
  const pauses: number[] = [];
  await until(async () => {
    const { attempts = 0, next_attempt_at = null } = (await second()) ?? {};
    if (next_attempt_at === null) return true;
    if (attempts > pauses.length) {
      pauses.push(Date.parse(next_attempt_at) - clock.now());
      await clock.advance(Date.parse(next_attempt_at) - clock.now());
    }
    return false;
  });
  expect(pauses.map((milliseconds) => milliseconds / 1_000)).toEqual([4, 16, 64, 256, 1_024, 4_096, 16_384]);
  expect(await second()).toMatchObject({ attempts: 8, next_attempt_at: null, reason: { code: "unavailable" } });
  expect((await second())?.finished_at).not.toBeNull();

  isLost = false;
  await stepwell.triggers.redeliver(...place, (await second())?.id ?? "");
  await until(async () => (await second())?.status === "updated");
});

it("deliveries are kept for 30 days after their event last came, unless they wait", async () => {
  const data: Data = new Map();
  const first = await open({ storage: storageOf(data) });
  for (const id of ["old", "again"]) await first.send({ id, number: id, amount: 1 });
  await until(async () => (await first.deliveries()).every(({ status }) => status === "created"));
  await first.clock.advance("3d");
  await first.send({ id: "again", number: "again", amount: 2 }); // remembered for longer
  await first.stepwell.close();

  const next = await reopen(first, { storage: storageOf(data) }, "2030-02-01T01:00:00.000Z"); // 31 days after the first
  const ids = async () => (await next.deliveries()).map(({ event_id }) => event_id);
  await until(async () => (await ids()).join() === "again");
  await next.send({ id: "old", number: "old", amount: 3 });
  await next.send({ id: "again", number: "again", amount: 3 });
  await until(async () => (await next.deliveries()).every(({ status }) => status !== "pending"));
  const statuses = (await next.deliveries()).map(({ event_id, status }) => `${event_id} ${status}`);
  expect(statuses.sort()).toEqual(["again created", "old updated"]);
});

it("events are refused with 429 while 10,000 wait to be handled", async () => {
  const { driver } = faultyDriver(new Map(), "rejects", 0);
  const { release, released: held } = createGate();
  // Handling the first event hangs, and those of a trigger are handled one after the other.
  const hold = async (key: string) => {
    if (key.startsWith("record-unique-key:")) await held;
  };
  const { send, stepwell, place } = await open({ storage: { entities: heldStore(driver, hold) } });
  for (let request = 0; request < 100; request++) {
    const events = Array.from({ length: 100 }, (_, index) => ({ id: `${request}.${index}`, number: "L-1" }));
    expect((await send({ events })).status).toBe(202);
  }
  const { status, headers, body } = await send({ id: "one more", number: "L-1" });
  expect({ status, code: body.code, retry: headers.get("retry-after") }).toEqual({
    ...{ status: 429, code: "too_many_requests", retry: "5" },
  });
  const refused = { code: "too_many_requests" };
  await expect(stepwell.triggers.test(...place, { data: { number: "L-1" } })).rejects.toMatchObject(refused);
  expect((await stepwell.triggers.deliveries(...place)).total).toBe(10_000);
  const closed = stepwell.close();
  release();
  await closed;
});
