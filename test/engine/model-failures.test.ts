/** Models that refuse, fail, break off, talk nonsense or take too long: tried again where that helps, and told without secrets. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Logger, RunEvent, StepOf } from "../../src/index.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { openService, type Service, step } from "../support/engine/service.ts";
import { KEY, openModelServer, type Said } from "../support/servers/model-server.ts";

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

const OK: Said = { text: "fine" };
const refusal = (message: string) => JSON.stringify({ error: { message, type: "wrong", code: null, param: null } });

describe.each([false, true])("what passes, streamed: %s", (stream) => {
  it.each<[string, Said]>([
    ["429", { status: 429, body: refusal("slow down") }],
    ["500", { status: 500, body: refusal("broken") }],
    ["529", { status: 529, body: "overloaded" }],
    ["a line that is cut", { text: "a long answer, but its end does not come", cutAfter: 150 }],
    ["a line that is cut before the first byte", { text: "never", cutAfter: 0 }],
    ["an answer that is no JSON", { body: "<html>Bad gateway</html>" }],
    ["an empty answer", { body: "" }],
  ])("is tried again: %s", async (_, said) => {
    for (const provider of ["chat", "openai", "anthropic"]) {
      server.says([said, OK]);
      const run = await service.run([ask({ provider, features: { stream } })]);
      expect([provider, step(run, "ask").error, run.status]).toEqual([provider, null, "succeeded"]);
      expect(step(run, "ask")).toMatchObject({ output: { text: "fine" }, attempts: 2 });
      expect(server.asked).toHaveLength(2);
      const keys = server.asked.map(({ headers }) => headers["idempotency-key"]);
      expect(new Set(keys)).toEqual(new Set([`${run.id}/ask/1/answer.1`]));
    }
  });

  it("waits as long as it was asked to", async () => {
    const later = { status: 429, headers: { "retry-after": "7" }, body: refusal("later") };
    server.says([later, OK]);
    expect(await service.run([ask({ features: { stream } })])).toMatchObject({ status: "succeeded" });
    expect(clock.waits).toContain(7_000);
  });

  it("is given up after three tries", async () => {
    server.says(() => ({ status: 503, body: refusal("no room") }));
    const run = await service.run([ask({ features: { stream } })]);
    expect(run.error).toEqual({ code: "model_failed", message: "chat responded with 503: no room", step: "ask" });
    expect(server.asked).toHaveLength(3);
  });
});

describe("what is refused", () => {
  it("is not tried again, and told in the provider's words", async () => {
    server.says(() => ({ status: 400, body: refusal("the model m does not exist") }));
    const run = await service.run([ask()]);
    expect(run.error).toEqual({
      code: "model_failed",
      message: "chat responded with 400: the model m does not exist",
      step: "ask",
    });
    expect(server.asked).toHaveLength(1);
  });

  it.each([400, 401, 403, 500])("tells no key, whatever a provider repeats with %i", async (status) => {
    for (const provider of ["chat", "openai", "anthropic"]) {
      server.says(() => ({ status, body: refusal(`Incorrect API key provided: ${KEY}. Sent: Bearer ${KEY}`) }));
      const started = await service.start([ask({ provider })]);
      const events: RunEvent[] = [];
      for await (const event of service.stepwell.runs.events(service.app, started.id)) events.push(event);
      const run = await service.get(started.id);
      expect(run.error?.message).toContain(`responded with ${status}`);
      expect(JSON.stringify([run, events, logged])).not.toContain(KEY.slice(3));
    }
  });

  it("is a provider that cannot be reached", async () => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const nobody = createOpenAI({ apiKey: KEY, baseURL: "http://127.0.0.1:1/v1" });
    const other = await openService({ models: { nobody }, clock });
    const run = await other.run([ask({ provider: "nobody" })]);
    expect(run.error?.message).toMatch(/^nobody is unreachable/);
    expect(step(run, "ask").attempts).toBe(3);
    await other.stepwell.close();
  });
});

describe.each([false, true])("an answer that takes too long, streamed: %s", (stream) => {
  const ANSWER = 60_000;
  /** The time for the answer is over as soon as it is asked for. */
  const never = (): Said => {
    clock.fire(ANSWER);
    return { when: new Promise(() => {}) };
  };

  it("is cut when its time is up", async () => {
    const hasty = await openService({ models: server.models, limits: { modelTimeoutMs: ANSWER }, clock });
    server.says((_, nth) => (nth < 3 ? never() : OK));
    const run = await hasty.run([ask({ features: { stream } })]);
    expect(step(run, "ask")).toMatchObject({ status: "succeeded", attempts: 3 });
    expect(server.asked.map(({ isCut }) => isCut)).toEqual([true, true, false]);
    await hasty.stepwell.close();
  });

  it("is given up after three tries, and told by name", async () => {
    const hasty = await openService({ models: server.models, limits: { modelTimeoutMs: ANSWER }, clock });
    server.says(never);
    const run = await hasty.run([ask({ features: { stream } })]);
    expect(run.error).toEqual({ code: "timeout", message: "The model took longer than 60 seconds.", step: "ask" });
    expect(server.asked).toHaveLength(3);
    await hasty.stepwell.close();
  });
});
