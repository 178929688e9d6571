/** Retrying a run from its failed step, and replaying it from the start. */
import { afterEach, describe, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { fail, openService } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { openServer, type Reply } from "../support/servers/http-server.ts";
import { until } from "../support/until.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open() {
  const replies = new Map<string, Reply>();
  const server = await openServer(({ path }) => replies.get(path) ?? { body: `"${path}"` });
  const service = await openService({ net: server.net });
  closers.push(server.close, () => service.stepwell.close());
  const call = (key: string, more: Partial<Extract<Step, { type: "http_request" }>> = {}): Step => ({
    type: "http_request",
    key,
    url: `${server.url}/${key}`,
    ...more,
  });
  return { ...service, server, replies, call };
}

describe("retrying a run", () => {
  it("resumes from the failed step and does not execute succeeded steps again", async () => {
    const { stepwell, app, run, wait, server, replies, call } = await open();
    replies.set("/b", { status: 400 });
    const failed = await run([call("a"), call("b"), call("c")]);
    expect(failed).toMatchObject({ status: "failed", error: { step: "b" } });
    replies.delete("/b");
    const again = await stepwell.runs.retry(app, failed.id);
    expect(again).toMatchObject({ id: failed.id, status: "running", error: null, finished_at: null });
    const done = await wait(failed.id);
    expect(done.steps.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(done.steps[0]).toEqual(failed.steps[0]);
    expect(server.received.map(({ path }) => path)).toEqual(["/a", "/b", "/b", "/c"]);
    expect(new Set(server.at("/b").map(({ key }) => key)).size).toBe(2);
    expect(await stepwell.runs.list(app, { status: "succeeded" })).toMatchObject({ items: [{ id: done.id }] });
    expect((await stepwell.runs.list(app, { status: "failed" })).items).toEqual([]);
  });

  it("keeps parallel paths, loops, skipped steps and tolerated failures", async () => {
    const { stepwell, app, run, wait, server, replies, call } = await open();
    replies.set("/bad", { status: 400 });
    replies.set("/end", { status: 400 });
    const failed = await run([
      { type: "input", key: "start", input: {}, destinations: ["looped", "bad", "off", "end"] },
      call("looped", { loop: "iteration == 3", destinations: ["join"] }),
      call("bad", { throw_on_error: false, destinations: ["join"] }),
      call("off", { conditional: "false", destinations: ["join"] }),
      { type: "note", key: "join", note: "", destinations: ["end"] },
      call("end"),
    ]);
    expect(failed.error).toMatchObject({ step: "end" });
    replies.delete("/end");
    await stepwell.runs.retry(app, failed.id);
    const done = await wait(failed.id);
    expect(done.status).toBe("succeeded");
    expect(done.steps.slice(0, 5)).toEqual(failed.steps.slice(0, 5));
    expect(done.steps[1]).toMatchObject({ attempts: 3 });
    expect(server.at("/looped")).toHaveLength(3);
    expect(server.at("/bad")).toHaveLength(1);
    expect(server.at("/end")).toHaveLength(2);
  });

  it("starts what it executes again with the retry, also if that is canceled again", async () => {
    const clock = createTestClock("2030-01-01T00:00:00.000Z");
    const { stepwell, app, run, wait } = await timedService(clock);
    const failed = await run([
      { type: "input", key: "start", input: {}, destinations: ["slow", "bad"] },
      { type: "code", key: "slow", code: "hang" },
      fail("bad"),
    ]);
    const canceled = { key: "slow", status: "canceled", attempts: 0 };
    expect(failed.steps[1]).toMatchObject({ ...canceled, started_at: "2030-01-01T00:00:00.000Z" });
    await clock.advance("60m");
    await stepwell.runs.retry(app, failed.id);
    const again = await wait(failed.id);
    expect(again.steps[1]).toMatchObject({ ...canceled, started_at: "2030-01-01T01:00:00.000Z" });
    expect(again.steps[0]).toEqual(failed.steps[0]);
  });

  it("keeps large outputs", async () => {
    const { stepwell, app, run, wait, replies, call } = await open();
    replies.set("/a", { body: "x".repeat(40_000) });
    replies.set("/b", { status: 400 });
    const failed = await run([call("a"), call("b")]);
    replies.delete("/b");
    await stepwell.runs.retry(app, failed.id);
    const done = await wait(failed.id);
    expect(done.steps[0]?.output).toMatchObject({ body: "x".repeat(40_000) });
    expect(await stepwell.runs.get(app, failed.id)).toEqual(done);
  });

  it("is a conflict for a succeeded run, and works for a canceled run that waited", async () => {
    const { stepwell, app, run, start, until, wait, call } = await open();
    const done = await run([call("a")]);
    await expect(stepwell.runs.retry(app, done.id)).rejects.toMatchObject({ code: "conflict", status: 409 });
    const waiting = await start([
      { type: "input", key: "start", input: {}, destinations: ["ask"] },
      { type: "input", key: "ask", input: { n: { type: "number" } } },
    ]);
    await stepwell.runs.cancel(app, waiting.id);
    await stepwell.runs.retry(app, waiting.id);
    await until(waiting.id, ({ status }) => status === "waiting");
    await stepwell.runs.provide(app, waiting.id, "ask", { n: 1 });
    expect((await wait(waiting.id)).output).toEqual({ n: 1 });
    await expect(stepwell.runs.retry(app, "run_unknown")).rejects.toMatchObject({ code: "not_found" });
  });

  it("keeps the idempotency key of an interrupted call, and changes that of a failed one and of a loop", async () => {
    const replies = new Map<string, Reply>();
    const server = await openServer(({ path }) => replies.get(path) ?? new Promise(() => {}));
    const { stepwell, app, start, wait } = await openService({ net: server.net });
    closers.push(server.close, () => stepwell.close());
    const { id } = await start([
      { type: "input", key: "start", input: {}, destinations: ["call", "looped"] },
      { type: "http_request", key: "call", url: `${server.url}/call`, destinations: [] },
      { type: "http_request", key: "looped", url: `${server.url}/looped`, loop: "iteration == 1", destinations: [] },
    ]);
    const keysOf = (path: string) => server.at(path).map(({ key }) => key.slice(id.length));
    for (let requests = 1; requests <= 3; requests++) {
      await until(() => server.received.length === 2 * requests);
      await stepwell.runs.cancel(app, id);
      if (requests === 3) replies.set("/call", { status: 400 });
      await stepwell.runs.retry(app, id);
    }
    expect(await wait(id)).toMatchObject({ status: "failed", error: { step: "call" } });
    for (const path of ["/call", "/looped"]) replies.set(path, {});
    await stepwell.runs.retry(app, id);
    expect(await wait(id)).toMatchObject({ status: "succeeded" });
    expect(keysOf("/call")).toEqual(["/call/1", "/call/1", "/call/1", "/call/1", "/call/1/4"]);
    expect(keysOf("/looped")).toEqual(["/looped/1", "/looped/1/1", "/looped/1/2", "/looped/1/3", "/looped/1/4"]);
  });

  it("can fail and be repeated", async () => {
    const { stepwell, app, run, wait, server, replies, call } = await open();
    replies.set("/a", { status: 400 });
    const failed = await run([call("a")]);
    for (let count = 0; count < 3; count++) {
      await stepwell.runs.retry(app, failed.id);
      expect((await wait(failed.id)).status).toBe("failed");
    }
    replies.delete("/a");
    await stepwell.runs.retry(app, failed.id);
    expect((await wait(failed.id)).status).toBe("succeeded");
    expect(new Set(server.received.map(({ key }) => key)).size).toBe(5);
  });
});

describe("replaying a run", () => {
  it("creates a new run with the same input, of the same or a given version", async () => {
    const { stepwell, app, draft, wait } = await open();
    const input = { n: { type: "number" } } as const;
    const workflow = await draft([{ type: "input", key: "start", input }]);
    await stepwell.workflows.deploy(app, workflow);
    const first = await stepwell.runs.create(app, workflow, { input: { n: 7 } });
    await stepwell.workflows.putDraft(app, workflow, {
      steps: [
        { type: "input", key: "start", input, destinations: ["end"] },
        {
          type: "branch",
          key: "end",
          conditions: { seven: { order: 1, condition: "input.n == 7", destinations: [] } },
        },
      ],
    });
    await stepwell.workflows.deploy(app, workflow);

    const same = await stepwell.runs.replay(app, first.id);
    expect(same).toMatchObject({ version: 1, input: { n: 7 } });
    expect(same.id).not.toBe(first.id);
    const newer = await wait((await stepwell.runs.replay(app, first.id, { version: "latest" })).id);
    expect(newer).toMatchObject({ version: 2, output: { taken: "seven" } });
    await expect(stepwell.runs.replay(app, first.id, { version: 9 })).rejects.toMatchObject({ code: "not_found" });
    await expect(stepwell.runs.replay(app, "run_unknown")).rejects.toMatchObject({ code: "not_found" });
  });
});
