/** The last requests to a webhook. */
import { afterEach, describe, expect, it } from "vitest";
import { createRequestLog } from "../../src/hooks/request-log.ts";
import type { Step } from "../../src/index.ts";
import { createMemoryData, createMemoryStore } from "../../src/storage/memory-store.ts";
import { createTestClock, createTestService, type TestService } from "../../src/testing/index.ts";
import { closeInTestTime } from "../support/close-in-test-time.ts";
import { turnEventLoop } from "../support/event-loop.ts";

const BASE = "https://stepwell.test/automation";
const HOOK: Step = {
  ...{ type: "input", key: "in", input: { n: { type: "number" } } },
  webhook: { method: "POST", path: "orders" },
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open() {
  const clock = createTestClock();
  const service = await createTestService({
    clock,
    baseUrl: BASE,
    secret: "s".repeat(40),
    limits: { bodyBytes: 1_000 },
  });
  closing.push(() => closeInTestTime(service, clock));
  const { stepwell, app } = service;
  const { id: workflow } = await stepwell.workflows.create(app, { name: "W", steps: [HOOK] });
  await stepwell.workflows.deploy(app, workflow);
  const [hook] = (await stepwell.hooks.list(app)).items;
  const id = hook?.id ?? "";
  const send = (body: string, headers: Record<string, string> = {}) =>
    stepwell.fetch(
      new Request(`${BASE}/public/apps/hooks/${app}/orders`, {
        ...{ method: "POST", body, headers: { "content-type": "application/json", ...headers } },
      }),
    );
  const requests = async ({ stepwell }: TestService = service) => (await stepwell.hooks.requests(app, id)).requests;
  const stored = async () => {
    await clock.advance("1s");
    await turnEventLoop();
  };
  return { service, stepwell, app, workflow, clock, id, send, requests, stored };
}

describe("the last requests to a webhook", () => {
  it("have the run, or why they were refused, newest first, without what they contained", async () => {
    const { stepwell, app, id, clock, send, requests } = await open();
    const first = await send('{"n":1}');
    const run = (await first.json()).id;
    await clock.advance("1m");
    await send('{"n":"not a number"}');
    await send("{");
    await send(`{"n":1,"secret":"${"x".repeat(2_000)}"}`);
    await stepwell.hooks.putSignature(app, id, { scheme: "github" });
    await send('{"n":2}');
    const found = await requests();
    expect(found.map(({ status, run_id, error }) => [status, run_id, error?.code])).toEqual([
      [401, null, "signature_mismatch"],
      [413, null, "too_large"],
      [400, null, "malformed"],
      [422, null, "invalid"],
      [first.status, run, undefined],
    ]);
    expect(found.at(-1)).toEqual({
      ...{ at: "2030-01-01T00:00:00.000Z", method: "POST", status: 202, run_id: run, error: null },
    });
    expect(JSON.stringify(found)).not.toContain("xxx");
  });

  it("name the run of the first copy for a repeated request", async () => {
    const { send, requests } = await open();
    const { id: run } = await (await send('{"n":1}', { "webhook-id": "one" })).json();
    await send('{"n":1}', { "webhook-id": "one" });
    expect((await requests()).map(({ run_id }) => run_id)).toEqual([run, run]);
  });

  it("are 50 at most, in memory and stored", async () => {
    const { send, requests, stored } = await open();
    for (let n = 0; n < 30; n++) await send(`{"n":${n}}`);
    await stored();
    for (let n = 0; n < 30; n++) await send(`{"n":${n}}`);
    expect(await requests()).toHaveLength(50);
    await stored();
    expect(await requests()).toHaveLength(50);
  });

  it("survive a crash if they were stored, a second later", async () => {
    const { service, clock, send, requests, stored } = await open();
    await send('{"n":1}');
    await stored();
    await send('{"n":2}');
    const next = await service.crash();
    closing.push(() => closeInTestTime(next, clock));
    expect(await requests(next)).toHaveLength(1);
  });

  it("are deleted with the app, also if they arrive while it is deleted", async () => {
    const { stepwell, app, clock, id, send, stored } = await open();
    await send('{"n":1}');
    await stored();
    await send('{"n":2}');
    await stepwell.apps.remove(app);
    await clock.advance("1m");
    await expect(stepwell.hooks.requests(app, id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("of another app's webhook are not found", async () => {
    const { stepwell, id } = await open();
    const other = await stepwell.apps.create({ name: "Other" });
    await expect(stepwell.hooks.requests(other.id, id)).rejects.toMatchObject({ code: "not_found" });
  });
});

it("requests to a webhook are forgotten after 30 days", async () => {
  const clock = createTestClock();
  const log = createRequestLog({ clock, store: createMemoryStore({ clock, data: createMemoryData() }) });
  const id = `hook_${"a".repeat(40)}`;
  const request = { at: "2030-01-01T00:00:00.000Z", method: "POST", status: 202, run_id: "run_1", error: null };
  log.add({ id, app_id: "app_1" }, request);
  await clock.advance("29d");
  expect((await log.read(id)).requests).toEqual([request]);
  await clock.advance("1d");
  expect((await log.read(id)).requests).toEqual([]);
});
