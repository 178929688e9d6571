/** Events that an earlier process did not deliver. */

import memoryDriver from "unstorage/drivers/memory";
import { afterEach, describe, expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { eventWaitsOf, markOfWait, type ReceivedEvent } from "../../src/app-events/app-event.ts";
import { createAppEvents } from "../../src/app-events/app-events.ts";
import { createEventDeliveries, type EventDeliveries } from "../../src/app-events/event-deliveries.ts";
import { createIds } from "../../src/ids.ts";
import type { JsonObject, Step } from "../../src/index.ts";
import type { Store } from "../../src/ports/store.ts";
import { createTestClock, type TestClock } from "../../src/testing/index.ts";
import { ALL_DUTIES } from "../../src/time/duties.ts";
import type { Version } from "../../src/workflows/version.ts";
import { input } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { createGate } from "../support/gate.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { openStore, silent } from "../support/storage/open.ts";
import { until } from "../support/until.ts";

const marks = [markOfWait("go", null)];
const runIds = (app: string, count: number) =>
  Array.from({ length: count }, (_, index) => `run_${app}_${String(index).padStart(3, "0")}`);

const appEventsOf = (store: Store, clock: TestClock) =>
  createAppEvents({ store, clock, ids: createIds(clock), hash: nodeHash, onEmitted: () => undefined });

/** Stores events that nobody delivers. */
async function emitAll(store: Store, clock: TestClock, app: string, payloads: readonly JsonObject[]) {
  const events = appEventsOf(store, clock);
  const ids: string[] = [];
  for (const payload of payloads) {
    await clock.advance(1);
    ids.push((await events.emit(app, { name: "go", payload }, { kind: "host" }, () => [])).id);
  }
  return ids;
}

type Receive = (runId: string, events: readonly ReceivedEvent[]) => Promise<void>;

const opened: { store: Store; deliveries: EventDeliveries[] }[] = [];
afterEach(async () => {
  for (const { store, deliveries } of opened.splice(0)) {
    await Promise.all(deliveries.map((one) => one.stop()));
    await store.close();
  }
});

/** Deliveries to rows of waits without runs. @param apps Number of runs of each app that wait. */
async function open(apps: Readonly<Record<string, number>>, events: number) {
  const store = openStore(memoryDriver());
  const clock = createTestClock();
  const rows = Object.entries(apps).flatMap(([app, count]) =>
    runIds(app, count).map((id) => ({ list: eventWaitsOf(app), put: { id: `${id}.1`, marks } })),
  );
  await store.commit([{ key: "test:rows", document: {}, rows }]);
  const numbers = Array.from({ length: events }, (_, n) => ({ n }));
  const ids: Record<string, string[]> = {};
  for (const app of Object.keys(apps)) ids[app] = await emitAll(store, clock, app, numbers);
  const appEvents = appEventsOf(store, clock);
  const closing = { store, deliveries: [] as EventDeliveries[] };
  opened.push(closing);
  return {
    ids,
    deliveries(receive: Receive): EventDeliveries {
      const deliveries = createEventDeliveries({
        duties: ALL_DUTIES,
        ...{ store, clock, logger: silent, hash: nodeHash },
        executor: {
          async receive(runId, events) {
            await receive(runId, events);
            return events.map(() => 1);
          },
          start: () => Promise.reject(new Error("not called")),
        },
        latest: async () => ({}) as Version, // only passed on
        startsOn: async () => false,
        prepare: () => Promise.reject(new Error("not called")),
      });
      closing.deliveries.push(deliveries);
      return deliveries;
    },
    isDelivered: async (app: string, index: number) =>
      (await appEvents.get(app, ids[app]?.[index] ?? "")).delivered_at !== null,
    get: (app: string, index: number) => appEvents.get(app, ids[app]?.[index] ?? ""),
  };
}

describe("EventDeliveries", () => {
  it("has started before the events of the backlog are delivered", async () => {
    const { deliveries, isDelivered } = await open({ app_1: 1 }, 2);
    const { released, release } = createGate();
    const one = deliveries(() => released);
    await one.start();
    expect(await isDelivered("app_1", 0)).toBe(false);
    release();
    await until(() => isDelivered("app_1", 1));
  });

  it("gives a run several events at once, so that it is loaded once for all, and counts them one by one", async () => {
    const { deliveries, isDelivered, get } = await open({ app_1: 70 }, 20);
    const calls: (readonly [string, number])[] = [];
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    const one = deliveries(async (runId, events) => {
      calls.push([runId, events.length]);
      expect(events.map(({ payload }) => payload["n"])).toEqual(numbers);
    });
    await one.start();
    await until(() => isDelivered("app_1", 19));
    expect(calls.sort()).toEqual(runIds("app_1", 70).map((id) => [id, 20]));
    expect((await get("app_1", 7)).runs_resumed).toBe(70);
  });

  it("delivers the event of another app although the runs of the first app hang", async () => {
    const { deliveries, isDelivered } = await open({ app_1: 10, app_2: 1 }, 1);
    const { released, release } = createGate();
    const one = deliveries(async (runId) => {
      if (runId.startsWith("run_app_1")) await released;
    });
    await one.start();
    await until(() => isDelivered("app_2", 0));
    expect(await isDelivered("app_1", 0)).toBe(false);
    release();
    await until(() => isDelivered("app_1", 0));
  });

  it("lets apps take turns, however large their backlogs are", async () => {
    const large = ["app_10", "app_11", "app_12", "app_13"];
    const small = Array.from({ length: 8 }, (_, index) => `app_${index + 20}`);
    const counts = [...large.map((app) => [app, 500] as const), ...small.map((app) => [app, 1] as const)];
    const { deliveries, isDelivered } = await open(Object.fromEntries(counts), 1);
    const { released, release } = createGate();
    const begun: string[] = [];
    const one = deliveries(async (runId) => {
      begun.push(runId);
      await released;
    });
    await one.start();
    release();
    for (const [app] of counts) await until(() => isDelivered(app, 0));
    const last = begun.findIndex((runId) => runId.startsWith("run_app_27"));
    // As many apps as are delivered at once are large. None comes to its end before each small one had a turn.
    for (const app of large) {
      const before = begun.slice(0, last).filter((runId) => runId.startsWith(`run_${app}`));
      expect(before.length, app).toBeLessThan(500);
    }
  });

  it("stops between two pages, and goes on where it was", async () => {
    const { deliveries, isDelivered } = await open({ app_1: 120 }, 3);
    const { released, release } = createGate();
    const received: string[] = [];
    const one = deliveries(async (runId) => {
      received.push(runId);
      await released;
    });
    await one.start();
    await until(async () => received.length === 50);
    const stopped = one.stop();
    release();
    await stopped;
    expect(received).toHaveLength(50);
    expect(await isDelivered("app_1", 0)).toBe(false);
    const next = deliveries(async (runId) => void received.push(runId));
    await next.start();
    await until(() => isDelivered("app_1", 2));
    expect(received.sort()).toEqual(runIds("app_1", 120));
  });
});

describe("a restart with events that were not delivered", () => {
  const waits: Step = {
    type: "service",
    key: "go",
    service: { service: "events", action: "wait", input: { name: "go", condition: "event.payload.n == input.n" } },
  };
  const RUNS = 60;
  const EVENTS = 30;

  it("delivers each once, although the process closes in the middle", async () => {
    const clock = createTestClock();
    const data = new Map<string, string>();
    const first = await timedService(clock, data);
    const workflow = await first.deploy([input("in", { input: { n: { type: "number" } } }), waits]);
    const started = await first.deploy([input("in")], { settings: { start_on: [{ name: "go" }] } });
    const runs = await Promise.all(
      Array.from({ length: RUNS }, (_, n) => first.stepwell.runs.create(first.app, workflow, { input: { n } })),
    );
    for (const { id } of runs) await first.until(id, ({ status }) => status === "waiting");
    await first.close();

    const store = openStore(faultyDriver(data, "rejects", 0).driver);
    const numbers = Array.from({ length: EVENTS }, (_, n) => ({ n }));
    const ids = await emitAll(store, clock, first.app, numbers);
    await store.close();

    const second = await timedService(clock, data, {}, first.app);
    await second.stepwell.ready();
    await second.close();

    const third = await timedService(clock, data, {}, first.app);
    const { stepwell, app, get } = third;
    await third.stepwell.ready();
    const isDelivered = async (id: string) => (await stepwell.events.get(app, id)).delivered_at !== null;
    for (const id of ids) await until(() => isDelivered(id));
    for (const [n, { id }] of runs.entries()) {
      const run = n < EVENTS ? await third.wait(id) : await get(id);
      expect(run.status).toBe(n < EVENTS ? "succeeded" : "waiting");
      if (n < EVENTS) expect(run.output).toMatchObject({ id: ids[n] });
    }
    expect((await stepwell.runs.list(app, { workflow_id: started, take: 100 })).items).toHaveLength(EVENTS);
    for (const id of ids) expect(await stepwell.events.get(app, id)).toMatchObject({ problems: [] });
  });
});
