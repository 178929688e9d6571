/** Authentication and authorization over HTTP. */
import { expect, it } from "vitest";
import { ADMIN_KEY, BASE, createTable, json, problemOf } from "../support/http/http-table.ts";

const table = await createTable();
const { app, call, fetch } = table;
const things = `/apps/${app.id}/things`;

const authorized = (value: string | null, path = things, init: RequestInit = {}) =>
  fetch(new Request(`${BASE}${path}`, { ...init, headers: value === null ? {} : { authorization: value } }));

it("accepts the Bearer scheme in any letter case", async () => {
  for (const scheme of ["Bearer", "bearer", "BEARER", "Bearer  "]) {
    expect((await authorized(`${scheme} ${app.key}`)).status).toBe(200);
  }
});

it.each([
  "Bearer",
  "Bearer ",
  "Bearer wrong",
  "Basic dXNlcjpwYXNz",
  "sw_0",
  `Bearer ${"x".repeat(5_000)}`,
  `Bearer ${app.key}x`,
  `Bearer ${app.key.slice(0, -1)}`,
  `Bearer ${app.key.toUpperCase()}`,
  `Bearer ${app.key.slice(0, -1)}${app.key.endsWith("0") ? "1" : "0"}`,
  `Bearer ${app.key} x`,
])("rejects the Authorization header %s, even on routes without a key", async (value) => {
  for (const path of [things, `/apps/${app.id}/tags`, "/apps"]) {
    const response = await authorized(value, path);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="stepwell"/);
    expect((await problemOf(response)).code).toBe("unauthorized");
  }
});

it("rejects two Authorization headers", async () => {
  const headers = new Headers({ authorization: `Bearer ${app.key}` });
  headers.append("authorization", `Bearer ${app.key}`);
  const response = await fetch(new Request(`${BASE}${things}`, { headers }));
  expect([response.status, (await problemOf(response)).code]).toEqual([400, "malformed"]);
});

it("rejects an API key in the query without repeating it", async () => {
  for (const name of ["key", "access_token", "search"]) {
    const response = await authorized(null, `${things}?${name}=${app.key}`);
    expect(response.status).toBe(400);
    expect(JSON.stringify(await problemOf(response))).not.toContain(app.key);
  }
});

it("requires a key on routes that need one, and answers public routes without one", async () => {
  const post = await authorized(null, things, { method: "POST" });
  expect([post.status, post.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="stepwell"']);
  expect((await authorized(null)).status).toBe(200);
  expect((await authorized(null, "/apps/me/things")).status).toBe(401);
});

it("ignores keys on routes where the URL is the secret", async () => {
  for (const value of [null, "Bearer wrong", `Bearer ${app.key}`]) {
    expect((await authorized(value, "/public/count", { method: "POST", body: "abc" })).status).toBe(200);
  }
});

it("answers 404 for another app", async () => {
  const other = await table.another();
  const paths = [`/apps/${other.id}/things`, `/apps/${other.id}/tags`, "/apps/app_unknown/things"];
  for (const path of paths) {
    const response = await authorized(`Bearer ${app.key}`, path);
    expect([response.status, (await problemOf(response)).code]).toEqual([404, "not_found"]);
  }
  expect((await authorized(null, "/apps/app_unknown/things")).status).toBe(404);
});

it("limits a key to its scopes and names the missing one", async () => {
  const key = await table.key(app.id, ["collections:read"]);
  expect((await call(things, { key })).status).toBe(200);
  expect((await call(`/apps/${app.id}/tags`, { key })).status).toBe(200);
  const response = await call(things, { key, ...json({ name: "x" }) });
  expect(response.status).toBe(403);
  expect(response.headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="collections:write"');
});

it("rejects API keys on admin routes, and the admin key on routes of apps", async () => {
  const status = async (path: string, key: string) => (await call(path, { key })).status;
  expect(await status("/apps", ADMIN_KEY)).toBe(200);
  expect(await status("/apps", app.key)).toBe(403);
  expect(await status(things, ADMIN_KEY)).toBe(403);
  expect(await status("/apps/me", ADMIN_KEY)).toBe(404);
});

it("rejects every admin key when none is configured", async () => {
  for (const adminKey of [undefined, ""]) {
    const closed = await createTable({ adminKey });
    for (const value of ["", "undefined", ADMIN_KEY]) {
      expect((await closed.call("/apps", { key: value })).status).toBe(401);
    }
  }
});
