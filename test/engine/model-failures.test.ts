/** Models that refuse, fail, abort, respond with garbage or take too long: retried if transient, without secrets. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Logger, RunEvent, StepOf } from "../../src/index.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { openService, type Service, step } from "../support/engine/service.ts";
import { KEY, openModelServer, type ScriptedReply } from "../support/servers/model-server.ts";

type Provider = StepOf<"model">["provider"];

let server: Awaited<ReturnType<typeof openModelServer>>;
let service: Service;
const clock = quickClock();
const logged: unknown[] = [];
const log = (...line: unknown[]) => void logged.push(line);
const logger: Logger = { debug: log, info: log, warn: log, error: log };

beforeAll(async () => {
  server = await openModelServer();
  service = await openService({ models: server.models, logger, clock });
});
afterAll(async () => {
  await service.stepwell.close();
  await server.close();
});

const ask = (provider: Partial<Provider> = {}): StepOf<"model"> => ({
  type: "model",
  key: "ask",
  provider: { provider: "chat", model: "m", messages: "Hi", ...provider },
});

const OK: ScriptedReply = { text: "fine" };
const errorBody = (message: string) => JSON.stringify({ error: { message, type: "wrong", code: null, param: null } });

describe.each([false, true])("a transient error of a model, streamed: %s", (stream) => {
  it.each<[string, ScriptedReply]>([
    ["429", { status: 429, body: errorBody("slow down") }],
    ["500", { status: 500, body: errorBody("broken") }],
    ["529", { status: 529, body: "overloaded" }],
    ["a dropped connection", { text: "a long answer, but its end does not come", cutAfter: 150 }],
    ["a connection dropped before the first byte", { text: "never", cutAfter: 0 }],
    ["a response that is not JSON", { body: "<html>Bad gateway</html>" }],
    ["an empty response", { body: "" }],
  ])("is retried with the same idempotency key: %s", async (_, said) => {
    for (const provider of ["chat", "openai", "anthropic"]) {
      server.replyWith([said, OK]);
      const run = await service.run([ask({ provider, features: { stream } })]);
      expect([provider, step(run, "ask").error, run.status]).toEqual([provider, null, "succeeded"]);
      expect(step(run, "ask")).toMatchObject({ output: { text: "fine" }, attempts: 2 });
      expect(server.requests).toHaveLength(2);
      const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
      expect(new Set(keys)).toEqual(new Set([`${run.id}/ask/1/answer.1`]));
    }
  });

  it("is retried after the time that Retry-After gives", async () => {
    const later = { status: 429, headers: { "retry-after": "7" }, body: errorBody("later") };
    server.replyWith([later, OK]);
    expect(await service.run([ask({ features: { stream } })])).toMatchObject({ status: "succeeded" });
    expect(clock.waits).toContain(7_000);
  });

  it("fails the step after three attempts", async () => {
    server.replyWith(() => ({ status: 503, body: errorBody("no room") }));
    const run = await service.run([ask({ features: { stream } })]);
    expect(run.error).toEqual({ code: "model_failed", message: "chat responded with 503: no room", step: "ask" });
    expect(server.requests).toHaveLength(3);
  });
});

describe("a permanent error of a model", () => {
  it("is not retried, and is reported with the provider's message", async () => {
    server.replyWith(() => ({ status: 400, body: errorBody("the model m does not exist") }));
    const run = await service.run([ask()]);
    expect(run.error).toEqual({
      code: "model_failed",
      message: "chat responded with 400: the model m does not exist",
      step: "ask",
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([400, 401, 403, 500])("never reveals the API key that a provider repeats: %i", async (status) => {
    for (const provider of ["chat", "openai", "anthropic"]) {
      server.replyWith(() => ({ status, body: errorBody(`Incorrect API key provided: ${KEY}. Sent: Bearer ${KEY}`) }));
      const started = await service.start([ask({ provider })]);
      const events: RunEvent[] = [];
      for await (const event of service.stepwell.runs.events(service.app, started.id)) events.push(event);
      const run = await service.get(started.id);
      expect(run.error?.message).toContain(`responded with ${status}`);
      expect(JSON.stringify([run, events, logged])).not.toContain(KEY.slice(3));
    }
  });

  it("is a network error, which is retried and names the provider", async () => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const nobody = createOpenAI({ apiKey: KEY, baseURL: "http://127.0.0.1:1/v1" });
    const other = await openService({ models: { nobody }, clock });
    const run = await other.run([ask({ provider: "nobody" })]);
    expect(run.error?.message).toMatch(/^nobody is unreachable/);
    expect(step(run, "ask").attempts).toBe(3);
    await other.stepwell.close();
  });
});

describe.each([false, true])("a model response that takes too long, streamed: %s", (stream) => {
  const ANSWER = 60_000;
  /** Fires the timeout as soon as the model is asked. */
  const never = (): ScriptedReply => {
    clock.fire(ANSWER);
    return { when: new Promise(() => {}) };
  };

  it("is aborted at limits.modelTimeoutMs and retried", async () => {
    const hasty = await openService({ models: server.models, limits: { modelTimeoutMs: ANSWER }, clock });
    server.replyWith((_, nth) => (nth < 3 ? never() : OK));
    const run = await hasty.run([ask({ features: { stream } })]);
    expect(step(run, "ask")).toMatchObject({ status: "succeeded", attempts: 3 });
    expect(server.requests.map(({ isCut }) => isCut)).toEqual([true, true, false]);
    await hasty.stepwell.close();
  });

  it("fails the step with timeout after three attempts", async () => {
    const hasty = await openService({ models: server.models, limits: { modelTimeoutMs: ANSWER }, clock });
    server.replyWith(never);
    const run = await hasty.run([ask({ features: { stream } })]);
    expect(run.error).toEqual({ code: "timeout", message: "The model took longer than 60 seconds.", step: "ask" });
    expect(server.requests).toHaveLength(3);
    await hasty.stepwell.close();
  });
});

describe("a model step with its own retry", () => {
  const retry = { max_attempts: 2, initial_interval: 0.01, on: "any" } as const;

  it("starts again after its responses have failed, without what was stored before", async () => {
    const busy = { status: 500, body: errorBody("broken") };
    server.replyWith([busy, busy, busy, OK]);
    const run = await service.run([{ ...ask(), retry }]);
    expect(step(run, "ask")).toMatchObject({ status: "succeeded", output: { text: "fine" }, attempts: 4 });
    const keys = server.requests.map(({ headers }) => String(headers["idempotency-key"]).slice(run.id.length));
    expect(keys.slice(0, 3)).toEqual(Array(3).fill("/ask/1/answer.1"));
    expect(keys[3]).toBe("/ask/1~2/answer.1");
  });

  it("fails after its attempts, whatever its responses took", async () => {
    const refused = { status: 400, body: errorBody("no such model") };
    server.replyWith([refused, refused, OK]);
    const run = await service.run([{ ...ask(), retry }]);
    expect([run.status, step(run, "ask").attempts, server.requests.length]).toEqual(["failed", 2, 2]);
  });
});
