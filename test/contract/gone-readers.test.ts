/** Streams whose readers have gone before the response, such as a browser that leaves a page at once. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestClock } from "../../src/testing/index.ts";
import { give, input } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";

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
