/** Which scopes a key needs to send events to a URL: those that read their resources. */
import { afterEach, expect, it } from "vitest";
import type { ApiKeyScope, Stepwell } from "../../src/index.ts";
import { ADMIN_KEY, BASE, createTestHost } from "../support/http/transports.ts";

const URL = "https://receiver.test/in";
const closing: Stepwell[] = [];
afterEach(async () => {
  for (const stepwell of closing.splice(0)) await stepwell.close();
});

/** An app, and its webhooks as keys with few scopes see them. */
async function openApp() {
  const host = createTestHost(true, { secret: "s".repeat(40), adminKey: ADMIN_KEY });
  closing.push(host.stepwell);
  const { id: app } = await host.app();
  async function keyOf(...scopes: ApiKeyScope[]) {
    const { key } = await host.stepwell.keys.create(app, { name: "limited", scopes: ["webhooks:write", ...scopes] });
    return async (method: string, path: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const url = `${BASE}/apps/${app}/webhooks${path}`;
      const response = await host.stepwell.fetch(new Request(url, { method, headers, body: JSON.stringify(body) }));
      const { id, errors } = await response.json();
      const [error] = errors ?? [];
      const needed = response.headers.get("www-authenticate");
      return { status: response.status, id, pointer: error?.pointer, message: error?.message, needed };
    };
  }
  return { ...host, app, keyOf };
}

it.each([
  ["run.failed", "runs:read"],
  ["record.*", "collections:read"],
  ["rule.passed", "collections:read"],
  ["collection.created", "collections:read"],
  ["file.*", "files:read"],
  ["workflow.deployed", "workflows:read"],
] as const)("a webhook for %s needs the scope %s besides webhooks:write", async (event, scope) => {
  const { keyOf } = await openApp();
  const refused = await (await keyOf())("POST", "", { url: URL, events: [event] });
  expect(refused).toMatchObject({ status: 403, pointer: "/events/0", message: expect.stringContaining(scope) });
  expect(refused.needed).toBe(`Bearer realm="stepwell", error="insufficient_scope", scope="${scope}"`);
  expect((await (await keyOf(scope))("POST", "", { url: URL, events: [event] })).status).toBe(201);
});

it("a webhook for all events names every missing scope", async () => {
  const { keyOf, callApi, app } = await openApp();
  const refused = await (await keyOf("runs:read"))("POST", "", { url: URL, events: ["run.*", "*"] });
  expect(refused).toMatchObject({
    status: 403,
    pointer: "/events/1",
    message: "Needs the scopes collections:read, files:read, workflows:read, which the API key does not have.",
    needed: expect.stringContaining('scope="collections:read files:read workflows:read"'),
  });
  expect((await callApi("webhooks.list", app)).items).toEqual([]);
});

it("a key can neither redirect nor extend a webhook whose events it cannot read, but turn it off and on", async () => {
  const { keyOf, callApi, app } = await openApp();
  const collection = (await callApi("collections.create", app, { name: "Loans" })).id;
  const { id } = await callApi("webhooks.create", app, { url: URL, events: ["record.*"], collection_id: collection });
  const call = await keyOf("runs:read");
  const change = async (body: object) => {
    const { status, pointer } = await call("PATCH", `/${id}`, body);
    return { status, pointer };
  };
  expect(await change({ url: "https://elsewhere.test/" })).toEqual({ status: 403, pointer: "/url" });
  expect(await change({ collection_id: null })).toEqual({ status: 403, pointer: "/collection_id" });
  expect(await change({ events: ["run.*", "record.created"] })).toEqual({ status: 403, pointer: "/events/1" });
  expect(await change({ events: ["file.*"], url: URL })).toEqual({ status: 403, pointer: "/events/0" });
  expect(await callApi("webhooks.get", app, id)).toMatchObject({ url: URL, events: ["record.*"] });
  expect((await change({ enabled: false })).status).toBe(200);
  expect((await change({ enabled: true })).status).toBe(200);
  expect((await (await keyOf("collections:read"))("PATCH", `/${id}`, { url: "https://elsewhere.test/" })).status).toBe(
    200,
  );
});

it("keys without scopes and calls in process may send every event", async () => {
  const { stepwell, callApi, app } = await openApp();
  expect((await callApi("webhooks.create", app, { url: URL, events: ["*"] })).events).toEqual(["*"]);
  expect((await stepwell.webhooks.create(app, { url: URL, events: ["*"] })).events).toEqual(["*"]);
});
