/** Following a run: in process as an async iterator, over HTTP as server-sent events. */
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import type { RunEvent, Step } from "../../src/index.ts";
import { RunEvent as RunEventSchema } from "../../src/runs/run-event.ts";
import { createTestClock } from "../../src/testing/clock.ts";
import { openService } from "../support/engine/service.ts";
import { openServer, type Reply } from "../support/servers/http-server.ts";
import { until } from "../support/until.ts";

const ADMIN = "admin-key";
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A service with a run whose request ends when the test responds. */
async function open() {
  let release = (_: Reply) => {};
  const server = await openServer(
    () =>
      new Promise<Reply>((resolve) => {
        release = resolve;
      }),
  );
  const service = await openService({ net: server.net, adminKey: ADMIN, baseUrl: "http://localhost" });
  closers.push(server.close, () => service.stepwell.close());
  const steps: Step[] = [
    { type: "input", key: "start", input: {}, destinations: ["call"] },
    { type: "http_request", key: "call", url: server.url, destinations: ["check"] },
    {
      type: "branch",
      key: "check",
      conditions: { ok: { order: 1, condition: "true", destinations: ["yes"] } },
      else: ["no"],
    },
    { type: "note", key: "yes", note: "" },
    { type: "note", key: "no", note: "" },
  ];
  return { ...service, steps, answer: (reply: Reply = {}) => release(reply), reached: () => server.received.length };
}

const stepOf = (event: RunEvent) => ("step" in event ? event.step : undefined);
const brief = (event: RunEvent) => [event.id ?? "-", event.type, stepOf(event) ?? ""].join(" ").trim();

const ALL = [
  "1 step.succeeded start",
  "2 step.succeeded call",
  "3 step.succeeded check",
  "4 step.succeeded yes",
  "5 step.skipped no",
  "6 run.succeeded",
];

describe("the events of a run", () => {
  it("are streamed live, and repeated for later followers", async () => {
    const { stepwell, app, start, steps, answer, reached } = await open();
    const { id } = await start(steps);
    const live: string[] = [];
    const following = (async () => {
      for await (const event of stepwell.runs.events(app, id)) live.push(brief(event));
    })();
    await until(() => live.length > 0 && reached() > 0);
    expect(live).toEqual(["1 step.succeeded start", "- step.started call"]);
    answer();
    await following;
    expect(live.filter((line) => !line.startsWith("-"))).toEqual(ALL);

    const later: string[] = [];
    for await (const event of stepwell.runs.events(app, id)) later.push(brief(event));
    expect(later).toEqual(ALL);
    const behind: string[] = [];
    for await (const event of stepwell.runs.events(app, id, { after: 4 })) behind.push(brief(event));
    expect(behind).toEqual(ALL.slice(4));
  });

  it("contain outputs and errors", async () => {
    const service = await openService({
      sandbox: { run: async () => ({ value: { n: 1 }, logs: ["one", "two"] }), close: async () => {} },
    });
    closers.push(() => service.stepwell.close());
    const { id } = await service.start([
      { type: "code", key: "code", code: "", destinations: ["bad"] },
      { type: "branch", key: "bad", conditions: { x: { order: 1, condition: "1 / 0 > 1", destinations: [] } } },
    ]);
    const events: RunEvent[] = [];
    for await (const event of service.stepwell.runs.events(service.app, id)) events.push(event);
    const of = (type: string) => events.find((event) => event.type === type);
    expect(of("step.succeeded")).toMatchObject({ step: "code", output: { n: 1 } });
    expect(of("step.failed")).toMatchObject({ step: "bad", error: { code: "expression_failed" } });
    expect(events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "expression_failed", step: "bad" } });
    // The schema drops fields that an event of the type does not have.
    expect(events.map((event) => v.parse(RunEventSchema, event))).toEqual(events);
  });

  it("continue after a wait, and end when the follower aborts", async () => {
    const { stepwell, app, start } = await open();
    const { id } = await start([
      { type: "input", key: "start", input: {}, destinations: ["ask"] },
      { type: "input", key: "ask", input: { ok: { type: "boolean" } } },
    ]);
    const seen: string[] = [];
    const following = (async () => {
      for await (const event of stepwell.runs.events(app, id)) seen.push(brief(event));
    })();
    await until(() => seen.length === 2);
    expect(seen).toEqual(["1 step.succeeded start", "- step.waiting ask"]);
    await stepwell.runs.provide(app, id, "ask", { ok: true });
    await following;
    expect(seen.slice(-2)).toEqual(["2 step.succeeded ask", "3 run.succeeded"]);

    const other = await start([
      { type: "input", key: "a", input: {}, destinations: ["b"] },
      { type: "input", key: "b", input: {} },
    ]);
    const left = new AbortController();
    const ended = (async () => {
      for await (const _ of stepwell.runs.events(app, other.id, { signal: left.signal })) left.abort();
      return "ended";
    })();
    expect(await ended).toBe("ended");
    await expect(stepwell.runs.events(app, "run_unknown")[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("are complete for a slow follower", async () => {
    const { stepwell, app, start } = await open();
    const steps: Step[] = Array.from({ length: 700 }, (_, index) => ({
      type: "branch",
      key: `s${index}`,
      conditions: {},
      loop: "iteration >= 1",
    }));
    const { id } = await start(steps);
    const seen: number[] = [];
    for await (const event of stepwell.runs.events(app, id)) {
      if (seen.length < 3) await stepwell.runs.wait(app, id);
      if (event.id !== undefined) seen.push(event.id);
    }
    expect(seen).toEqual(Array.from({ length: 701 }, (_, index) => index + 1));
  });
});

describe("the events of a retried run", () => {
  it("continue the numbering, so that a follower can resume after the last event", async () => {
    let status = 400;
    const server = await openServer(() => ({ status }));
    const { stepwell, app, start, wait } = await openService({ net: server.net });
    closers.push(server.close, () => stepwell.close());
    const follow = async (id: string, after = 0) => {
      const seen: string[] = [];
      for await (const event of stepwell.runs.events(app, id, { after }))
        if (event.id !== undefined) seen.push(brief(event));
      return seen;
    };
    const { id } = await start([
      { type: "input", key: "start", input: {}, destinations: ["call"] },
      { type: "http_request", key: "call", url: server.url, destinations: ["last"] },
      { type: "note", key: "last", note: "" },
    ]);
    await wait(id);
    expect(await follow(id)).toEqual([
      "1 step.succeeded start",
      "2 step.failed call",
      "3 step.canceled last",
      "4 run.failed",
    ]);
    await stepwell.runs.retry(app, id);
    await wait(id);
    const second = ["5 step.succeeded start", "6 step.failed call", "7 step.canceled last", "8 run.failed"];
    expect(await follow(id, 4)).toEqual(second);
    status = 200;
    await stepwell.runs.retry(app, id);
    const live = follow(id, 8);
    await wait(id);
    const third = ["9 step.succeeded start", "10 step.succeeded call", "11 step.succeeded last", "12 run.succeeded"];
    expect(await live).toEqual(third);
    expect(await follow(id, 8)).toEqual(third);
    expect(await follow(id, 10)).toEqual(third.slice(2));
    expect(await follow(id, 5)).toEqual(third);
    expect(await follow(id, 12)).toEqual([]);
  });
});

describe("the events of a run over HTTP", () => {
  async function overHttp() {
    const opened = await open();
    const { key } = await opened.stepwell.keys.create(opened.app, { name: "tests" });
    const call = (path: string, headers: Record<string, string> = {}, signal?: AbortSignal) =>
      opened.stepwell.fetch(
        new Request(`http://localhost/apps/${opened.app}${path}`, {
          headers: { authorization: `Bearer ${key}`, ...headers },
          ...(signal === undefined ? {} : { signal }),
        }),
      );
    return { ...opened, call };
  }

  it("return 204 after the last event of an ended run, so that clients stop reconnecting", async () => {
    const { call, start, stepwell, app } = await overHttp();
    const { id } = await start([{ type: "note", key: "n", note: "" }]);
    await stepwell.runs.wait(app, id);
    expect((await call(`/runs/${id}/events`, { "last-event-id": "1" })).status).toBe(200);
    const answer = await call(`/runs/${id}/events`, { "last-event-id": "2" });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
  });

  it("are a stream that ends with the run and resumes from Last-Event-ID", async () => {
    const { start, steps, answer, reached, call, wait } = await overHttp();
    const { id } = await start(steps);
    const response = await call(`/runs/${id}/events`);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    await until(() => reached() > 0);
    answer();
    const text = await response.text();
    expect(text).toContain("id: 2\nevent: step.succeeded\ndata: {");
    expect(text.match(/^event: run\.succeeded$/m)).not.toBeNull();

    await wait(id);
    const rest = await (await call(`/runs/${id}/events`, { "last-event-id": "5" })).text();
    expect(rest.match(/^id: /gm)).toHaveLength(1);
    expect(await (await call(`/runs/${id}/events?after=6`)).text()).not.toContain("data:");
    expect((await call(`/runs/${id}/events`, { "last-event-id": "x" })).status).toBe(400);
    expect((await call("/runs/run_unknown/events")).status).toBe(404);
  });

  it("can be canceled by the reader while the run continues", async () => {
    const { start, steps, call, reached, answer, wait } = await overHttp();
    const { id } = await start(steps);
    const response = await call(`/runs/${id}/events`);
    const reader = response.body?.getReader();
    await reader?.read();
    await until(() => reached() > 0);
    await reader?.cancel();
    answer();
    expect((await wait(id)).status).toBe("succeeded");
  });
});

describe("GET /apps/{app_id}/runs/{run_id}/events", () => {
  /** A run that waits, and a request that follows it. */
  async function followed(expires_at?: string) {
    const clock = createTestClock();
    const service = await openService({ adminKey: ADMIN, baseUrl: "http://localhost", clock });
    const { stepwell, app, start } = service;
    closers.push(() => stepwell.close());
    const issued = await stepwell.keys.create(app, { name: "follower", ...(expires_at && { expires_at }) });
    const { id } = await start([
      { type: "input", key: "start", input: {}, destinations: ["ask"] },
      { type: "input", key: "ask", input: {} },
    ]);
    const send = (path: string, key: string, method = "GET") =>
      stepwell.fetch(
        new Request(`http://localhost/apps/${app}${path}`, { method, headers: { authorization: `Bearer ${key}` } }),
      );
    const follow = (run = id) => send(`/runs/${run}/events`, issued.key);
    const admin = (path: string) => send(path, ADMIN, "DELETE");
    const body = (await follow()).body;
    if (body === null) throw new Error("the answer has no body");
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    async function readUntil(text: string): Promise<void> {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`the stream ended without ${text}`);
        if (value.includes(text)) return;
      }
    }
    async function rest(): Promise<string> {
      let text = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return text;
        text += value;
      }
    }
    await readUntil("step.waiting");
    await service.until(id, ({ status }) => status === "waiting");
    return { stepwell, app, clock, start, issued, follow, admin, rest };
  }

  it("ends the stream when another request revokes the key", async () => {
    const { issued, follow, admin, rest } = await followed();
    const ended = rest();
    expect((await admin(`/keys/${issued.id}`)).status).toBe(204);
    expect(await ended).not.toContain("run.");
    expect((await follow()).status).toBe(401);
  });

  it("ends the stream when the key expires", async () => {
    const { clock, follow, rest } = await followed("2030-01-01T01:00:00.000Z");
    let isOver = false;
    const ended = rest().finally(() => {
      isOver = true;
    });
    await clock.advance(3_599_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await ended).not.toContain("run.");
    expect((await follow()).status).toBe(401);
  });

  it("ends the stream when the app is deleted, without an event of the deletion", async () => {
    const { follow, admin, rest } = await followed();
    const ended = rest();
    expect((await admin("")).status).toBe(204);
    expect(await ended).not.toContain("run.");
    expect([401, 404]).toContain((await follow()).status);
  });

  it("sends nothing of a long history to a slow reader once the key is revoked", async () => {
    const { stepwell, app, start, issued, follow } = await followed();
    const { id } = await start(
      Array.from({ length: 100 }, (_, index): Step => ({ type: "note", key: `n${index}`, note: "" })),
    );
    await stepwell.runs.wait(app, id);
    const answer = await follow(id);
    await stepwell.keys.remove(app, issued.id);
    expect((await answer.text()).match(/^id: /gm)?.length ?? 0).toBeLessThan(3);
  });

  it("keeps streams with other keys of the app open when a key is revoked", async () => {
    const { stepwell, app, issued, rest } = await followed();
    const other = await stepwell.keys.create(app, { name: "other" });
    await stepwell.keys.remove(app, other.id);
    let isOver = false;
    const ended = rest().finally(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    await stepwell.keys.remove(app, issued.id);
    await ended;
  });
});

describe("following a run that has not begun", () => {
  it("yields each step from the first one on when it begins", async () => {
    const clock = createTestClock();
    const { stepwell, app, deploy } = await openService({ clock });
    closers.push(() => stepwell.close());
    const workflow = await deploy([
      { type: "input", key: "start", input: {}, destinations: ["note"] },
      { type: "note", key: "note", note: "", destinations: ["code"] },
      { type: "code", key: "code", code: 'give "done"' },
    ]);
    const run_at = new Date(clock.now() + 60_000).toISOString();
    const { id } = await stepwell.runs.create(app, workflow, { run_at });
    const events = collect(stepwell.runs.events(app, id));
    await clock.advance("2m");
    expect((await events).filter((event) => event.id !== undefined).map((event) => [event.id, stepOf(event)])).toEqual([
      [1, "start"],
      [2, "note"],
      [3, "code"],
      [4, undefined],
    ]);
  });
});

async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
