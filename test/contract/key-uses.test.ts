/** When keys were last used. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestClock, type TestClock } from "../../src/testing/index.ts";
import { closeInTestTime } from "../support/close-in-test-time.ts";
import { BASE, createTestHost, type TestHost } from "../support/http/transports.ts";

let host: TestHost;
let clock: TestClock;
let app: { readonly id: string; readonly key: string };
beforeEach(async () => {
  clock = createTestClock();
  host = createTestHost(true, { clock });
  app = await host.app();
});
afterEach(() => closeInTestTime(host.stepwell, clock));

const get = (key: string) =>
  host.stepwell.fetch(new Request(`${BASE}/apps/me/runs`, { headers: { authorization: `Bearer ${key}` } }));
const lastUses = async () => (await host.stepwell.keys.list(app.id)).items.map((key) => key.last_used_at);

describe("the last use of a key", () => {
  it("is null until it is used, and told some seconds later", async () => {
    expect(await lastUses()).toEqual([null]);
    expect((await get(app.key)).status).toBe(200);
    expect(await lastUses()).toEqual([null]);
    await clock.advance("10s");
    expect(await lastUses()).toEqual(["2030-01-01T00:00:00.000Z"]);
  });

  it("is stored at most once an hour", async () => {
    await get(app.key);
    await clock.advance("10s");
    await clock.advance("30m");
    await get(app.key);
    await clock.advance("10s");
    expect(await lastUses()).toEqual(["2030-01-01T00:00:00.000Z"]);
    await clock.advance("30m");
    await get(app.key);
    await clock.advance("10s");
    expect(await lastUses()).toEqual(["2030-01-01T01:00:20.000Z"]);
  });

  it("is not changed by a wrong key, and does not bring back a revoked one", async () => {
    const last = app.key.at(-1) === "0" ? "1" : "0";
    expect((await get(app.key.slice(0, -1) + last)).status).toBe(401);
    await clock.advance("10s");
    expect(await lastUses()).toEqual([null]);
    await get(app.key);
    const [key] = (await host.stepwell.keys.list(app.id)).items;
    await host.stepwell.keys.remove(app.id, key?.id ?? "");
    await clock.advance("10s");
    expect(await lastUses()).toEqual([]);
    expect((await get(app.key)).status).toBe(401);
  });

  it("leaves the key as it is", async () => {
    const expires_at = "2031-01-01T00:00:00.000Z";
    const { key, ...issued } = await host.stepwell.keys.create(app.id, {
      name: "K",
      scopes: ["runs:read"],
      expires_at,
    });
    await get(key);
    await clock.advance("10s");
    const { items } = await host.stepwell.keys.list(app.id);
    expect(items).toContainEqual({ ...issued, last_used_at: "2030-01-01T00:00:00.000Z" });
    expect((await get(key)).status).toBe(200);
  });
});
