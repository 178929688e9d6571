/** A model that calls tools: the offered tools, their results, and that a crash repeats no stored call. */
import * as v from "valibot";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Options, StepOf } from "../../src/index.ts";
import { defineService, RetryableError } from "../../src/index.ts";
import { memory } from "../support/engine/memory.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { give, input, openService, type Service, step } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { openModelServer, type ReceivedRequest, type ScriptedReply } from "../support/servers/model-server.ts";
import { until } from "../support/until.ts";

type Provider = StepOf<"model">["provider"];

let server: Awaited<ReturnType<typeof openModelServer>>;
let service: Service;
/** The calls of the action, with their idempotency keys. */
const called: { key: string; city: string }[] = [];
/** Running calls, and the most that ran at once. */
const atWork = { now: 0, most: 0 };
/** Calls end once this settles. */
let gate: Promise<unknown> = Promise.resolve();
let canceled = 0;

const weather = defineService({
  name: "weather",
  actions: {
    now: {
      description: "The weather of a city, now.",
      input: v.object({ city: v.string(), unit: v.optional(v.picklist(["C", "F"]), "C") }),
      output: v.object({ degrees: v.number(), unit: v.string() }),
      async run({ city, unit }, { idempotencyKey, signal }) {
        called.push({ key: idempotencyKey, city });
        if (city === "Atlantis") throw new Error("it has sunk");
        if (city === "Foggy" && called.filter((one) => one.city === city).length < 3)
          throw new RetryableError("cannot see");
        signal.addEventListener("abort", () => canceled++);
        atWork.most = Math.max(atWork.most, ++atWork.now);
        await gate;
        atWork.now--;
        return { degrees: city.length, unit };
      },
    },
  },
});

const open = (more: Options = {}, app?: string) =>
  openService({ models: server.models, services: [weather], clock: quickClock(), ...more }, app);

beforeAll(async () => {
  server = await openModelServer();
  service = await open();
});
beforeEach(() => {
  called.length = 0;
  canceled = 0;
  Object.assign(atWork, { now: 0, most: 0 });
  gate = Promise.resolve();
});
afterAll(async () => {
  await service.stepwell.close();
  await server.close();
});

const ask = (provider: Partial<Provider> = {}): StepOf<"model"> => ({
  type: "model",
  key: "ask",
  provider: { provider: "chat", model: "m", messages: "How warm is it?", tools: ["weather.now"], ...provider },
});
const call = (id: string, city: unknown, name = "weather_now") => ({ id, name, input: city });
const inCity = (id: string, city: string) => call(id, { city });
const sent = (nth: number) => JSON.stringify(server.requests[nth - 1]?.body);

describe.each(["chat", "openai", "anthropic", "local"])("the provider %s", (provider) => {
  it.each([false, true])(
    "executes the tool calls of one response and receives the results, streamed: %s",
    async (stream) => {
      server.replyWith([
        { text: "Let me look.", calls: [inCity("c1", "Rome"), inCity("c2", "Lima!")] },
        { text: "4 and 5" },
      ]);
      const run = await service.run([ask({ provider, features: { stream } })]);
      expect(step(run, "ask")).toMatchObject({
        error: null,
        logs: ["Calling the tool weather_now.", "Calling the tool weather_now."],
        output: {
          text: "4 and 5",
          iterations: 2,
          tool_calls: [
            { name: "weather_now", input: { city: "Rome" }, error: null },
            { name: "weather_now", input: { city: "Lima!" }, error: null },
          ],
          usage: { total_tokens: 24 },
        },
      });
      expect(called.map(({ key, city }) => [key, city])).toEqual([
        [`${run.id}/ask/1/call.1.1`, "Rome"],
        [`${run.id}/ask/1/call.1.2`, "Lima!"],
      ]);
      for (const part of ["weather_now", "The weather of a city, now.", '"city":{"type":"string"}']) {
        expect(sent(1)).toContain(part);
      }
      for (const part of ["Let me look.", "c1", "c2", '\\"degrees\\":4', '\\"degrees\\":5'])
        expect(sent(2)).toContain(part);
    },
  );
});

describe("a tool call", () => {
  it.each<[string, ReturnType<typeof call>, string]>([
    ["that fails", inCity("c", "Atlantis"), "it has sunk"],
    ["with invalid arguments", call("c", { town: "Rome" }), "invalid_input"],
    ["with arguments that are not JSON", call("c", '{"city":'), "must be a JSON object"],
    ["of an unknown tool", call("c", {}, "weather_tomorrow"), "no tool named"],
  ])("%s returns its error to the model, which continues", async (_, wrong, message) => {
    server.replyWith([{ calls: [wrong] }, { text: "I see" }]);
    const run = await service.run([ask()]);
    expect(step(run, "ask")).toMatchObject({ output: { text: "I see", tool_calls: [{ error: expect.anything() }] } });
    expect(sent(2)).toContain(message);
  });

  it.each([false, true])("is not executed if the response has more than 128, streamed: %s", async (stream) => {
    const calls = (count: number) => Array.from({ length: count }, (_, index) => inCity(`c${index}`, "Rome"));
    server.replyWith([{ calls: calls(128) }, { text: "done" }]);
    expect(step(await service.run([ask({ features: { stream } })]), "ask")).toMatchObject({
      output: { text: "done" },
    });
    expect(called).toHaveLength(128);
    server.replyWith([{ calls: calls(129) }, { text: "done" }]);
    expect(step(await service.run([ask({ features: { stream } })]), "ask").error).toEqual({
      code: "model_failed",
      message: "The model called more than 128 tools in one response. None of them was executed.",
    });
    expect(called).toHaveLength(128);
  });

  it("is retried after a transient error, with the same idempotency key", async () => {
    server.replyWith([{ calls: [inCity("c", "Foggy")] }, { text: "at last" }]);
    const run = await service.run([ask()]);
    expect(step(run, "ask")).toMatchObject({ output: { text: "at last" }, attempts: 3 });
    expect(called).toHaveLength(3);
    expect(new Set(called.map(({ key }) => key)).size).toBe(1);
  });

  it("takes arguments that the step sets and the model doesn't see", async () => {
    const tool = {
      type: "service" as const,
      service: "weather",
      action: "now",
      name: "fahrenheit",
      description: "In Fahrenheit.",
      input: { unit: "{{ input.unit }}" },
    };
    server.replyWith([{ calls: [call("c", { city: "Rome", unit: "C" }, "fahrenheit")] }, { text: "ok" }]);
    const run = await service.run([ask({ tools: [tool] })], { unit: "F" });
    expect(run.status).toBe("succeeded");
    expect(sent(1)).toContain("In Fahrenheit.");
    expect(sent(1)).not.toContain("unit");
    expect(sent(2)).toContain('\\"unit\\":\\"F\\"');
  });

  it.each([true, false])("runs in parallel with others or alone, by tools_parallel: %s", async (tools_parallel) => {
    gate = tools_parallel ? until(() => atWork.now === 2) : turnEventLoop();
    server.replyWith([{ calls: [inCity("c1", "A"), inCity("c2", "B")] }, { text: "ok" }]);
    expect(await service.run([ask({ provider: "chat", tools_parallel })])).toMatchObject({ status: "succeeded" });
    expect([called.length, atWork.most]).toEqual([2, tools_parallel ? 2 : 1]);
    expect(server.requests[0]?.body.parallel_tool_calls).toBe(tools_parallel ? undefined : false);
  });

  it("runs in parallel with at most seven others; results are returned in order", async () => {
    gate = until(() => atWork.now === 8).then(() => turnEventLoop());
    const cities = Array.from({ length: 20 }, (_, index) => "x".repeat(index + 1));
    server.replyWith([{ calls: cities.map((city, index) => inCity(`c${index}`, city)) }, { text: "ok" }]);
    const run = await service.run([ask()]);
    expect([called.length, atWork.most]).toEqual([20, 8]);
    expect(step(run, "ask").output).toMatchObject({ tool_calls: cities.map((city) => ({ input: { city } })) });
    const results = [...sent(2).matchAll(/\\"degrees\\":(\d+)/g)].map(([, degrees]) => Number(degrees));
    expect(results).toEqual(cities.map((city) => city.length));
  });

  it("is required for the first response only with tools_mode: required", async () => {
    server.replyWith([{ calls: [inCity("c", "Rome")] }, { text: "ok" }]);
    await service.run([ask({ tools_mode: "required" })]);
    expect(server.requests.map(({ body }) => body.tool_choice)).toEqual(["required", "auto"]);
    server.replyWith([{ text: "ok" }]);
    await service.run([ask({ tools_mode: "none" })]);
    expect(server.requests[0]?.body.tool_choice ?? "none").toBe("none");
  });

  it("of a workflow starts a child run", async () => {
    const definition = {
      word: { type: "string" as const, desc: "A word." },
      times: { type: "number" as const, optional: true },
    };
    const workflow = await service.deploy([input("in", { input: definition }), give("said", {}, { said: true })]);
    const named = { type: "workflow" as const, workflow_id: workflow, name: "say", description: "Says a word." };
    server.replyWith([
      {
        calls: [
          call("c1", { word: "hi" }, "say"),
          call("c2", { word: "ho" }, workflow),
          call("c3", { times: 1 }, "say"),
        ],
      },
      { text: "ok" },
    ]);
    const run = await service.run([ask({ tools: [named, workflow] })]);
    expect(step(run, "ask")).toMatchObject({
      output: { tool_calls: [{ error: null }, { error: null }, { error: { code: "invalid" } }] },
    });
    expect(sent(1)).toContain('"word":{"type":"string","description":"A word."}');
    expect(sent(2)).toContain('\\"said\\":true');
    const children = (await service.stepwell.runs.listOfWorkflow(service.app, workflow)).items;
    expect(children.map(({ parent_run_id }) => parent_run_id)).toEqual([run.id, run.id]);
  });

  it("that times out returns the error to the model, which continues", async () => {
    const clock = quickClock();
    const hasty = await open({ clock });
    gate = new Promise(() => {});
    server.replyWith([{ calls: [inCity("c", "Rome")] }, { text: "I see" }]);
    const running = hasty.run([ask()]);
    for (const tries of [1, 2, 3]) {
      await until(() => called.length === tries);
      clock.fire(60_000);
    }
    const run = await running;
    const error = { code: "timeout", message: "The tool weather_now took longer than 60 seconds." };
    expect(step(run, "ask")).toMatchObject({ output: { text: "I see", tool_calls: [{ error }] } });
    expect([called.length, canceled]).toEqual([3, 3]);
    await hasty.stepwell.close();
  });

  it("is aborted when the run is canceled", async () => {
    gate = new Promise(() => {});
    server.replyWith([{ calls: [inCity("c", "Rome")] }]);
    const { id } = await service.start([ask()]);
    await expect.poll(() => called.length).toBe(1);
    await service.stepwell.runs.cancel(service.app, id);
    expect(await service.get(id)).toMatchObject({ status: "canceled" });
    expect(canceled).toBe(1);
  });
});

describe("a model that never stops calling tools", () => {
  it.each([1, 3, undefined])("fails its step at max_iterations: %s", async (max_iterations) => {
    server.replyWith((_, nth) => ({ calls: [inCity(`c${nth}`, "Rome")] }));
    const run = await service.run([ask(max_iterations === undefined ? {} : { max_iterations })]);
    const limit = max_iterations ?? 20;
    expect(run.error).toEqual({
      code: "max_iterations",
      message: `The model still called tools after ${limit} iterations, the limit that max_iterations sets.`,
      step: "ask",
    });
    expect(server.requests).toHaveLength(limit);
    expect(called).toHaveLength(limit - 1);
  });
});

/** Responds by the conversation so far, as models do, so that a later process gets the same responses. */
function conversation({ body }: ReceivedRequest): ScriptedReply {
  const rounds = (body.messages ?? []).filter(({ role }) => role === "assistant").length;
  if (rounds === 0) return { calls: [inCity("c1", "Rome"), inCity("c2", "Oslo")] };
  if (rounds === 1) return { text: "x".repeat(20_000), calls: [inCity("c3", "Lima")] };
  return rounds === 2 ? { calls: [inCity("c4", "Atlantis")] } : { text: "done" };
}

describe("a process with a running model step", () => {
  it("can die at any write: the next one repeats no stored response or call and ends the same", async () => {
    const data = new Map<string, string>();
    const copies: { data: Map<string, string>; requests: number; called: number }[] = [];
    let isCopying = false;
    const { driver } = memory(data, () => {
      if (isCopying) copies.push({ data: new Map(data), requests: server.requests.length, called: called.length });
    });
    const first = await open({ storage: { entities: driver } });
    const workflow = await first.deploy([ask({ tools_parallel: false })]);
    server.replyWith(conversation);
    isCopying = true;
    const { id } = await first.stepwell.runs.create(first.app, workflow);
    const whole = await first.wait(id);
    isCopying = false;
    await first.stepwell.close();
    expect(whole).toMatchObject({ status: "succeeded", output: { text: "done", iterations: 4 } });
    const keys = called.map(({ key }) => key);
    // Every response and every call is a write of its own.
    expect(copies.length).toBeGreaterThanOrEqual(1 + 4 + 4 + 1);
    const [requests, calls] = [server.requests.length, called.length];

    for (const copy of copies) {
      server.replyWith(conversation);
      called.length = 0;
      const next = await open({ storage: { entities: memory(copy.data).driver } }, first.app);
      const run = await next.wait(id).catch((error: { code?: string }) => error.code);
      if (run !== "not_found") expect(run).toMatchObject({ status: "succeeded", output: whole.output });
      // Only the one request or call that was pending at that moment may be repeated.
      if (run !== "not_found") {
        expect(server.requests.length).toBeLessThanOrEqual(requests - copy.requests + 1);
        expect(called.length).toBeLessThanOrEqual(calls - copy.called + 1);
        expect(server.requests.length + called.length).toBeLessThanOrEqual(
          requests + calls - copy.requests - copy.called + 1,
        );
      }
      expect(called.map(({ key }) => key)).toEqual(keys.slice(keys.length - called.length));
      await next.stepwell.close();
      const left = [...copy.data.keys()].filter((key) => /journal|part/.test(key));
      expect(left).toEqual([]);
    }
  });

  it("can be closed: the next one repeats no stored response or call and ends the same", async () => {
    const data = new Map<string, string>();
    const first = await open({ storage: { entities: memory(data).driver } });
    const never = new Promise(() => {});
    server.replyWith((request) => {
      const said = conversation(request);
      return said.text === "done" ? { ...said, when: never } : said;
    });
    const { id } = await first.start([ask()]);
    await expect.poll(() => server.requests.length).toBe(4);
    await first.stepwell.close();
    await expect.poll(() => server.requests[3]?.isCut).toBe(true);
    server.replyWith(conversation);
    const keys = called.splice(0).map(({ key }) => key);
    const next = await open({ storage: { entities: memory(data).driver } }, first.app);
    expect(await next.wait(id)).toMatchObject({ status: "succeeded", output: { text: "done", iterations: 4 } });
    expect(keys).toHaveLength(4);
    expect(called).toEqual([]);
    expect(server.requests).toHaveLength(1);
    await next.stepwell.close();
  });

  it.each(["while the child run waits", "while the model calls it"])(
    "can be closed %s for input, without waiting; the next one resumes it",
    async (when) => {
      const data = new Map<string, string>();
      const first = await open({ storage: { entities: memory(data).driver }, clock: quickClock(1) });
      const child = await first.deploy([input("in"), input("ask", { input: { ok: { type: "boolean" } } })]);
      const tools = [{ type: "workflow" as const, workflow_id: child, name: "approve", description: "Asks." }];
      let answer: () => void = () => {};
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      server.replyWith(({ body }) =>
        (body.messages ?? []).some(({ role }) => role === "assistant")
          ? { text: "ok" }
          : { calls: [call("c", {}, "approve")], when: answered },
      );
      const waiting = await first.start([ask({ tools })]);
      const children = async (of: Service) => (await of.stepwell.runs.listOfWorkflow(of.app, child)).items;
      await expect.poll(() => server.requests.length).toBe(1);
      if (when === "while the child run waits") {
        answer();
        await expect.poll(async () => (await children(first)).map(({ status }) => status)).toEqual(["waiting"]);
      }
      const closed = first.stepwell.close();
      answer();
      // The child run would wait forever.
      await closed;

      const next = await open({ storage: { entities: memory(data).driver } }, first.app);
      await expect.poll(async () => (await children(next)).map(({ status }) => status)).toEqual(["waiting"]);
      for (const { id } of await children(next)) await next.stepwell.runs.provide(next.app, id, "ask", { ok: true });
      expect(await next.wait(waiting.id)).toMatchObject({ status: "succeeded", output: { text: "ok" } });
      expect(server.requests).toHaveLength(2);
      await next.stepwell.close();
    },
  );

  it("can die while a tool's child run executes: the next one resumes that child run", async () => {
    const data = new Map<string, string>();
    const first = await open({ storage: { entities: memory(data).driver } });
    const child = await first.deploy([
      input("in"),
      { type: "service", key: "look", service: { service: "weather", action: "now", input: { city: "Rome" } } },
    ]);
    gate = new Promise(() => {});
    const rounds = ({ body }: ReceivedRequest): ScriptedReply =>
      (body.messages ?? []).some(({ role }) => role === "assistant")
        ? { text: "ok" }
        : { calls: [call("c", {}, "go")] };
    server.replyWith(rounds);
    const tools = [{ type: "workflow" as const, workflow_id: child, name: "go", description: "Goes." }];
    const { id } = await first.start([ask({ tools })]);
    await expect.poll(() => called.length).toBe(1);
    gate = Promise.resolve();
    const next = await open({ storage: { entities: memory(new Map(data)).driver } }, first.app);
    expect(await next.wait(id)).toMatchObject({ status: "succeeded", output: { text: "ok" } });
    expect(server.requests).toHaveLength(2);
    expect((await next.stepwell.runs.listOfWorkflow(next.app, child)).items).toHaveLength(1);
    expect(new Set(called.map(({ key }) => key)).size).toBe(1);
    await next.stepwell.close();
    await first.stepwell.runs.cancel(first.app, id);
    await first.stepwell.close();
  });
});
