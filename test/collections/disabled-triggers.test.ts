/** Events that wait while their trigger is disabled: none is lost, and none overtakes another. */

import { afterEach, expect, it } from "vitest";
import { createStepwell, type Stepwell } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { createGate } from "../support/gate.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { heldStore } from "../support/storage/held-store.ts";
import { silent } from "../support/storage/open.ts";
import { storedDocuments } from "../support/storage/stored-documents.ts";
import { until } from "../support/until.ts";

const opened: Stepwell[] = [];
afterEach(async () => {
  for (const stepwell of opened.splice(0)) await stepwell.close();
});

const MAPPINGS = [
  { type: "key", entity_path: "loan:number", input_path: ["number"], name: "Number" },
  { type: "field", entity_path: "loan:amount", input_path: ["amount"], name: "Amount" },
];

/** A trigger with pending events of the loan L-1. The first is being handled until `release`. */
async function openPending(requests: readonly (readonly number[])[]) {
  const clock = createTestClock();
  const data = new Map<string, string>();
  const { driver } = faultyDriver(data, "rejects", 0);
  const { release, released: held } = createGate();
  const hold = async (key: string) => {
    if (key.startsWith("record-unique-key:")) await held;
  };
  const start = () => {
    const started = createStepwell({ clock, logger: silent, storage: { entities: heldStore(driver, hold) } });
    opened.push(started);
    return started;
  };
  let stepwell = start();
  const app = (await stepwell.apps.create({ name: "Lending" })).id;
  const trigger = { type: "loan_origination", name: "Loans", config: { type: "loan_origination", mappings: MAPPINGS } };
  const collection = await stepwell.collections.create(app, { name: "Loans", triggers: [trigger] });
  const place = [app, collection.id, collection.triggers[0]?.id ?? ""] as const;
  const send = async (...amounts: number[]) => {
    const url = `http://localhost:3000/public/apps/triggers/${place[2]}/events`;
    const body = JSON.stringify({ events: amounts.map((amount) => ({ id: `e${amount}`, number: "L-1", amount })) });
    expect((await stepwell.fetch(new Request(url, { method: "POST", body }))).status).toBe(202);
    await clock.advance(1);
  };
  const deliveries = async () => (await stepwell.triggers.deliveries(...place)).items;
  const statuses = async () => {
    const found = (await deliveries()).map(({ event_id, status, attempts }) => `${event_id} ${status} ${attempts}`);
    return found.sort().join();
  };
  for (const amounts of requests) await send(...amounts);
  return {
    ...{ clock, place, send, deliveries, statuses, release },
    stepwell: () => stepwell,
    /** The statuses that the storage has when the process has ended, for a trigger that no longer lists them. */
    async stored() {
      await stepwell.close();
      stepwell = start();
      const stored = [...storedDocuments(data)].filter(([key]) => key.startsWith("trigger-delivery:"));
      return stored.map(([, line]) => /"status":"(\w+)"/.exec(line)?.[1]).sort();
    },
    async restart() {
      const closed = stepwell.close();
      release();
      await closed;
      stepwell = start();
      await stepwell.ready();
    },
    enable: () => stepwell.triggers.update(...place, { enabled: true }),
    amounts: async () =>
      (await stepwell.records.list(app, collection.id)).items.map(({ data }) => data["loan"]?.["amount"]),
  };
}

/**
 * A trigger that was disabled while the events e1 to e3 of the loan L-1 were pending. Only e1 was being handled.
 * @param requests The events of each request.
 */
async function openDisabled(requests: readonly (readonly number[])[] = [[1], [2], [3]]) {
  const t = await openPending(requests);
  await t.stepwell().triggers.update(...t.place, { enabled: false });
  t.release();
  await until(async () => (await t.deliveries()).find(({ event_id }) => event_id === "e1")?.status === "created");
  return t;
}

it("events stay pending while their trigger is disabled, and are handled in order when it is enabled", async () => {
  const t = await openDisabled();
  await until(async () => (await t.deliveries()).filter(({ reason }) => reason?.code === "disabled").length === 2);
  await t.clock.advance("1h");
  expect(await t.statuses()).toBe("e1 created 1,e2 pending 0,e3 pending 0");
  const [last] = await t.deliveries();
  expect(last?.reason).toEqual({
    code: "disabled",
    message: "The trigger is disabled. Enable it to handle the event.",
  });
  const wait = Date.parse(last?.next_attempt_at ?? "") - t.clock.now();
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(600_000);
  await t.enable();
  await t.send(4);
  await until(async () => !(await t.statuses()).includes("pending"));
  expect(await t.statuses()).toBe("e1 created 1,e2 updated 1,e3 updated 1,e4 updated 1");
  expect(await t.amounts()).toEqual([4]);
});

it("events that wait for a disabled trigger are handled after a restart, also if the process ended as it was enabled", async () => {
  const t = await openDisabled();
  await t.restart();
  await t.clock.advance("1h");
  expect(await t.statuses()).toBe("e1 created 1,e2 pending 0,e3 pending 0");
  await t.enable();
  await t.restart();
  await t.clock.advance("10m");
  await until(async () => !(await t.statuses()).includes("pending"));
  expect(await t.statuses()).toBe("e1 created 1,e2 updated 1,e3 updated 1");
  expect(await t.amounts()).toEqual([3]);
});

it("an event that is redelivered while its trigger is disabled waits too", async () => {
  const t = await openDisabled();
  const first = (await t.deliveries()).find(({ event_id }) => event_id === "e1");
  await t.stepwell().triggers.redeliver(...t.place, first?.id ?? "");
  await until(async () => (await t.deliveries()).every(({ reason }) => reason?.code === "disabled"));
  expect(await t.statuses()).toBe("e1 pending 0,e2 pending 0,e3 pending 0");
});

it("events that wait for a disabled trigger fail when it is deleted", async () => {
  const t = await openDisabled();
  await until(async () => (await t.deliveries()).filter(({ reason }) => reason?.code === "disabled").length === 2);
  await t.stepwell().triggers.remove(...t.place);
  await t.clock.advance("10m");
  expect(await t.stored()).toEqual(["created", "failed", "failed"]);
  expect(await t.amounts()).toEqual([1]);
});

const FORTY = Array.from({ length: 40 }, (_, index) => index + 1);

it("events of one request are handled in their order by the next process", async () => {
  const t = await openPending([FORTY]);
  await t.restart();
  await until(async () => (await t.deliveries()).every(({ status }) => status !== "pending"));
  expect(await t.amounts()).toEqual([40]);
  expect((await t.statuses()).match(/created|updated/g)).toHaveLength(40);
});

it.each([["is enabled"], ["is enabled and the process restarts"]])(
  "events of one request are handled in their order when the trigger %s",
  async (what) => {
    const t = await openDisabled([FORTY]);
    await until(async () => (await t.deliveries()).filter(({ reason }) => reason?.code === "disabled").length === 39);
    if (what !== "is enabled") await t.restart();
    await t.enable();
    await until(async () => !(await t.statuses()).includes("pending"));
    expect(await t.amounts()).toEqual([40]);
    expect((await t.deliveries()).map(({ event_id }) => event_id).slice(0, 3)).toEqual(["e40", "e39", "e38"]);
  },
);
