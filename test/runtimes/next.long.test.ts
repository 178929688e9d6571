/** The Next.js example, built once, with the scenarios that other hosts pass, and the development server. */

import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { turnEventLoop } from "../support/event-loop.ts";
import { freePort } from "../support/free-port.ts";
import { fillBuffers } from "../support/http/fill-buffers.ts";
import { openEchoServer } from "./echo-server.ts";
import type { Started } from "./host.ts";
import { createNextProject, startNext } from "./next-project.ts";
import { scenarios } from "./scenarios.ts";
import { ADMIN_KEY, answerOf, openTarget, rawRequest, type Target, textOf } from "./target.ts";

const MEBI = 1024 * 1024;
/** Next.js removes the length of responses from route handlers, and sends them in chunks. */
const PLACE = { publicUrl: "", readsJson: false, sendsLength: false, allowed: "" };
const isStarted = (line: string) => line.startsWith("stepwell is at ");

function createApp(origin: string, name: string): Promise<Response> {
  const headers = { authorization: "Bearer local-admin-key", "content-type": "application/json" };
  return fetch(`${origin}/automation/apps`, { method: "POST", headers, body: JSON.stringify({ name }) });
}

/** A server of one test, which ends with it, also when it fails. */
async function startForTest(command: "start" | "dev", env: Readonly<Record<string, string>>): Promise<Started> {
  const server = await startNext(project, command, env, isStarted);
  onTestFinished(() => server.stop());
  return server;
}

let project: string;
let storage: string;
beforeAll(async () => {
  project = await createNextProject();
  storage = await mkdtemp(join(tmpdir(), "stepwell-next-storage-"));
  const built = await startNext(project, "build", {}, (line) => line.includes("Finalizing page optimization"));
  await built.ended;
});
afterAll(() => Promise.all([project, storage].map((folder) => rm(folder, { recursive: true }))));

describe("next start", () => {
  let server: Started;
  let origin: string;
  let echo: Awaited<ReturnType<typeof openEchoServer>>;
  let target: Target;

  beforeAll(async () => {
    echo = await openEchoServer();
    const PORT = String(await freePort());
    origin = `http://127.0.0.1:${PORT}`;
    const url = `${origin}/tested`;
    const env = { PORT, STORAGE: join(storage, "scenarios"), BASE_URL: url, ALLOW: echo.host, ADMIN_KEY };
    server = await startNext(project, "start", env, isStarted);
    target = await openTarget({ ...PLACE, url, publicUrl: url, allowed: `http://${echo.host}/` });
  });
  afterAll(async () => {
    await server.stop();
    echo.close();
    expect(server.lines.filter((line) => line.startsWith("LOGGED"))).toEqual([]);
  });

  it.each(Object.entries(scenarios))("%s", (_, scenario) => scenario(target));

  it("reads a request body only as fast as it is consumed", async () => {
    const sent = rawRequest(`${origin}/probe/count`, { method: "POST" });
    const { written, isHeld } = await fillBuffers(sent);
    expect(isHeld).toBe(true);
    await fetch(`${origin}/probe/proceed`);
    sent.end();
    expect(await textOf(await answerOf(sent))).toBe(String(written * MEBI));
  });

  it("reads a response body only as fast as its client, and cancels it when the client disconnects", async () => {
    const sent = rawRequest(`${origin}/probe/endless`, {});
    sent.end();
    const answer = await answerOf(sent);
    answer.pause();
    const given = async (): Promise<number> => (await fetch(`${origin}/probe/given`)).json();
    for (let before = -1, now = 0; before !== now; ) {
      before = now;
      await turnEventLoop();
      now = await given();
    }
    expect(await given()).toBeLessThan(32);
    answer.destroy();
    await expect.poll(() => server.lines).toContain("PROBE canceled");
  });

  it("aborts the request's signal when the client disconnects", async () => {
    const sent = rawRequest(`${origin}/probe/hang`, {});
    answerOf(sent).catch(() => undefined); // the client is gone
    sent.end();
    await expect.poll(() => server.lines).toContain("PROBE hangs");
    sent.destroy();
    await expect.poll(() => server.lines).toContain("PROBE aborted");
  });

  it("returns 500 without the reason when the handler fails", async () => {
    const answer = await fetch(`${origin}/probe/fail`);
    expect([answer.status, await answer.text()]).toEqual([500, ""]);
  });
});

describe("examples/hosts/next", () => {
  it("starts before the first request, shows the apps on its page, and keeps the data after SIGTERM", async () => {
    const PORT = String(await freePort());
    const origin = `http://localhost:${PORT}`;
    const env = { PORT, STORAGE: join(storage, "example"), NEXT_MANUAL_SIG_HANDLE: "true" };
    const first = await startForTest("start", env);
    expect((await createApp(origin, "Kept")).status).toBe(201);
    const page = await (await fetch(`${origin}/automation/console`)).text();
    const [script = ""] = /(?<=src=")[^"]+\.js(?=")/.exec(page) ?? [];
    const file = await fetch(new URL(script, origin));
    expect(file.headers.get("content-type")).toContain("javascript");
    expect(await file.text()).toMatch(/^(?:import|var|const)\b/);
    await first.stop();

    await startForTest("start", env);
    expect(await (await fetch(origin)).text()).toContain("Kept");
  });

  it("ends its event streams on SIGTERM, because Next.js waits for them before it exits", async () => {
    const PORT = String(await freePort());
    const server = await startForTest("start", { PORT, ADMIN_KEY, STORAGE: join(storage, "streams") });
    const target = await openTarget({ ...PLACE, url: `http://localhost:${PORT}/automation` });
    const steps = [
      { type: "input", key: "start", input: {}, destinations: ["later"] },
      { type: "input", key: "later", input: { approved: { type: "boolean" } } },
    ];
    const workflow = await (await target.post("/workflows", { name: "Waits", steps })).json();
    await target.post(`/workflows/${workflow.id}/versions`);
    const run = await (await target.post(`/workflows/${workflow.id}/runs`)).json();
    const events = await target.call(`/runs/${run.id}/events`);
    await server.stop();
    expect(await events.text()).toContain("step.waiting");
  });
});

describe("next dev", () => {
  it("has one instance, which a changed module replaces without losing the storage", async () => {
    const PORT = String(await freePort());
    const origin = `http://localhost:${PORT}`;
    const server = await startForTest("dev", { PORT, STORAGE: join(storage, "dev") });
    const page = async () => (await fetch(origin)).text();

    expect((await createApp(origin, "First")).status).toBe(201);
    expect(await page()).toContain("First");
    await appendFile(join(project, "stepwell.js"), 'console.log("the changed module");\n');
    await expect.poll(async () => (await page()) !== "" && server.lines.includes("the changed module")).toBe(true);
    expect((await createApp(origin, "Second")).status).toBe(201);
    expect(await page()).toContain("Second, First");
  });
});
