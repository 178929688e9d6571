/** Apps and API keys, which the host manages. */
import { expect, it } from "vitest";
import { ADMIN_KEY, BASE, createHouse, throughBothDoors } from "../support/http/doors.ts";

throughBothDoors("apps", (open) => {
  it("creates, gets, lists newest first, updates and deletes an app", async () => {
    const { door } = open();
    const first = await door("apps.create", { name: "Lending" });
    const second = await door("apps.create", { name: " Leasing " });
    expect(first).toMatchObject({ id: expect.stringMatching(/^app_[0-9a-z]{26}$/), name: "Lending", verified: false });
    expect(second.name).toBe("Leasing");
    expect(await door("apps.get", first.id)).toEqual(first);
    expect(await door("apps.list")).toMatchObject({ items: [second, first], total: 2, more: false });
    expect(await door("apps.list", { take: 1, page: 2 })).toMatchObject({ items: [first], more: false });

    const changed = await door("apps.update", first.id, { verified: true });
    expect(changed).toMatchObject({ ...first, verified: true, updated_at: expect.any(String) });
    expect(await door("apps.get", first.id)).toEqual(changed);

    await door("apps.remove", first.id);
    await expect(door("apps.get", first.id)).rejects.toMatchObject({ status: 404, code: "not_found" });
    await expect(door("apps.remove", first.id)).rejects.toMatchObject({ status: 404 });
    expect((await door("apps.list")).items).toEqual([second]);
  });

  it("rejects an invalid name or an unknown field with a pointer", async () => {
    const { door } = open();
    const pointers = async (input: unknown) =>
      door("apps.create", input).then(
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

throughBothDoors("keys", (open) => {
  it("shows the key once, lists it without the secret, and stops accepting it when revoked", async () => {
    const { door, stepwell } = open();
    const app = await door("apps.create", { name: "Lending" });
    const issued = await door("keys.create", app.id, { name: "server" });
    expect(issued).toMatchObject({ app_id: app.id, name: "server", scopes: null, expires_at: null });
    expect(issued.key).toMatch(/^sw_[0-9a-z]{26}_[0-9a-z]{40}$/);

    const { key, ...known } = issued;
    expect((await door("keys.list", app.id)).items).toEqual([known]);
    expect(JSON.stringify(await door("keys.list", app.id))).not.toContain(key.slice(-40));

    const call = () =>
      stepwell.fetch(
        new Request(`${BASE}/apps/${app.id}/collections`, { headers: { authorization: `Bearer ${key}` } }),
      );
    expect((await call()).status).toBe(200);
    await door("keys.remove", app.id, issued.id);
    expect((await call()).status).toBe(401);
    await expect(door("keys.remove", app.id, issued.id)).rejects.toMatchObject({ status: 404 });
  });

  it("hides the keys of an app from other apps", async () => {
    const { door } = open();
    const [one, other] = [await door("apps.create", { name: "One" }), await door("apps.create", { name: "Other" })];
    const issued = await door("keys.create", one.id, { name: "server" });
    await expect(door("keys.remove", other.id, issued.id)).rejects.toMatchObject({ status: 404 });
    expect((await door("keys.list", other.id)).items).toEqual([]);
    await expect(door("keys.create", "app_unknown", { name: "x" })).rejects.toMatchObject({ status: 404 });
  });

  it("rejects unknown scopes, and an expires_at that is invalid or in the past", async () => {
    const { door } = open();
    const app = await door("apps.create", { name: "Lending" });
    for (const input of [
      { name: "x", scopes: ["everything"] },
      { name: "x", scopes: [] },
      { name: "x", expires_at: "soon" },
      { name: "x", expires_at: "2020-01-01T00:00:00Z" },
    ]) {
      await expect(door("keys.create", app.id, input)).rejects.toMatchObject({ status: 422 });
    }
  });
});

it("opens /apps and its keys over HTTP to the admin key only", async () => {
  const { stepwell, app } = createHouse(true);
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
  const { stepwell } = createHouse(true, { clock });
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
