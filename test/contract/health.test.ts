/** GET /health of a running, a replaced and a closed service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import type { ExtendedDriver } from "../../src/index.ts";
import { openService, type Service } from "../support/engine/service.ts";

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

  async function healthOf({ stepwell }: Service) {
    const response = await stepwell.fetch(new Request("http://localhost:3000/health"));
    return { status: response.status, body: await response.json() };
  }

  it("returns 200 while the process owns the storage, and 503 after a takeover", async () => {
    await first.stepwell.ready();
    expect(await healthOf(first)).toEqual({ status: 200, body: { status: "ready" } });

    second = await openService({ storage: { entities } }, first.app);
    await second.stepwell.ready();
    expect(await healthOf(second)).toEqual({ status: 200, body: { status: "ready" } });
    expect(await healthOf(first)).toEqual({
      status: 503,
      body: { status: "not_ready", not_ready: [{ part: "storage", reason: "storage unavailable", failures: 1 }] },
    });
  });
});

it("GET /health returns 503 while the storage rejects commits, and 200 once it accepts them", async () => {
  const memory = memoryDriver();
  let isFull = false;
  const whileRoom = <T>(write: () => T): T => {
    if (isFull) throw new Error("No space left on device");
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
  const { stepwell } = await openService({ storage: { entities } });
  const health = async () => (await stepwell.fetch(new Request("http://localhost:3000/health"))).status;
  await stepwell.ready();
  isFull = true;
  await expect(stepwell.apps.create({ name: "Not stored" })).rejects.toMatchObject({ code: "unavailable" });
  expect([await health(), await health()]).toEqual([503, 503]);
  isFull = false;
  // Background work that failed meanwhile is reported until its next retry.
  await expect.poll(health).toBe(200);
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
