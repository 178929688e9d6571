/** Sessions of admins, addresses that sign in once, and sessions of the host. */
import { afterEach, describe, expect, it } from "vitest";
import type { HostSession, WebConsole } from "../../src/console/web-console.ts";
import type { Stepwell } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { type ConsoleHost, openConsole } from "../support/console/small-console.ts";
import { memory } from "../support/engine/memory.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { ADMIN_KEY } from "../support/http/transports.ts";

const hosts: ConsoleHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stepwell.close();
});

function open(...given: Parameters<typeof openConsole>): ConsoleHost {
  const host = openConsole(...given);
  hosts.push(host);
  return host;
}

const SESSION = "/console/session";
const json = async (response: Response) => [response.status, await response.json()];

async function startWaitingRun(stepwell: Stepwell, appId: string): Promise<string> {
  const steps = [
    { type: "input" as const, key: "start", input: {}, destinations: ["ask"] },
    { type: "input" as const, key: "ask", input: { ok: { type: "boolean" as const } } },
  ];
  const { id } = await stepwell.workflows.create(appId, { name: "w", steps });
  await stepwell.workflows.deploy(appId, id);
  return (await stepwell.runs.create(appId, id)).id;
}

describe("the session of an admin", () => {
  async function openAsAdmin(...given: Parameters<typeof openConsole>) {
    const host = open(...given);
    const [one, other] = await Promise.all(["A", "B"].map((name) => host.stepwell.apps.create({ name })));
    await host.browser.send("POST", SESSION, { key: ADMIN_KEY });
    return { ...host, one: one?.id ?? "", other: other?.id ?? "" };
  }

  it("manages apps and keys, and belongs to no app", async () => {
    const { browser, one } = await openAsAdmin();
    const [, { session }] = await json(await browser.send("GET", SESSION));
    expect(session).toMatchObject({ kind: "admin", admin: true, app_id: null, name: null, scopes: null });
    expect((await browser.send("GET", "/apps")).status).toBe(200);
    expect((await browser.send("POST", `/apps/${one}/keys`, { name: "k" })).status).toBe(201);
    const [status, problem] = await json(await browser.send("GET", `/apps/${one}/runs`));
    expect([status, problem.detail]).toEqual([403, expect.stringContaining("Open an app first")]);
    expect((await browser.send("GET", "/me")).status).toBe(403);
  });

  it("opens an app with all scopes, and remains that of an admin", async () => {
    const { browser, one, other } = await openAsAdmin();
    const [, { session }] = await json(await browser.send("POST", SESSION, { app_id: one }));
    expect(session).toMatchObject({ kind: "admin", admin: true, app_id: one, scopes: null });
    const [, me] = await json(await browser.send("GET", "/me"));
    expect([me.app.id, me.key]).toEqual([one, null]);
    expect((await browser.send("POST", `/apps/${one}/workflows`, { name: "w" })).status).toBe(201);
    expect((await browser.send("GET", `/apps/${other}/runs`)).status).toBe(404);
    expect((await browser.send("GET", "/apps")).status).toBe(200);
  });

  it("keeps the apps of other tabs open", async () => {
    const { browser, one, other } = await openAsAdmin();
    await browser.send("POST", SESSION, { app_id: one });
    const { cookie } = browser;
    await browser.send("POST", SESSION, { app_id: other });
    expect(browser.cookie).toBe(cookie);
    expect((await browser.send("GET", `/apps/${one}/runs`)).status).toBe(200);
    expect((await browser.send("GET", `/apps/${other}/runs`)).status).toBe(200);
    const [, me] = await json(await browser.send("GET", "/me"));
    expect(me.app.id).toBe(other);
  });

  it("says in records and runs that a person in the console did it", async () => {
    const { browser, one, stepwell } = await openAsAdmin();
    await browser.send("POST", SESSION, { app_id: one });
    const { id } = await stepwell.collections.create(one, { name: "c" });
    const user = { "stepwell-user": "u_1" };
    await browser.send("POST", `/apps/${one}/collections/${id}/records`, { data: {} }, user);
    const [record] = (await stepwell.records.list(one, id)).items;
    const { items } = await stepwell.records.history(one, id, record?.id ?? "");
    expect(items[0]?.who).toEqual({ type: "console", user_id: "u_1" });
  });

  it("cannot open an app that does not exist", async () => {
    const { browser } = await openAsAdmin();
    expect((await browser.send("POST", SESSION, { app_id: "app_unknown" })).status).toBe(404);
  });

  it("ends when the admin key changes", async () => {
    const data = new Map<string, string>();
    const { browser, stepwell } = await openAsAdmin({ storage: { entities: memory(data).driver } });
    await stepwell.close();
    const adminKey = "another-admin-key";
    const next = open({ storage: { entities: memory(data).driver }, adminKey });
    const sent = await next.browser.send("GET", "/apps", undefined, { cookie: browser.cookie });
    expect(sent.status).toBe(401);
  });

  it("is the only one that opens other apps", async () => {
    const { stepwell, another, one, other } = await openAsAdmin();
    const { key } = await stepwell.keys.create(one, { name: "k" });
    const browser = another();
    expect((await browser.send("POST", SESSION, { app_id: other })).status).toBe(401);
    await browser.send("POST", SESSION, { key });
    expect((await browser.send("POST", SESSION, { app_id: other })).status).toBe(403);
  });
});

it("a response that waits ends when the session does, after twelve hours", async () => {
  const clock = createTestClock();
  const { browser, stepwell } = open({ clock });
  const app = await stepwell.apps.create({ name: "A" });
  const run = await startWaitingRun(stepwell, app.id);
  await browser.send("POST", SESSION, { key: ADMIN_KEY });
  await browser.send("POST", SESSION, { app_id: app.id });
  const events = await browser.send("GET", `/apps/me/runs/${run}/events`);
  await clock.advance(12 * 3_600_000 - 1);
  const answering = browser.send("GET", `/apps/me/runs/${run}`, undefined, { prefer: "wait=7200" });
  await turnEventLoop();
  await clock.advance(1);
  expect((await answering).status).toBe(401);
  expect(await events.text()).toContain("follows a run");
});

it("the session of an admin has no app once the last one is deleted", async () => {
  const { stepwell, browser } = open();
  const app = await stepwell.apps.create({ name: "A" });
  await browser.send("POST", SESSION, { key: ADMIN_KEY });
  await browser.send("POST", SESSION, { app_id: app.id });
  await stepwell.apps.remove(app.id);
  const [status, { session }] = await json(await browser.send("GET", SESSION));
  expect([status, session]).toMatchObject([200, { kind: "admin", admin: true, app_id: null }]);
});

describe("stepwell.console.createSignIn()", () => {
  const tokenOf = (url: string) => new URL(url).searchParams.get("once") ?? "";

  it("creates an address that signs in once", async () => {
    const { stepwell, browser, another } = open();
    const app = await stepwell.apps.create({ name: "A" });
    const created = await stepwell.console.createSignIn({
      app_id: app.id,
      admin: false,
      scopes: ["runs:read"],
      name: "Ann",
    });
    expect(created.url).toMatch(/^https:\/\/stepwell\.test\/automation\/console\/\?once=[0-9a-z]{50}$/);
    const once = tokenOf(created.url);
    const [status, { session }] = await json(await browser.send("POST", SESSION, { once }));
    expect(status).toBe(200);
    expect(session).toMatchObject({ kind: "host", admin: false, app_id: app.id, name: "Ann", scopes: ["runs:read"] });
    expect((await browser.send("GET", "/apps/me/runs")).status).toBe(200);
    expect((await browser.send("POST", "/apps/me/workflows", { name: "w" })).status).toBe(403);
    expect((await browser.send("GET", "/apps")).status).toBe(403);
    expect((await another().send("POST", SESSION, { once })).status).toBe(401);
  });

  it("creates an address that only one of several requests can use", async () => {
    const { stepwell, another } = open();
    const once = tokenOf((await stepwell.console.createSignIn({ admin: true })).url);
    const answers = await Promise.all(Array.from({ length: 5 }, () => another().send("POST", SESSION, { once })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  it("creates an address that ends the session of somebody else only if that is wanted", async () => {
    const { stepwell, browser } = open();
    const [one, two] = [await stepwell.apps.create({ name: "A" }), await stepwell.apps.create({ name: "B" })];
    const onceFor = async (app_id: string, name: string) =>
      tokenOf((await stepwell.console.createSignIn({ app_id, name })).url);
    const signedIn = async (body: object) => {
      const [status, { session }] = await json(await browser.send("POST", SESSION, body));
      return [status, session?.app_id, session?.name];
    };
    expect(await signedIn({ once: await onceFor(one.id, "Ann") })).toEqual([200, one.id, "Ann"]);
    expect(await signedIn({ once: await onceFor(one.id, "Ann") })).toEqual([200, one.id, "Ann"]);
    const nameless = tokenOf((await stepwell.console.createSignIn({ app_id: one.id })).url);
    for (const once of [await onceFor(two.id, "Ann"), await onceFor(one.id, "Bob"), nameless]) {
      expect((await browser.send("POST", SESSION, { once })).status).toBe(409);
      const [, { session }] = await json(await browser.send("GET", SESSION));
      expect([session.app_id, session.name]).toEqual([one.id, "Ann"]);
    }
    const once = await onceFor(two.id, "Ann");
    expect((await browser.send("POST", SESSION, { once })).status).toBe(409);
    expect(await signedIn({ once, replace: true })).toEqual([200, two.id, "Ann"]);
    expect((await browser.send("POST", SESSION, { key: ADMIN_KEY, replace: true })).status).toBe(422);
    // People without a name may be anybody.
    await signedIn({ once: nameless, replace: true });
    const again = tokenOf((await stepwell.console.createSignIn({ app_id: one.id })).url);
    expect((await browser.send("POST", SESSION, { once: again })).status).toBe(409);
  });

  it("creates an address that signs in an admin with an open app", async () => {
    const { stepwell, browser } = open({ adminKey: undefined });
    const app = await stepwell.apps.create({ name: "A" });
    const { url } = await stepwell.console.createSignIn({ app_id: app.id, admin: true });
    const [, { session }] = await json(await browser.send("POST", SESSION, { once: tokenOf(url) }));
    expect(session).toMatchObject({ kind: "admin", admin: true, app_id: app.id });
    expect((await browser.send("GET", "/apps")).status).toBe(200);
    expect((await browser.send("GET", "/apps/me/runs")).status).toBe(200);
  });

  it("creates an address that signs nobody in once its app is deleted", async () => {
    const { stepwell, browser } = open();
    const app = await stepwell.apps.create({ name: "A" });
    const { url } = await stepwell.console.createSignIn({ app_id: app.id });
    await stepwell.apps.remove(app.id);
    const response = await browser.send("POST", SESSION, { once: tokenOf(url) });
    expect([response.status, response.headers.get("set-cookie")]).toEqual([401, null]);
  });

  it("creates an address that expires", async () => {
    const clock = createTestClock();
    const { stepwell, browser } = open({ clock });
    const { url, expires_at } = await stepwell.console.createSignIn({ admin: true, expires_in: 60 });
    expect(expires_at).toBe(new Date(clock.now() + 60_000).toISOString());
    await clock.advance(60_000);
    expect((await browser.send("POST", SESSION, { once: tokenOf(url) })).status).toBe(401);
  });

  it.each([
    [{}, "app_id"],
    [{ admin: true, expires_in: 86_401 }, "86400"],
    [{ admin: 1 }, "admin"],
  ])("rejects %j", async (options, message) => {
    const { stepwell } = open();
    await expect(stepwell.console.createSignIn(options as never)).rejects.toThrow(message);
  });

  it.each([
    [{}, "/app_id"],
    [{ admin: false }, "/app_id"],
    [{ app_id: null }, "/app_id"],
    [{ admin: true, app_id: 1 }, "/app_id"],
    [{ admin: true, scopes: ["runs:read"] }, "/scopes"],
    [{ app_id: "app_1", scopes: ["everything"] }, "/scopes/0"],
    [{ admin: true, name: "n".repeat(201) }, "/name"],
    [{ app_id: "app_1", name: "n".repeat(201) }, "/name"],
  ])("rejects %j with a pointer to %s", async (options, pointer) => {
    const creating = open().stepwell.console.createSignIn(options as never);
    await expect(creating).rejects.toMatchObject({ code: "invalid", errors: [{ pointer }] });
  });

  it("rejects an unknown app", async () => {
    const creating = open().stepwell.console.createSignIn({ app_id: "app_unknown" });
    await expect(creating).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the session function of the host", () => {
  /** People by their cookie. */
  async function openWithHost(people: (appId: string) => Readonly<Record<string, HostSession>>, more: object = {}) {
    const asked: Request[] = [];
    const session: WebConsole["session"] = async (request) => {
      asked.push(request);
      return people(app.id)[request.headers.get("cookie")?.split(";")[0] ?? ""] ?? null;
    };
    const host = open({ ...more }, { session, signIn: "/login" });
    const app = await host.stepwell.apps.create({ name: "A" });
    return { ...host, app: app.id, asked };
  }

  it("opens an app for a person, with scopes and a name", async () => {
    const user = { id: "u_1", name: "Ann" };
    const { browser, app, stepwell } = await openWithHost((app_id) => ({
      "person=1": { app_id, scopes: ["runs:read", "collections:write"], name: "Ann", user },
    }));
    browser.cookie = "person=1";
    const session = {
      ...{ kind: "host", admin: false, app_id: app, name: "Ann", person: "u_1", expires_at: null },
      scopes: ["runs:read", "collections:write"],
    };
    expect(await json(await browser.send("GET", SESSION))).toEqual([200, { session, sign_in: "/login" }]);
    const [, me] = await json(await browser.send("GET", "/me"));
    expect([me.app.id, me.key]).toEqual([app, null]);
    expect((await browser.send("GET", "/apps/me/runs")).status).toBe(200);
    expect((await browser.send("GET", "/apps/me/files")).status).toBe(403);
    const { id } = await stepwell.collections.create(app, { name: "c" });
    await browser.send("POST", `/apps/${app}/collections/${id}/records`, { data: {} });
    const [record] = (await stepwell.records.list(app, id)).items;
    const { items } = await stepwell.records.history(app, id, record?.id ?? "");
    expect(items[0]?.who).toEqual({ type: "console", user_id: "u_1" });
  });

  it("names the user, whatever the browser says", async () => {
    const { browser } = await openWithHost((app_id) => ({ "person=1": { app_id, user: { id: "u_1" } } }));
    browser.cookie = "person=1";
    expect((await browser.send("GET", "/apps/me/runs", undefined, { "stepwell-user": "u_2" })).status).toBe(403);
  });

  it("may let in an admin, who opens apps", async () => {
    const { browser, app } = await openWithHost(() => ({ "person=1": { admin: true, name: "Root" } }));
    browser.cookie = "person=1";
    expect((await browser.send("GET", "/apps")).status).toBe(200);
    expect((await browser.send("GET", `/apps/${app}/runs`)).status).toBe(403);
    const [, { session }] = await json(await browser.send("POST", SESSION, { app_id: app }));
    expect(session).toMatchObject({ kind: "host", admin: true, app_id: app, name: "Root" });
    const opened = browser.cookie;
    const both = { cookie: `person=1; ${opened}` };
    expect((await browser.send("GET", `/apps/${app}/runs`, undefined, both)).status).toBe(200);
    expect((await browser.send("GET", `/apps/${app}/runs`, undefined, { cookie: opened })).status).toBe(401);
  });

  it("comes before a key with which the person has signed in", async () => {
    const { browser, app } = await openWithHost((app_id) => ({ "person=1": { app_id, name: "Ann" } }));
    await browser.send("POST", SESSION, { key: ADMIN_KEY });
    const signedIn = browser.cookie;
    expect((await browser.send("GET", "/apps")).status).toBe(200);
    browser.cookie = `person=1; ${signedIn}`;
    const [, { session }] = await json(await browser.send("GET", SESSION));
    expect(session).toMatchObject({ kind: "host", admin: false, app_id: app, name: "Ann" });
    expect((await browser.send("GET", "/apps")).status).toBe(403);
  });

  it("is not joined by a key or an address, which would let in whoever comes after the person has left", async () => {
    const { browser, app, stepwell } = await openWithHost((app_id) => ({ "person=1": { app_id, name: "Ann" } }));
    browser.cookie = "person=1";
    const once = new URL((await stepwell.console.createSignIn({ admin: true })).url).searchParams.get("once");
    for (const body of [{ key: ADMIN_KEY }, { once }]) {
      const response = await browser.send("POST", SESSION, body);
      expect(response.headers.get("set-cookie")).toBe(null);
      const [, { session }] = await json(response);
      expect(session).toMatchObject({ kind: "host", app_id: app, name: "Ann" });
    }
    browser.cookie = "";
    expect((await browser.send("POST", SESSION, { once })).status).toBe(200);
  });

  it("ends the session of a key when an admin opens an app in the same browser", async () => {
    const { browser, app, stepwell } = await openWithHost(() => ({ "person=1": { admin: true } }));
    const { key } = await stepwell.keys.create(app, { name: "k" });
    await browser.send("POST", SESSION, { key });
    const before = browser.cookie;
    expect((await browser.send("GET", "/me")).status).toBe(200);
    browser.cookie = `person=1; ${before}`;
    expect((await browser.send("POST", SESSION, { app_id: app })).status).toBe(200);
    expect(browser.cookie).not.toBe(before);
    expect((await browser.send("GET", "/me", undefined, { cookie: before })).status).toBe(401);
  });

  it("that returns null leaves people to their key", async () => {
    const { browser, app, stepwell } = await openWithHost(() => ({}));
    expect(await json(await browser.send("GET", SESSION))).toEqual([200, { session: null, sign_in: "/login" }]);
    expect((await browser.send("GET", "/apps")).status).toBe(401);
    const { key } = await stepwell.keys.create(app, { name: "k" });
    await browser.send("POST", SESSION, { key });
    expect((await browser.send("GET", "/me")).status).toBe(200);
  });

  it("takes admin: false for a person who may use one app", async () => {
    const { browser, app } = await openWithHost((app_id) => ({ "person=1": { app_id, admin: false } }));
    browser.cookie = "person=1";
    const [status, { session }] = await json(await browser.send("GET", SESSION));
    expect([status, session]).toMatchObject([200, { kind: "host", admin: false, app_id: app }]);
    expect((await browser.send("GET", "/apps")).status).toBe(403);
  });

  it("is not asked about requests with a key, or without the header", async () => {
    const { browser, app, stepwell, asked } = await openWithHost(() => ({}));
    const { key } = await stepwell.keys.create(app, { name: "k" });
    await browser.send("GET", "/me", undefined, { authorization: `Bearer ${key}` });
    await browser.send("GET", "/me", undefined, { "stepwell-console": "" });
    await browser.send("GET", "/me", undefined, { "sec-fetch-site": "cross-site" });
    expect(asked).toEqual([]);
    await browser.send("POST", `/apps/${app}/tags`, { name: "t" });
    expect(asked.map(({ method, body, url }) => [method, body, new URL(url).pathname])).toEqual([
      ["GET", null, `/automation/apps/${app}/tags`],
    ]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("the database is down"))],
    [
      "throws at once",
      () => {
        throw new Error("the database is down");
      },
    ],
    ["returns true", () => true],
    ["returns no app", () => ({ name: "Ann" })],
    ["returns an unknown scope", () => ({ app_id: "app_1", scopes: ["everything"] })],
    ["returns admin: false", () => ({ admin: false })],
  ])("that %s lets nobody in, and the log says why", async (_, session) => {
    const logged: unknown[] = [];
    const log = (...entry: unknown[]) => logged.push(...entry);
    const logger = { debug: log, info: log, warn: log, error: log };
    const { browser } = open({ logger }, { session: session as never });
    const [status, problem] = await json(await browser.send("GET", "/apps"));
    expect([status, problem.code]).toEqual([503, "unavailable"]);
    expect(JSON.stringify(problem)).not.toContain("database");
    expect(logged).toContainEqual(expect.objectContaining({ error: expect.any(Error) }));
  });

  it.each([
    [{ admin: true, user: { id: "u_1" } }, "/user: Unknown field."],
    [{ app_id: "app_1", user: "u_1" }, `/user: Must be an object, not "u_1".`],
    [{ admin: true, app_id: "app_1" }, "/admin: Must be false or omitted with app_id: an admin has no app_id."],
    [{ name: "Ann" }, "/app_id: Is required."],
  ])("that returns %j fails with what is wrong of the form that it resembles", async (returned, problem) => {
    const causes: unknown[] = [];
    const log = (_: string, fields?: object) => {
      if (fields !== undefined && "error" in fields && fields.error instanceof Error) causes.push(fields.error.cause);
    };
    const logger = { debug: log, info: log, warn: log, error: log };
    const { browser } = open({ logger }, { session: (() => returned) as never });
    expect((await browser.send("GET", "/apps")).status).toBe(503);
    const form = "{ app_id, scopes?, name?, user? }, { admin: true, name? } or null";
    expect(causes).toEqual([new Error(`It must return ${form}. ${problem}`)]);
  });

  it("that names an app that does not exist fails where the page asks who is there", async () => {
    const causes: unknown[] = [];
    const log = (_: string, { error }: { readonly error?: Error } = {}) => causes.push(error?.cause);
    const logger = { debug: log, info: log, warn: log, error: log };
    const { browser } = open({ logger }, { session: () => ({ app_id: "app_gone" }) });
    expect((await browser.send("GET", SESSION)).status).toBe(503);
    expect(causes).toEqual([new Error('It returned app_id "app_gone". There is no such app.')]);
  });

  it("that hangs lets nobody in after ten seconds", async () => {
    const clock = createTestClock();
    const { browser } = open({ clock }, { session: () => new Promise(() => undefined) });
    const answering = browser.send("GET", "/apps");
    await turnEventLoop();
    await clock.advance(10_000);
    expect((await answering).status).toBe(503);
  });

  it("ends what waits once it no longer knows the person", async () => {
    const clock = createTestClock();
    let known = true;
    const { browser, stepwell } = open({ clock }, { session: () => (known ? { app_id: app.id } : null) });
    const app = await stepwell.apps.create({ name: "A" });
    const run = await startWaitingRun(stepwell, app.id);
    const answering = browser.send("GET", `/apps/me/runs/${run}`, undefined, { prefer: "wait=7200" });
    const events = await browser.send("GET", `/apps/me/runs/${run}/events`);
    await turnEventLoop();
    await clock.advance(60_000);
    known = false;
    await clock.advance(60_000);
    expect((await answering).status).toBe(401);
    expect(await events.text()).toContain("follows a run");
  });
});
