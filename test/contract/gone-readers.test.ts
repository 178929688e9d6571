/** Clients that have gone before the response, such as a browser that leaves a page at once, and bodies read by others. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { createStepwell } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { give, input, silent } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { turnEventLoop } from "../support/event-loop.ts";

const BASE = "https://flows.test";
afterEach(() => vi.restoreAllMocks());

async function open() {
  const service = await timedService(createTestClock(), new Map(), { baseUrl: BASE });
  const { stepwell, app, start, until } = service;
  const run = await start([input("in"), input("ask"), give("done")]);
  await until(run.id, ({ status }) => status === "waiting");
  const { key } = await stepwell.keys.create(app, { name: "Reader" });
  const { url } = await stepwell.runs.createLink(app, run.id);
  return { stepwell, app, run, key, link: new URL(url).pathname };
}

describe("a stream whose reader has gone", () => {
  it.each(["app", "run", "link"] as const)("leaves no timer: %s", async (kind) => {
    const { stepwell, app, run, key, link } = await open();
    const path = { app: `/apps/${app}/stream`, run: `/apps/${app}/runs/${run.id}/events`, link }[kind];
    const started = vi.spyOn(globalThis, "setInterval");
    const stopped = vi.spyOn(globalThis, "clearInterval");
    const headers = { accept: "text/event-stream", ...(kind === "link" ? {} : { authorization: `Bearer ${key}` }) };
    const { status, body } = await stepwell.fetch(
      new Request(`${BASE}${path}`, { headers, signal: AbortSignal.abort() }),
    );
    await body?.cancel();
    const left = new Set(started.mock.results.map(({ value }) => value));
    for (const [timer] of stopped.mock.calls) left.delete(timer);
    expect([status, left.size]).toEqual([200, 0]);
  });
});

describe("a response that nobody waits for any more", () => {
  it("counts as closed by the client, not as an error of the server", async () => {
    const { stepwell, app, run, key } = await open();
    const control = new AbortController();
    const headers = { authorization: `Bearer ${key}`, prefer: "wait=60" };
    const answering = stepwell.fetch(
      new Request(`${BASE}/apps/${app}/runs/${run.id}`, { headers, signal: control.signal }),
    );
    await turnEventLoop();
    control.abort();
    expect((await answering).status).toBe(499);
  });
});

describe("a body that the host has read", () => {
  it.each(["read", "locked"])("is an error of the host, whose log says what to do: %s", async (kind) => {
    const errors: unknown[] = [];
    const logger = { ...silent, error: (_: string, about: unknown) => void errors.push(about) };
    const stepwell = createStepwell({ storage: {}, baseUrl: BASE, logger, adminKey: "the-admin-key-of-this-test" });
    const headers = { authorization: "Bearer the-admin-key-of-this-test", "content-type": "application/json" };
    const request = new Request(`${BASE}/apps`, { method: "POST", headers, body: '{"name":"One"}' });
    if (kind === "read") await request.text();
    else request.body?.getReader();
    expect((await stepwell.fetch(request)).status).toBe(500);
    expect(errors).toMatchObject([{ error: { message: expect.stringContaining("before a body parser gets it") } }]);
  });
});
