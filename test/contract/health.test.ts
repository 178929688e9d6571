/** GET /health of a running, a replaced and a closed service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import type { ExtendedDriver } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { openService, type Service } from "../support/engine/service.ts";
import { hangingStorage } from "../support/storage/hanging.ts";
import { createReceiver } from "../support/webhooks/receiver.ts";

describe("GET /health", () => {
  const entities = { ...memoryDriver(), dispose: () => undefined };
  let first: Service;
  let second: Service;
  beforeAll(async () => {
    first = await openService({ storage: { entities } });
  });
  afterAll(async () => {
    await first.stepwell.close();
    await second.stepwell.close();
  });

  async function healthOf({ stepwell }: Service, path = "/health") {
    const response = await stepwell.fetch(new Request(`http://localhost:3000${path}`));
    return { status: response.status, body: await response.json() };
  }

  it("returns 200 while the process owns the storage, and 503 after a takeover", async () => {
    await first.stepwell.ready();
    expect(await healthOf(first)).toEqual({ status: 200, body: { status: "ready" } });

    expect(await healthOf(first, "/health/live")).toEqual({ status: 200, body: { status: "live" } });

    second = await openService({ storage: { entities } }, first.app);
    await second.stepwell.ready();
    expect(await healthOf(second)).toEqual({ status: 200, body: { status: "ready" } });
    expect(await healthOf(first)).toEqual({
      status: 503,
      body: { status: "not_ready", not_ready: [{ part: "storage", reason: "storage unavailable", failures: 1 }] },
    });
    expect(await healthOf(second, "/health/live")).toEqual({ status: 200, body: { status: "live" } });
    expect(await healthOf(first, "/health/live")).toEqual({
      status: 503,
      body: { status: "not_live", reason: expect.stringContaining("another process has taken over the storage") },
    });
  });
});

/** A storage that accepts so many writes, then none. */
function limitedStorage() {
  const memory = memoryDriver();
  const limit = { writes: Number.POSITIVE_INFINITY };
  const whileRoom = <T>(write: () => T): T => {
    if (limit.writes-- <= 0) throw new Error("No space left on device");
    return write();
  };
  const entities: ExtendedDriver = {
    name: "full",
    hasItem: memory.hasItem,
    getItem: memory.getItem,
    getKeys: memory.getKeys,
    setItem: (...given) => whileRoom(() => memory.setItem?.(...given)),
    removeItem: (...given) => memory.removeItem?.(...given),
  };
  return { limit, storage: { entities } };
}

const statusOf = async ({ fetch }: Service["stepwell"]) =>
  (await fetch(new Request("http://localhost:3000/health"))).status;

it("GET /health returns 503 after two seconds if the storage does not respond", async () => {
  const storage = hangingStorage();
  const clock = createTestClock();
  const { stepwell } = await openService({ storage: { entities: storage.driver }, clock });
  await stepwell.ready();
  storage.hang();
  const status = statusOf(stepwell);
  await clock.advance("2s");
  expect(await status).toBe(503);
  storage.release();
  await expect.poll(() => statusOf(stepwell)).toBe(200);
  await stepwell.close();
});

it("GET /health returns 503 while the storage rejects commits, and 200 once it accepts them", async () => {
  const { limit, storage } = limitedStorage();
  const { stepwell } = await openService({ storage, clock: createTestClock() });
  const health = () => statusOf(stepwell);
  await stepwell.ready();
  limit.writes = 0;
  await expect(stepwell.apps.create({ name: "Not stored" })).rejects.toMatchObject({ code: "unavailable" });
  expect([await health(), await health()]).toEqual([503, 503]);
  limit.writes = Number.POSITIVE_INFINITY;
  // The clock stands still: nothing waits for a retry.
  await expect.poll(health).toBe(200);
  await stepwell.close();
});

it.each(["a write", "a health check"])(
  "background work that failed for lack of space is repeated at once when %s finds space again",
  async (what) => {
    const { limit, storage } = limitedStorage();
    const { fetch, received } = createReceiver();
    const options = { storage, fetch, secret: "s".repeat(40), clock: createTestClock() };
    const { stepwell, app } = await openService(options);
    await stepwell.ready();
    await stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["collection.*"] });
    limit.writes = 1; // the collection with its event, but no delivery of it
    await stepwell.collections.create(app, { name: "Loans" });
    await expect.poll(() => statusOf(stepwell)).toBe(503);
    limit.writes = Number.POSITIVE_INFINITY;
    // One that joins a write that still finds no space is rejected with it.
    const create = () =>
      stepwell.apps.create({ name: "Stored" }).then(
        () => "stored",
        () => "rejected",
      );
    if (what === "a write") await expect.poll(create).toBe("stored");
    await expect.poll(async () => [await statusOf(stepwell), received.length]).toEqual([200, 1]);
    await stepwell.close();
  },
);

it("a webhook writes nothing while there are no events", async () => {
  const { limit, storage } = limitedStorage();
  const { fetch } = createReceiver();
  const { stepwell, app } = await openService({ storage, fetch, secret: "s".repeat(40), clock: createTestClock() });
  const { id } = await stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["collection.*"] });
  await stepwell.ready();
  limit.writes = 3; // the collection with its event, the delivery, its outcome
  await stepwell.collections.create(app, { name: "Loans" });
  await expect.poll(async () => (await stepwell.webhooks.deliveries(app, id)).items[0]?.status).toBe("delivered");
  expect(await statusOf(stepwell)).toBe(200);
  expect(limit.writes).toBe(0);
  limit.writes = Number.POSITIVE_INFINITY;
  await stepwell.close();
});

it("GET /health returns 503 after close(), and service functions reject with `unavailable`", async () => {
  const { stepwell, app, start } = await openService();
  const { id } = await start([
    { type: "input", key: "in", input: {} },
    { type: "input", key: "ask", input: {} },
  ]);
  await stepwell.close();
  expect((await stepwell.fetch(new Request("http://localhost:3000/health"))).status).toBe(503);
  const calls = [stepwell.apps.get(app), stepwell.runs.get(app, id), stepwell.runs.wait(app, id)];
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: "unavailable" });
});
