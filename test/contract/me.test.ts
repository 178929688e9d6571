import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ADMIN_KEY, BASE, createTestHost, type TestHost } from "../support/http/transports.ts";

let host: TestHost;
beforeEach(() => {
  host = createTestHost(true, { secret: "s".repeat(40), webSearch: { search: async () => [] } });
});
afterEach(() => host.stepwell.close());

const get = (key?: string) =>
  host.stepwell.fetch(
    new Request(`${BASE}/me`, key === undefined ? undefined : { headers: { authorization: `Bearer ${key}` } }),
  );

describe("GET /me", () => {
  it("returns the app, the key and what the host has configured", async () => {
    const app = await host.stepwell.apps.create({ name: "Lending" });
    const expires_at = "2999-01-01T00:00:00Z";
    const input = { name: "Console", scopes: ["runs:read" as const], expires_at };
    const { id, key } = await host.stepwell.keys.create(app.id, input);
    const response = await get(key);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        app: { id: app.id, name: "Lending", color: null, verified: false },
        key: { id, name: "Console", scopes: ["runs:read"], expires_at },
        configured: { secret: true, models: [], browser: false, web_search: true, mcp: false, console: false },
      },
    ]);
  });

  it("returns 401 without a key, and 403 for the admin key", async () => {
    const statuses = await Promise.all([get(), get(ADMIN_KEY)]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 403]);
  });

  it("returns 401 after the key was revoked", async () => {
    const app = await host.app();
    const { items } = await host.stepwell.keys.list(app.id);
    await host.stepwell.keys.remove(app.id, items[0]?.id ?? "");
    expect((await get(app.key)).status).toBe(401);
  });
});
