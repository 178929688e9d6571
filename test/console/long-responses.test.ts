/** Responses that last end with their session, in every process of a cluster. */
import { afterEach, describe, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { type HeldProcesses, openHeldProcesses } from "../support/cluster/held-processes.ts";
import { createBrowser, smallConsole } from "../support/console/small-console.ts";

const BASE = "https://stepwell.example/api";
const SESSION = "/console/session";
const ask: Step = { type: "input", key: "ask", input: { ok: { type: "boolean" } } };
const start: Step = { type: "input", key: "start", input: {}, destinations: ["ask"] };

const opened: HeldProcesses[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((processes) => processes.close()));
});

/** Somebody signs in at one process, and the other one serves a stream and a response that waits. */
async function open() {
  const processes = await openHeldProcesses({ baseUrl: BASE, console: smallConsole(), adminKey: "admin-key" });
  opened.push(processes);
  const { one, other, until } = processes;
  const { id: app } = await one.stepwell.apps.create({ name: "Tests" });
  const key = await one.stepwell.keys.create(app, { name: "Key" });
  const { id: workflow } = await one.stepwell.workflows.create(app, { name: "W", steps: [start, ask] });
  await one.stepwell.workflows.deploy(app, workflow);
  const { id: run } = await one.stepwell.runs.create(app, workflow, {});
  await until(async () => (await other.stepwell.runs.get(app, run)).status === "waiting");
  const here = createBrowser(one.stepwell.fetch, BASE);
  const there = createBrowser(other.stepwell.fetch, BASE);

  async function follow(body: object) {
    await here.send("POST", SESSION, body);
    if (!("key" in body) || body.key === "admin-key") await here.send("POST", SESSION, { app_id: app });
    there.cookie = here.cookie;
    const events = await there.send("GET", `/apps/${app}/runs/${run}/events`);
    expect(events.status).toBe(200);
    const state = { hasEnded: false };
    const waiting = there.send("GET", `/apps/me/runs/${run}`, undefined, { prefer: "wait=7200" });
    const reading = events.text().then(() => {
      state.hasEnded = true;
    });
    return { state, waiting, reading };
  }
  return { ...processes, app, key, here, there, follow };
}

describe("a stream and a response that waits, of a session", () => {
  it("end at once when its key is revoked in another process", async () => {
    const { one, clock, app, key, follow } = await open();
    const { state, waiting, reading } = await follow({ key: key.key });
    await clock.advance("10s");
    expect(state.hasEnded).toBe(false);
    await one.stepwell.keys.remove(app, key.id);
    await clock.advance(1);
    await reading;
    expect((await waiting).status).toBe(401);
  });

  it.each(["key", "admin"])("end at once when its person signs out in another process: %s", async (kind) => {
    const { clock, key, here, there, follow } = await open();
    const { state, waiting, reading } = await follow({ key: kind === "key" ? key.key : "admin-key" });
    await clock.advance("10s");
    expect(state.hasEnded).toBe(false);
    await here.send("DELETE", SESSION);
    await clock.advance(1);
    await reading;
    expect((await waiting).status).toBe(401);
    expect((await there.send("GET", "/me")).status).toBe(401);
  });
});

it("sessions are those of all processes, also for addresses that sign in", async () => {
  const { one, other, here, there, app } = await open();
  const { url } = await one.stepwell.console.createSignIn({ app_id: app });
  const once = new URL(url).searchParams.get("once");
  expect((await there.send("POST", SESSION, { once })).status).toBe(200);
  here.cookie = there.cookie;
  expect((await here.send("GET", "/me")).status).toBe(200);
  const again = createBrowser(other.stepwell.fetch, BASE);
  expect((await again.send("POST", SESSION, { once })).status).toBe(401);
});
