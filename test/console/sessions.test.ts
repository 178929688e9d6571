/** Signing in to the console, and what a session may do. */

import { afterEach, describe, expect, it } from "vitest";
import { SPEAKER, speakerOf } from "../../src/console/speaker.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { type ConsoleHost, openConsole } from "../support/console/small-console.ts";
import { memory } from "../support/engine/memory.ts";
import { ADMIN_KEY, BASE } from "../support/http/transports.ts";

const hosts: ConsoleHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stepwell.close();
});

function open(...given: Parameters<typeof openConsole>): ConsoleHost {
  const host = openConsole(...given);
  hosts.push(host);
  return host;
}

const HOUR_MS = 3_600_000;
const SESSION = "/console/session";
const json = async (response: Response) => [response.status, await response.json()];

async function openWithKey(...given: Parameters<typeof openConsole>) {
  const host = open(...given);
  const app = await host.stepwell.apps.create({ name: "Lending" });
  const key = await host.stepwell.keys.create(app.id, { name: "Ann", scopes: ["runs:read", "workflows:read"] });
  const signedIn = await host.browser.send("POST", SESSION, { key: key.key });
  return { ...host, app, key, signedIn };
}

describe("a key", () => {
  it("opens a session of twelve hours with the rights of the key", async () => {
    const clock = createTestClock();
    const { browser, signedIn, app, key } = await openWithKey({ clock });
    const session = {
      ...{ kind: "key", admin: false, app_id: app.id, name: "Ann", scopes: ["runs:read", "workflows:read"] },
      expires_at: new Date(clock.now() + 12 * 3_600_000).toISOString(),
      person: key.id,
    };
    expect(await json(signedIn)).toEqual([200, { session, sign_in: null }]);
    expect(await json(await browser.send("GET", SESSION))).toEqual([200, { session, sign_in: null }]);
    const [status, me] = await json(await browser.send("GET", "/me"));
    expect([status, me.app.id, me.key.id]).toEqual([200, app.id, key.id]);
    expect((await browser.send("GET", "/apps/me/runs")).status).toBe(200);
    expect((await browser.send("GET", `/apps/${app.id}/runs`)).status).toBe(200);
    expect((await browser.send("POST", `/apps/${app.id}/workflows`, { name: "a" })).status).toBe(403);
    expect((await browser.send("GET", "/apps")).status).toBe(403);
  });

  it("sets a cookie that scripts cannot read and other sites cannot send", async () => {
    const { browser } = await openWithKey({ clock: createTestClock() });
    expect(browser.setCookie).toMatch(
      /^stepwell-[0-9a-f]{12}=[0-9a-z]{50}; Max-Age=43200; Path=\/automation; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  it("sets a cookie for plain connections where the service has no others", async () => {
    const { browser } = await openWithKey({ baseUrl: "http://localhost:3000" });
    expect(browser.setCookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it("sets another cookie than a service on another port", async () => {
    const names = await Promise.all(
      [3000, 3001].map(async (port) => {
        const { browser } = await openWithKey({ baseUrl: `http://localhost:${port}` });
        return browser.cookie.split("=")[0];
      }),
    );
    expect(names[0]).not.toBe(names[1]);
  });

  it("opens a session that ends with the key", async () => {
    const clock = createTestClock();
    const { stepwell, browser, app } = await openWithKey({ clock });
    const expires_at = new Date(clock.now() + 60_000).toISOString();
    const { key } = await stepwell.keys.create(app.id, { name: "brief", expires_at });
    await browser.send("POST", SESSION, { key });
    expect(browser.setCookie).toContain("Max-Age=60;");
    expect((await browser.send("GET", "/me")).status).toBe(200);
    await clock.advance(60_000);
    expect((await browser.send("GET", "/me")).status).toBe(401);
    expect(await json(await browser.send("GET", SESSION))).toEqual([200, { session: null, sign_in: null }]);
  });

  it.each([
    ["-10:00", 11],
    ["-10:00", 13],
    ["+10:00", 11],
    ["+10:00", 13],
  ])("whose end is written in the time zone %s, %d hours from now, ends at the earlier moment", async (zone, hours) => {
    const clock = createTestClock();
    const { stepwell, browser, app } = await openWithKey({ clock });
    const end = clock.now() + hours * HOUR_MS;
    const there = new Date(end + Number.parseInt(zone, 10) * HOUR_MS).toISOString().replace("Z", zone);
    expect(Date.parse(there)).toBe(end);
    const { key } = await stepwell.keys.create(app.id, { name: "abroad", expires_at: there });
    const [, { session }] = await json(await browser.send("POST", SESSION, { key }));
    expect(session.expires_at).toBe(new Date(clock.now() + Math.min(hours, 12) * HOUR_MS).toISOString());
  });

  it("that is revoked ends its sessions at once", async () => {
    const { stepwell, browser, app, key } = await openWithKey();
    await stepwell.keys.remove(app.id, key.id);
    expect((await browser.send("GET", "/me")).status).toBe(401);
    expect(await json(await browser.send("GET", SESSION))).toEqual([200, { session: null, sign_in: null }]);
  });

  it("of a deleted app opens nothing", async () => {
    const { stepwell, browser, app } = await openWithKey();
    await stepwell.apps.remove(app.id);
    expect(await json(await browser.send("GET", SESSION))).toEqual([200, { session: null, sign_in: null }]);
    expect([401, 404]).toContain((await browser.send("GET", "/me")).status);
  });

  it.each(["sw_", "wrong", ADMIN_KEY.slice(1), `sw_${"0".repeat(26)}_${"0".repeat(40)}`])(
    "that is unknown is refused: %s",
    async (key) => {
      const { browser } = open();
      const [status, problem] = await json(await browser.send("POST", SESSION, { key }));
      expect([status, problem.code, browser.setCookie]).toEqual([401, "unauthorized", null]);
    },
  );
});

it.each([
  [{}, ""],
  [{ key: 1 }, "/key"],
  [{ key: "a", once: "b" }, ""],
  [{ other: "a" }, "/other"],
  [[], ""],
  [{ app_id: "a".repeat(1_025) }, "/app_id"],
])("refuses the body %j with one error", async (body, pointer) => {
  const { browser } = open();
  const [status, { errors }] = await json(await browser.send("POST", SESSION, body));
  expect([status, errors]).toEqual([422, [{ pointer, message: expect.any(String) }]]);
});

it("refuses a body that is not UTF-8", async () => {
  const { stepwell } = open();
  const headers = { "stepwell-console": "1", "content-type": "application/json" };
  const body = new Uint8Array([...new TextEncoder().encode('{"key":"'), 0xff, ...new TextEncoder().encode('"}')]);
  const response = await stepwell.fetch(new Request(`${BASE}${SESSION}`, { method: "POST", headers, body }));
  expect([response.status, (await response.json()).code]).toEqual([400, "malformed"]);
});

it("refuses a body that is too large", async () => {
  const { browser } = open();
  expect((await browser.send("POST", SESSION, { key: "a".repeat(20_000) })).status).toBe(413);
});

describe("a session", () => {
  it("ends after twelve hours", async () => {
    const clock = createTestClock();
    const { browser } = await openWithKey({ clock });
    await clock.advance(12 * 3_600_000 - 1);
    expect((await browser.send("GET", "/me")).status).toBe(200);
    await clock.advance(1);
    expect((await browser.send("GET", "/me")).status).toBe(401);
  });

  it("ends when its person signs out", async () => {
    const { browser } = await openWithKey();
    const { cookie } = browser;
    const left = await browser.send("DELETE", SESSION);
    expect([left.status, browser.cookie]).toEqual([204, ""]);
    expect(browser.setCookie).toMatch(/=; Max-Age=0; Path=\/automation; HttpOnly/);
    expect((await browser.send("GET", "/me", undefined, { cookie })).status).toBe(401);
  });

  it("ends when its person signs in again", async () => {
    const { browser } = await openWithKey();
    const { cookie } = browser;
    await browser.send("POST", SESSION, { key: ADMIN_KEY });
    expect((await browser.send("GET", "/me", undefined, { cookie })).status).toBe(401);
    expect((await browser.send("GET", "/apps")).status).toBe(200);
  });

  it("outlasts a restart, and is stored without its token", async () => {
    const data = new Map<string, string>();
    const { stepwell, browser } = await openWithKey({ storage: { entities: memory(data).driver } });
    await stepwell.close();
    const [, token = ""] = browser.cookie.split("=");
    const stored = [...data.keys(), ...data.values()].join("\n");
    expect(token).toMatch(/^[0-9a-z]{50}$/);
    expect(stored).toContain("console_session");
    expect(stored).not.toContain(token);
    const next = open({ storage: { entities: memory(data).driver } });
    expect((await next.another().send("GET", "/me", undefined, { cookie: browser.cookie })).status).toBe(200);
  });

  it("is found behind cookies of the same name that name none", async () => {
    const { browser } = await openWithKey();
    const [name = ""] = browser.cookie.split("=");
    const bad = [`${name}=${"a".repeat(50)}`, `${name}=`, `${name}=?`];
    const withCookies = (...cookies: string[]) => browser.send("GET", "/me", undefined, { cookie: cookies.join("; ") });
    expect((await withCookies(...bad, browser.cookie)).status).toBe(200);
    expect((await withCookies(browser.cookie, ...bad)).status).toBe(200);
    expect((await withCookies(...bad)).status).toBe(401);
    // Each costs a look into the storage.
    expect((await withCookies(...Array<string>(5).fill(bad[0] ?? ""), browser.cookie)).status).toBe(401);
  });

  it("starts runs that say so", async () => {
    const { stepwell, browser } = open();
    const app = await stepwell.apps.create({ name: "A" });
    const { id, key } = await stepwell.keys.create(app.id, { name: "k" });
    await browser.send("POST", SESSION, { key });
    const steps = [{ type: "input" as const, key: "in", input: {} }];
    const workflow = await stepwell.workflows.create(app.id, { name: "w", steps });
    await stepwell.workflows.deploy(app.id, workflow.id);
    const [status, run] = await json(await browser.send("POST", `/apps/${app.id}/workflows/${workflow.id}/runs`, {}));
    expect([status, run.trigger]).toEqual([201, { type: "console", key_id: id, key_name: "k" }]);
  });

  it("shares idempotency keys with the key of the app", async () => {
    const { stepwell, browser } = open();
    const app = await stepwell.apps.create({ name: "A" });
    const { key } = await stepwell.keys.create(app.id, { name: "k" });
    await browser.send("POST", SESSION, { key });
    const twice = { "idempotency-key": "one" };
    const [, first] = await json(await browser.send("POST", `/apps/${app.id}/tags`, { name: "t" }, twice));
    const [, second] = await json(await browser.send("POST", `/apps/${app.id}/tags`, { name: "t" }, twice));
    expect(second.id).toBe(first.id);
  });
});

it("a request that speaks for somebody else has no session", async () => {
  const { browser, key } = await openWithKey();
  const of = (person: string) => ({ [SPEAKER]: speakerOf({ kind: "key", person }) });
  expect((await browser.send("GET", "/me", undefined, of(key.id))).status).toBe(200);
  expect((await browser.send("GET", "/me", undefined, of("key_other"))).status).toBe(401);
  expect((await browser.send("GET", "/me", undefined, { [SPEAKER]: "anything" })).status).toBe(401);
});

it("a page gets nothing that is for anybody when its session has ended: that would look like all there is", async () => {
  const { stepwell, browser } = open();
  const app = await stepwell.apps.create({ name: "A" });
  const key = await stepwell.keys.create(app.id, { name: "k" });
  await browser.send("POST", SESSION, { key: key.key });
  const speaker = { [SPEAKER]: speakerOf({ kind: "key", person: key.id }) };
  const lists = ["files", "collections"].map((name) => `/apps/${app.id}/${name}`);
  for (const list of lists) expect((await browser.send("GET", list, undefined, speaker)).status).toBe(200);
  await stepwell.keys.remove(app.id, key.id);
  for (const list of lists) {
    expect((await browser.send("GET", list, undefined, speaker)).status).toBe(401);
    expect((await browser.send("GET", list)).status).toBe(200);
  }
});

describe("requests that another site causes", () => {
  it.each([
    ["no header", { "stepwell-console": "" }],
    ["another value of the header", { "stepwell-console": "2" }],
    ["a foreign origin", { origin: "https://evil.test" }],
    ["an origin that is none", { origin: "null" }],
    ["another port", { origin: "https://stepwell.test:8443" }],
    ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }],
    ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }],
    ["Sec-Fetch-Site: none", { "sec-fetch-site": "none" }],
  ])("have no session with %s", async (_, headers) => {
    const { browser, app, key } = await openWithKey();
    const { setCookie } = browser;
    expect((await browser.send("GET", "/me", undefined, headers)).status).toBe(401);
    expect((await browser.send("DELETE", `/apps/${app.id}/runs/run_1`, undefined, headers)).status).toBe(401);
    expect(await json(await browser.send("GET", SESSION, undefined, headers))).toEqual([
      200,
      { session: null, sign_in: null },
    ]);
    // Signing somebody in to another account is an attack, too.
    expect((await browser.send("POST", SESSION, { key: key.key }, headers)).status).toBe(403);
    expect((await browser.send("DELETE", SESSION, undefined, headers)).status).toBe(403);
    expect(browser.setCookie).toBe(setCookie);
    expect((await browser.send("GET", "/me")).status).toBe(200);
  });

  it.each([
    ["https://stepwell.test", "stepwell.test", "https://stepwell.test", 200],
    ["https://stepwell.test", "internal:3000", "https://stepwell.test", 200],
    ["https://stepwell.test", "stepwell.test", "http://stepwell.test", 401],
    ["http://stepwell.test", "stepwell.test", "https://stepwell.test", 401],
    ["https://stepwell.test", "192.168.1.2:3000", "https://192.168.1.2:3000", 401],
    ["https://stepwell.test", "localhost:3000", "https://localhost:3000", 401],
    ["http://127.0.0.1:3000", "localhost:3000", "http://localhost:3000", 200],
    ["http://localhost:3000", "[::1]:3000", "http://[::1]:3000", 200],
    ["http://localhost:3000", "localhost:3000", "http://localhost:3001", 401],
    ["http://localhost:3000", "rebound.test:3000", "http://rebound.test:3000", 401],
    ["http://localhost:3000", "192.168.1.2:3000", "http://192.168.1.2:3000", 401],
    ["http://0.0.0.0:3000", "192.168.1.2:3000", "http://192.168.1.2:3000", 200],
    ["http://0.0.0.0:3000", "rebound.test:3000", "http://rebound.test:3000", 401],
    ["http://0.0.0.0:3000", "127.0.0.1.rebound.test:3000", "http://127.0.0.1.rebound.test:3000", 401],
  ])("with baseUrl %s, to the host %s from %s: %d", async (baseUrl, host, origin, status) => {
    const { browser } = await openWithKey({ baseUrl });
    expect((await browser.send("GET", "/me", undefined, { host, origin })).status).toBe(status);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", ""])(
    "cannot sign in with a body of the type %j",
    async (type) => {
      const { browser, app } = await openWithKey();
      const { setCookie } = browser;
      const headers = { "content-type": type };
      const [status, { code }] = await json(await browser.send("POST", SESSION, { app_id: app.id }, headers));
      expect([status, code, browser.setCookie]).toEqual([415, "unsupported_media_type", setCookie]);
    },
  );

  it.each(["*", ["https://partner.test"]] as const)(
    "are refused whatever the option cors allows: %j",
    async (origins) => {
      const { browser, stepwell } = await openWithKey({ cors: { origins } });
      const origin = "https://partner.test";
      expect((await browser.send("GET", "/me", undefined, { origin, "sec-fetch-site": "" })).status).toBe(401);
      const preflight = await stepwell.fetch(
        new Request(`${BASE}/me`, {
          method: "OPTIONS",
          headers: {
            origin,
            "access-control-request-method": "GET",
            "access-control-request-headers": "stepwell-console",
          },
        }),
      );
      expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).not.toContain("stepwell-console");
      expect(preflight.headers.has("access-control-allow-credentials")).toBe(false);
    },
  );
});

it("a key in the request wins over the cookie", async () => {
  const { stepwell, browser } = await openWithKey();
  const other = await stepwell.apps.create({ name: "Other" });
  const { key } = await stepwell.keys.create(other.id, { name: "other" });
  const [, me] = await json(await browser.send("GET", "/me", undefined, { authorization: `Bearer ${key}` }));
  expect(me.app.id).toBe(other.id);
  expect((await browser.send("GET", "/me", undefined, { authorization: "Bearer wrong" })).status).toBe(401);
});
