/** Apps and API keys, which the host manages. */
import { expect, it } from "vitest";
import { ADMIN_KEY, BASE, createTestHost, describeEachTransport } from "../support/http/transports.ts";

describeEachTransport("apps", (open) => {
  it("creates, gets, lists newest first, updates and deletes an app", async () => {
    const { callApi } = open();
    const first = await callApi("apps.create", { name: "Lending" });
    const second = await callApi("apps.create", { name: " Leasing " });
    expect(first).toMatchObject({ id: expect.stringMatching(/^app_[0-9a-z]{26}$/), name: "Lending", verified: false });
    expect(second.name).toBe("Leasing");
    expect(await callApi("apps.get", first.id)).toEqual(first);
    expect(await callApi("apps.list")).toMatchObject({ items: [second, first], total: 2, more: false });
    expect(await callApi("apps.list", { take: 1, page: 2 })).toMatchObject({ items: [first], more: false });

    const changed = await callApi("apps.update", first.id, { verified: true });
    expect(changed).toMatchObject({ ...first, verified: true, updated_at: expect.any(String) });
    expect(await callApi("apps.get", first.id)).toEqual(changed);

    await callApi("apps.remove", first.id);
    await expect(callApi("apps.get", first.id)).rejects.toMatchObject({ status: 404, code: "not_found" });
    await expect(callApi("apps.remove", first.id)).rejects.toMatchObject({ status: 404 });
    expect((await callApi("apps.list")).items).toEqual([second]);
  });

  it("rejects an invalid name or an unknown field with a pointer", async () => {
    const { callApi } = open();
    const pointers = async (input: unknown) =>
      callApi("apps.create", input).then(
        () => "created",
        (error) => [error.status, error.errors.map((one: { pointer: string }) => one.pointer)],
      );
    expect(await pointers({})).toEqual([422, ["/name"]]);
    expect(await pointers({ name: " " })).toEqual([422, ["/name"]]);
    expect(await pointers({ name: 7 })).toEqual([422, ["/name"]]);
    expect(await pointers({ name: "x".repeat(256) })).toBe("created");
    expect(await pointers({ name: "x".repeat(257) })).toEqual([422, ["/name"]]);
    expect(await pointers({ name: "x", nmae: "y" })).toEqual([422, ["/nmae"]]);
    expect(await pointers([])).toEqual([422, [""]]);
  });
});

describeEachTransport("keys", (open) => {
  it("shows the key once, lists it without the secret, and stops accepting it when revoked", async () => {
    const { callApi, stepwell } = open();
    const app = await callApi("apps.create", { name: "Lending" });
    const issued = await callApi("keys.create", app.id, { name: "server" });
    expect(issued).toMatchObject({ app_id: app.id, name: "server", scopes: null, expires_at: null });
    expect(issued.key).toMatch(/^sw_[0-9a-z]{26}_[0-9a-z]{40}$/);

    const { key, ...known } = issued;
    expect((await callApi("keys.list", app.id)).items).toEqual([known]);
    expect(JSON.stringify(await callApi("keys.list", app.id))).not.toContain(key.slice(-40));

    const call = () =>
      stepwell.fetch(
        new Request(`${BASE}/apps/${app.id}/collections`, { headers: { authorization: `Bearer ${key}` } }),
      );
    expect((await call()).status).toBe(200);
    await callApi("keys.remove", app.id, issued.id);
    expect((await call()).status).toBe(401);
    await expect(callApi("keys.remove", app.id, issued.id)).rejects.toMatchObject({ status: 404 });
  });

  it("hides the keys of an app from other apps", async () => {
    const { callApi } = open();
    const [one, other] = [
      await callApi("apps.create", { name: "One" }),
      await callApi("apps.create", { name: "Other" }),
    ];
    const issued = await callApi("keys.create", one.id, { name: "server" });
    await expect(callApi("keys.remove", other.id, issued.id)).rejects.toMatchObject({ status: 404 });
    expect((await callApi("keys.list", other.id)).items).toEqual([]);
    await expect(callApi("keys.create", "app_unknown", { name: "x" })).rejects.toMatchObject({ status: 404 });
  });

  it("rejects unknown scopes, and an expires_at that is invalid or in the past", async () => {
    const { callApi } = open();
    const app = await callApi("apps.create", { name: "Lending" });
    for (const input of [
      { name: "x", scopes: ["everything"] },
      { name: "x", scopes: [] },
      { name: "x", expires_at: "soon" },
      { name: "x", expires_at: "2020-01-01T00:00:00Z" },
    ]) {
      await expect(callApi("keys.create", app.id, input)).rejects.toMatchObject({ status: 422 });
    }
  });
});

it("opens /apps and its keys over HTTP to the admin key only", async () => {
  const { stepwell, app } = createTestHost(true);
  const { id, key } = await app();
  const status = async (path: string, token?: string) =>
    (
      await stepwell.fetch(
        new Request(`${BASE}${path}`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
      )
    ).status;
  for (const path of ["/apps", `/apps/${id}`, `/apps/${id}/keys`]) {
    expect(await status(path)).toBe(401);
    expect(await status(path, "wrong")).toBe(401);
    expect(await status(path, key)).toBe(403);
    expect(await status(path, ADMIN_KEY)).toBe(200);
  }
});

it("answers GET /apps with 401 when no admin key is set", async () => {
  const { createStepwell } = await import("../../src/index.ts");
  const stepwell = createStepwell({ baseUrl: BASE });
  const response = await stepwell.fetch(new Request(`${BASE}/apps`, { headers: { authorization: "Bearer " } }));
  expect(response.status).toBe(401);
});

it("limits an API key to its scopes until it expires", async () => {
  let now = Date.parse("2026-06-01T12:00:00Z");
  const clock = { now: () => now, after: () => () => {} };
  const { stepwell } = createTestHost(true, { clock });
  const app = await stepwell.apps.create({ name: "Lending" });
  const { key } = await stepwell.keys.create(app.id, {
    name: "reader",
    scopes: ["collections:read"],
    expires_at: "2026-06-02T00:00:00Z",
  });
  const call = (path: string, init: RequestInit = {}) =>
    stepwell.fetch(
      new Request(`${BASE}/apps/${app.id}${path}`, { ...init, headers: { authorization: `Bearer ${key}` } }),
    );
  expect((await call("/collections")).status).toBe(200);
  expect((await call("/workflows")).status).toBe(403);
  expect((await call("/collections", { method: "POST" })).status).toBe(403);
  now += 24 * 3_600_000;
  expect((await call("/collections")).status).toBe(401);
});
