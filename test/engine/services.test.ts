/** Service steps: actions of the host, checked at deployment and in runs, retried, aborted and resumed. */
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import {
  type ActionContext,
  type ActionSettings,
  type AnyService,
  type Clock,
  createStepwell,
  defineService,
  isStepwellError,
  type JsonObject,
  RetryableError,
  type Run,
  type Step,
  StepwellError,
} from "../../src/index.ts";
import { memory } from "../support/engine/memory.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { give, input, openService, type Service, step, to } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";

const opened: Service[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stepwell }) => stepwell.close()));
});

async function open(services: readonly AnyService[], more: { clock?: Clock; data?: Map<string, string> } = {}) {
  const { clock, data } = more;
  const storage = data === undefined ? {} : { storage: { entities: memory(data).driver } };
  const service = await openService({ services, ...storage, ...(clock === undefined ? {} : { clock }) });
  opened.push(service);
  return service;
}

/** A service with one action with any input and output. */
const acting = (run: (args: unknown, context: ActionContext) => unknown, settings: ActionSettings = {}) =>
  defineService({ name: "host", actions: { act: { ...settings, input: v.unknown(), output: v.unknown(), run } } });

const call = (service: string, action: string, given: JsonObject = {}, key = "call"): Step => ({
  type: "service",
  key,
  service: { service, action, input: given },
});
const act = (given?: JsonObject): Step => call("host", "act", given);

async function runOf(service: AnyService, given: JsonObject = {}, runInput?: JsonObject): Promise<Run> {
  const [action = ""] = Object.keys(service.actions);
  return (await open([service])).run([call(service.name, action, given)], runInput);
}

const posts = defineService({
  name: "posts",
  actions: {
    send: {
      input: v.object({
        to: v.pipe(v.string(), v.email("Must be an address.")),
        copies: v.optional(v.number(), 1),
        parts: v.optional(v.array(v.object({ width: v.number() }))),
      }),
      output: v.object({ sent: v.string(), copies: v.number() }),
      run: ({ to, copies }) => ({ sent: to, copies }),
    },
    list: { input: v.object({}), output: v.array(v.string()), run: () => ["a"] },
  },
});

type Result = { value: unknown } | { issues: readonly { message: string; path?: readonly PropertyKey[] }[] };

/** A Standard Schema written by hand. */
const schema = (validate: (value: unknown) => Result | Promise<Result>) => ({
  "~standard": { version: 1, vendor: "by hand", validate } as const,
});
const anything = schema((value) => ({ value }));
/** Validates asynchronously, as schemas with a lookup do. */
const known = schema(async (value) => {
  await turnEventLoop(1);
  const { name } = value as { name: string };
  return name === "known" ? { value } : { issues: [{ message: "Nobody has this name.", path: ["name"] }] };
});

describe("constructing a Stepwell with services", () => {
  const action = { input: anything, output: anything, run: () => null };
  it.each<[string, unknown[], RegExp]>([
    ["two services with one name", [posts, posts], /There are two services named "posts"/],
    ["a service without a name", [{ name: "", actions: { a: action } }], /"" is not a valid name of a service/],
    ["a name with a dot", [{ name: "a.b", actions: { a: action } }], /"a\.b" is not a valid name/],
    ["no actions", [{ name: "s", actions: {} }], /The service "s" has no actions/],
    ["a missing actions object", [{ name: "s" }], /The service "s" has no actions/],
    ["an action without a name", [{ name: "s", actions: { "": action } }], /"" is not a valid name of an action of s/],
    [
      "an action without run",
      [{ name: "s", actions: { a: { input: anything, output: anything } } }],
      /s\.a must have a run function/,
    ],
    [
      "an input that is not a schema",
      [{ name: "s", actions: { a: { ...action, input: String } } }],
      /s\.a must have a Standard Schema as input/,
    ],
    [
      "no output",
      [{ name: "s", actions: { a: { ...action, output: undefined } } }],
      /s\.a must have a Standard Schema as output/,
    ],
    [
      "zero attempts",
      [{ name: "s", actions: { a: { ...action, maxAttempts: 0 } } }],
      /s\.a must have 1 to 100 attempts/,
    ],
    [
      "a fraction of an attempt",
      [{ name: "s", actions: { a: { ...action, maxAttempts: 1.5 } } }],
      /s\.a must have 1 to 100 attempts/,
    ],
    ["a timeout of zero", [{ name: "s", actions: { a: { ...action, timeoutMs: 0 } } }], /s\.a must have a timeout/],
    [
      "a timeout of NaN",
      [{ name: "s", actions: { a: { ...action, timeoutMs: Number.NaN } } }],
      /s\.a must have a timeout/,
    ],
    [
      "a misspelled field of a service",
      [{ name: "s", conection: anything, actions: { a: action } }],
      /The service "s" has an unknown field "conection"\. Did you mean "connection"\?$/,
    ],
    [
      "the credentials under another name",
      [{ name: "s", credentials: anything, actions: { a: action } }],
      /The service "s" has an unknown field "credentials"\. Did you mean "connection"\?$/,
    ],
    [
      "a misspelled field of an action",
      [{ name: "s", actions: { a: { ...action, max_atempts: 1 } } }],
      /The action s\.a has an unknown field "max_atempts"\. Did you mean "maxAttempts"\?$/,
    ],
    [
      "a field of services in an action",
      [{ name: "s", actions: { a: { ...action, connection: true } } }],
      /s\.a has an unknown field "connection"\. Known fields: input, output, run, title, description, maxAttempts/,
    ],
  ])("throws for %s", (_, services, message) => {
    const construct = () => createStepwell({ services: services as AnyService[] }); // as untyped code may pass them
    expect(construct).toThrow(TypeError);
    expect(construct).toThrow(message);
  });
});

it("defineService throws for an invalid name, an unknown field, and a service without actions", () => {
  const define = (service: object) => () => Reflect.apply(defineService, undefined, [service]);
  expect(define({ name: "a b", actions: {} })).toThrow(
    new TypeError('"a b" is not a valid name of a service: it must be 1 to 64 letters, digits, "_" and "-".'),
  );
  expect(define({ name: "s", actions: {} })).toThrow(new TypeError('The service "s" has no actions.'));
  expect(define({ name: "s", titel: "S", actions: {} })).toThrow(
    new TypeError('The service "s" has an unknown field "titel". Did you mean "title"?'),
  );
});

describe("deploying a service step", () => {
  async function problems(steps: Step[], services: readonly AnyService[] = [posts]): Promise<Record<string, string>> {
    const service = await open(services);
    const { errors, valid } = await service.stepwell.workflows.validate(service.app, await service.draft(steps));
    expect(valid).toBe(errors.length === 0);
    return Object.fromEntries(errors.map(({ pointer, message }) => [pointer, message]));
  }

  it.each(["post", "toString", "__proto__", "", "{{ input.service }}"])(
    "reports the unknown service %j",
    async (name) => {
      expect(await problems([input("in"), call(name, "send")])).toEqual({
        "/steps/1/service/service": expect.stringMatching(/^There is no service named ".*"\. Available: .*"posts"\.$/),
      });
    },
  );

  it.each(["sent", "constructor", "__proto__"])("reports the unknown action %j", async (name) => {
    expect(await problems([call("posts", name)])).toEqual({
      "/steps/0/service/action": `There is no action of posts named "${name}". Available: "send", "list".`,
    });
  });

  it("validates literal input by the schema of the action", async () => {
    const wrong = { to: "nobody", copies: "three", parts: [{ width: 1 }, { width: "2" }] };
    expect(await problems([call("posts", "send", wrong)])).toEqual({
      "/steps/0/service/input/to": "Must be an address.",
      "/steps/0/service/input/copies": 'Must be a number, not "three".',
      "/steps/0/service/input/parts/1/width": 'Must be a number, not "2".',
    });
    expect(Object.keys(await problems([call("posts", "send", {})]))).toEqual(["/steps/0/service/input/to"]);
    expect(await problems([call("posts", "send", { to: "a@example.com" })])).toEqual({});
  });

  it("reports unknown and missing fields of built-in actions", async () => {
    expect(await problems([call("files", "read", { content: "x" })])).toMatchObject({
      "/steps/0/service/input/content": "Unknown field.",
      "/steps/0/service/input/file_id": "Is required.",
    });
  });

  it("reports unknown fields whose values contain expressions, at any depth", async () => {
    const update = { collection_id: "coll_1", record_id: "{{ input.id }}", data: { a: { b: "{{ input.b }}" } } };
    const wrong = { ...update, tgas: "{{ input.tags }}", foo: ["{{ 1 }}"], bar: 1 };
    expect(await problems([call("records", "update", wrong)])).toEqual({
      "/steps/0/service/input/tgas": 'Unknown field. Did you mean "tags"?',
      "/steps/0/service/input/foo": "Unknown field.",
      "/steps/0/service/input/bar": "Unknown field.",
    });
    expect(await problems([call("records", "update", update)])).toEqual({});
    const size = v.strictObject({ width: v.number() });
    const open = v.object({ width: v.number() });
    const nested = v.object({ sizes: v.array(size), either: v.union([size, v.number()]), open });
    const boxes = defineService({
      name: "boxes",
      actions: { pack: { input: nested, output: anything, run: () => 1 } },
    });
    const given = {
      sizes: [{ width: 1 }, { width: 2, depth: "{{ 1 }}" }],
      either: { depth: "{{ 1 }}" },
      open: { width: 1, depth: "{{ 1 }}" },
      more: "{{ 1 }}",
    };
    expect(await problems([call("boxes", "pack", given)], [boxes])).toEqual({
      "/steps/0/service/input/sizes/1/depth": "Unknown field.",
    });
  });

  it("does not validate values that come from expressions", async () => {
    const left = { to: "{{ input.to }}", copies: "{{ input.copies }}", parts: "{{ input.parts }}" };
    expect(await problems([call("posts", "send", left)])).toEqual({});
    const half = { to: "{{ input.to }}", copies: "three", parts: [{ width: "{{ input.width }}" }, { width: "2" }] };
    expect(Object.keys(await problems([call("posts", "send", half)]))).toEqual([
      "/steps/0/service/input/copies",
      "/steps/0/service/input/parts/1/width",
    ]);
  });

  it("does not validate values that contain expressions", async () => {
    const whole = schema((value) => {
      const { a, b } = value as { a: { c: unknown }; b: unknown };
      const path = (...parts: string[]) => ({ message: "Wrong.", path: parts });
      const issues = [{ message: "Wrong." }, path("a"), path("a", "c"), path("a", "c", "d"), path("b"), path("ab")];
      return a.c === 1 && b === 2 ? { value } : { issues };
    });
    const services = [defineService({ name: "s", actions: { a: { input: whole, output: anything, run: () => 1 } } })];
    expect(Object.keys(await problems([call("s", "a", { a: { c: "{{ 1 }}" }, b: 3 })], services))).toEqual([
      "/steps/0/service/input/b",
      "/steps/0/service/input/ab",
    ]);
  });

  it("reports invalid expressions in the input", async () => {
    expect(
      Object.keys(await problems([call("posts", "send", { to: "{{ steps.gone }}", copies: "{{ 1 + }}" })])),
    ).toEqual(["/steps/0/service/input/to", "/steps/0/service/input/copies"]);
  });

  it("supports asynchronous schemas", async () => {
    const services = [defineService({ name: "s", actions: { a: { input: known, output: anything, run: () => 1 } } })];
    expect(await problems([call("s", "a", { name: "x" })], services)).toEqual({
      "/steps/0/service/input/name": "Nobody has this name.",
    });
    expect(await problems([call("s", "a", { name: "known" })], services)).toEqual({});
  });

  it.each([
    ["throws", () => Promise.reject(new Error("no database"))],
    ["returns nothing", () => undefined],
    ["changes its input", (value: unknown) => Object.assign(value as object, { to: 1 }) && { value }],
  ])("works with a schema that %s", async (what, validate) => {
    const input = schema(validate as () => Result);
    const services = [defineService({ name: "s", actions: { a: { input, output: anything, run: () => 1 } } })];
    const found = await problems([call("s", "a")], services);
    expect(Object.keys(found)).toEqual(what.startsWith("changes") ? [] : ["/steps/0/service/input"]);
  });

  it("reports a connection for a service without connections", async () => {
    const connected: Step = {
      type: "service",
      key: "c",
      service: { service: "posts", action: "list", input: {}, connection_id: "con_1" },
    };
    expect(Object.keys(await problems([connected]))).toEqual(["/steps/0/service/connection_id"]);
  });

  it("is rejected with the errors of all steps", async () => {
    const service = await open([posts]);
    const deployed = service.deploy([call("posts", "send", { to: 1 }), call("nobody", "send", {}, "other")]);
    await expect(deployed).rejects.toSatisfy((error) => isStepwellError(error, "invalid") && error.errors.length === 2);
  });
});

/** A thenable that is not a promise, as the queries of some libraries are. */
const awaitable = (method: string) => ({ [method]: (done: (value: unknown) => void) => done("late") });

describe("an action", () => {
  it("receives its input as transformed by its schema", async () => {
    const given = { to: "{{ input.name }}@example.com" };
    expect((await runOf(posts, given, { name: "ann" })).output).toEqual({ sent: "ann@example.com", copies: 1 });
    const counted = { to: "a@example.com", copies: "{{ input.n + 1 }}" };
    expect((await runOf(posts, counted, { n: 1 })).output).toEqual({ sent: "a@example.com", copies: 2 });
  });

  it("is not called with invalid input; the step fails with invalid_input", async () => {
    let calls = 0;
    const many = v.object(Object.fromEntries([..."abcdefg"].map((name) => [name, v.number()])));
    const service = defineService({
      name: "s",
      actions: { a: { input: v.object({ a: many, b: v.string() }), output: anything, run: () => calls++ } },
    });
    const { error } = await runOf(service, { a: "{{ input.a }}", b: "{{ input.b }}" }, { a: {}, b: 1 });
    expect(error).toMatchObject({ code: "invalid_input", step: "call" });
    expect(error?.message).toMatch(
      /^The input does not match the schema of s\.a: \/a\/a: .*; \/a\/b: .* \(and 3 more\)$/,
    );
    expect(calls).toBe(0);
  });

  it("supports asynchronous schemas for input and output", async () => {
    const service = defineService({
      name: "s",
      actions: { a: { input: known, output: known, run: async () => ({ name: "nobody" }) } },
    });
    const refused = await runOf(service, { name: "{{ input.name }}" }, { name: "x" });
    expect(refused.error).toMatchObject({ code: "invalid_input", message: expect.stringContaining("/name: Nobody") });
    const other = await runOf(service, { name: "{{ input.name }}" }, { name: "known" });
    expect(other.error).toMatchObject({ code: "invalid_output", message: expect.stringContaining("/name: Nobody") });
  });

  it("returns its result as transformed by its output schema", async () => {
    const output = v.object({ n: v.optional(v.number(), 7) });
    const service = defineService({ name: "s", actions: { a: { input: anything, output, run: () => ({}) } } });
    expect((await runOf(service)).output).toEqual({ n: 7 });
  });

  it("fails with invalid_output and is not retried when its output is invalid", async () => {
    let calls = 0;
    const output = v.object({ list: v.array(v.number()) });
    const run = () => {
      calls++;
      return { list: [1, "2"] as number[] };
    };
    const service = defineService({ name: "s", actions: { a: { input: anything, output, run } } });
    expect((await runOf(service)).error).toEqual({
      code: "invalid_output",
      message: 'The output of s.a does not match its schema: /list/1: Must be a number, not "2".',
      step: "call",
    });
    expect(calls).toBe(1);
  });

  it.each([
    ["a value", () => ({ a: 1 }), { a: 1 }],
    ["a promise", async () => [1], [1]],
    ["a thenable", () => awaitable("then"), "late"],
    ["nothing", () => undefined, null],
    ["undefined fields", () => ({ a: undefined, b: 1 }), { b: 1 }],
  ])("may return %s", async (_, run, output) => {
    expect(await runOf(acting(run))).toMatchObject({ status: "succeeded", output });
  });

  it.each([
    ["a date", () => new Date()],
    ["a function", () => () => 1],
    ["NaN", async () => ({ a: [Number.NaN] })],
    [
      "a circular object",
      () => {
        const circle: Record<string, unknown> = {};
        circle["self"] = circle;
        return circle;
      },
    ],
  ])("fails with invalid_output when it returns %s", async (_, run) => {
    expect((await runOf(acting(run))).error).toMatchObject({ code: "invalid_output", step: "call" });
  });

  it("cannot change the outputs of other steps or the definition", async () => {
    const service = await open([
      acting((args) => {
        const { list, fixed } = args as { list: number[]; fixed: number[] };
        fixed.push(1);
        return [list.reverse().length, fixed.length];
      }),
    ]);
    const given = { list: "{{ steps.a.output.list }}", fixed: [] };
    const steps = [give("a", to("call"), { list: [1, 2] }), { ...act(given), ...to("b") }];
    const workflow = await service.deploy([...steps, call("host", "act", given, "b")]);
    for (let nth = 0; nth < 2; nth++) {
      const run = await service.runOf(workflow);
      expect(step(run, "a").output).toEqual({ list: [1, 2] });
      expect(step(run, "b").output).toEqual([2, 1]);
    }
  });

  it("receives a context with app, run, step, key, signal, log and stepwell", async () => {
    let seen: ActionContext | undefined;
    const service = await open([
      acting(async (_, context) => {
        seen = context;
        context.log("one", "two");
        const run = await context.stepwell.runs.get(context.app_id, context.run_id);
        context.log(run.status);
        return (await context.stepwell.apps.get(context.app_id)).name;
      }),
    ]);
    const run = await service.run([act()]);
    expect(run.output).toBe("Tests");
    expect(seen).toMatchObject({ app_id: service.app, run_id: run.id, step_key: "call" });
    expect(seen?.idempotencyKey).toBe(`${run.id}/call/1`);
    expect(seen?.signal.aborted).toBe(false);
    expect(step(run, "call").logs).toEqual(["one", "two", "running"]);
  });

  it("cannot fetch private addresses", async () => {
    const run = await runOf(acting(async (_, { fetch }) => (await fetch("http://127.0.0.1:1/")).status));
    expect(run.error).toMatchObject({ code: "address_refused", step: "call" });
    expect(step(run, "call").attempts).toBe(1);
  });

  it("has a separate idempotency key for each iteration", async () => {
    const service = await open([acting((_, { idempotencyKey }) => idempotencyKey)]);
    const run = await service.run([{ ...act(), loop: "iteration == 3" }]);
    expect(run.output).toBe(`${run.id}/call/3`);
  });
});

describe("an action that throws", () => {
  class Quiet extends Error {
    override readonly message = "";
  }
  it.each<[string, unknown, string]>([
    ["an error", new Error("no luck"), "no luck"],
    ["an error without a message", new Quiet(), "Error"],
    ["a string", "boom", "Thrown: boom"],
    ["null", null, "Thrown: null"],
    ["undefined", undefined, "Thrown: undefined"],
    ["a symbol", Symbol("s"), "Thrown: Symbol(s)"],
    ["an object without a prototype", Object.create(null), "Thrown: a value without a string form"],
    ["an error whose message is an object", Object.assign(new Error(), { message: { a: 1 } }), "[object Object]"],
  ])("fails its step without a retry: %s", async (_, thrown, message) => {
    const service = await open([
      acting(() => {
        throw thrown;
      }),
      { ...acting(() => Promise.reject(thrown)), name: "later" },
    ]);
    for (const name of ["host", "later"]) {
      const run = await service.run([call(name, "act")]);
      expect(run.error).toEqual({ code: "step_failed", message, step: "call" });
      expect(step(run, "call").attempts).toBe(1);
    }
  });

  it("keeps the code of a StepwellError", async () => {
    const run = await runOf(acting((_, { stepwell, app_id }) => stepwell.runs.get(app_id, "run_gone")));
    expect(run.error).toMatchObject({ code: "not_found", step: "call" });
  });

  it("can be tolerated with throw_on_error: false", async () => {
    const service = await open([
      acting(() => {
        throw new Error("no luck");
      }),
    ]);
    const run = await service.run([{ ...act(), throw_on_error: false, ...to("b") }, give("b")]);
    expect(run).toMatchObject({ status: "succeeded", output: "b" });
    expect(step(run, "call").error).toMatchObject({ code: "step_failed", message: "no luck" });
  });
});

describe("a transient error of an action", () => {
  it.each<[string, number, () => unknown]>([
    ["a RetryableError", 3, () => new RetryableError("busy")],
    ["fetch_failed", 3, () => new StepwellError("fetch_failed", "no answer")],
    ["unavailable storage", 8, () => new StepwellError("unavailable", "no answer")],
  ])("leads to further attempts with one idempotency key: %s, %i attempts", async (_, attempts, error) => {
    const keys: string[] = [];
    const service = await open(
      [
        acting(async (_, { idempotencyKey }) => {
          keys.push(idempotencyKey);
          throw error();
        }),
      ],
      { clock: quickClock() },
    );
    const run = await service.run([act()]);
    expect(step(run, "call")).toMatchObject({ status: "failed", attempts });
    expect(keys).toEqual(Array.from({ length: attempts }, () => `${run.id}/call/1`));
  });

  it("is retried up to maxAttempts", async () => {
    let tries = 0;
    const flaky = acting(
      () => {
        if (++tries < 5) throw new RetryableError("busy");
        return tries;
      },
      { maxAttempts: 5 },
    );
    const once = acting(
      () => {
        throw new RetryableError("busy");
      },
      { maxAttempts: 1 },
    );
    const service = await open([flaky, { ...once, name: "once" }], { clock: quickClock() });
    expect(step(await service.run([act()]), "call")).toMatchObject({ output: 5, attempts: 5 });
    const failed = await service.run([call("once", "act")]);
    expect(failed.error).toEqual({ code: "step_failed", message: "busy", step: "call" });
    expect(step(failed, "call").attempts).toBe(1);
  });

  it.each([
    [7_000, 7_000],
    [Number.NaN, 250],
    [-1, 250],
  ])("waits for retryAfter before the next attempt: %d", async (retryAfter, least) => {
    const clock = quickClock();
    let tries = 0;
    const service = await open(
      [
        acting(() => {
          if (++tries === 1) throw new RetryableError("later", { retryAfterMs: retryAfter });
          return null;
        }),
      ],
      { clock },
    );
    await service.run([act()]);
    const pauses = clock.waits.filter((wait) => wait >= 250 && wait < 60_000);
    expect(pauses.length).toBeGreaterThan(0);
    // A wait that is stored is shorter by the time that storing it took.
    const longest = Math.max(...pauses.filter((wait) => wait <= 7_000));
    expect(longest).toBeGreaterThanOrEqual(least < 1_000 ? least : least - 1_000);
    expect(tries).toBe(2);
  });
});

describe("an action that times out", () => {
  it("is aborted and retried", async () => {
    const reasons: unknown[] = [];
    const slow = acting(
      (_, { signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            reasons.push(signal.reason);
            reject(signal.reason);
          }),
        ),
      { timeoutMs: 5_000, maxAttempts: 2 },
    );
    const service = await open([slow], { clock: quickClock(100) });
    const run = await service.run([act()]);
    expect(run.error).toMatchObject({ code: "timeout", message: expect.stringContaining("5 seconds"), step: "call" });
    expect(step(run, "call").attempts).toBe(2);
    expect(reasons).toHaveLength(2);
  });

  it("is ignored from then on when it does not stop", async () => {
    let finish: (value: unknown) => void = () => undefined;
    const contexts: ActionContext[] = [];
    const deaf = acting(
      (_, context) => {
        contexts.push(context);
        context.log(`try ${contexts.length}`);
        context.signal.throwIfAborted();
        if (contexts.length === 2) return "second";
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      { timeoutMs: 5_000 },
    );
    const service = await open([deaf], { clock: quickClock(100) });
    const run = await service.run([act()]);
    finish("first");
    contexts[0]?.log("still here");
    expect(contexts.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect(run.output).toBe("second");
    expect((await service.get(run.id)).output).toBe("second");
    expect(step(run, "call").logs).toEqual(["try 1", "try 2"]);
  });

  it("fails the run when every attempt hangs", async () => {
    const service = await open([acting(() => new Promise(() => undefined), { timeoutMs: 1_000, maxAttempts: 2 })], {
      clock: quickClock(100),
    });
    expect((await service.run([act()])).error).toMatchObject({ code: "timeout" });
  });

  it("has a default timeout of one minute", async () => {
    const clock = quickClock();
    const service = await open([acting(async () => 1)], { clock });
    await service.run([act()]);
    expect(clock.waits).toContain(60_000);
  });
});

const HOUR = 60 * 60 * 1_000;

describe("a running action", () => {
  it("is aborted when its run is canceled, and its result is ignored", async () => {
    let signal: AbortSignal | undefined;
    let finish: (value: unknown) => void = () => undefined;
    const service = await open([
      acting((_, context) => {
        signal = context.signal;
        return new Promise((resolve) => {
          finish = resolve;
        });
      }),
    ]);
    const { id } = await service.start([act()]);
    await service.until(id, () => signal !== undefined);
    expect(signal?.aborted).toBe(false);
    await service.stepwell.runs.cancel(service.app, id);
    expect(signal?.aborted).toBe(true);
    finish("late");
    expect(await service.get(id)).toMatchObject({ status: "canceled", output: null });
  });

  it("is aborted when another step fails the run", async () => {
    let signal: AbortSignal | undefined;
    const service = await open([
      acting((_, context) => {
        signal = context.signal;
        return new Promise(() => undefined);
      }),
      {
        ...acting(() => {
          throw new Error("no luck");
        }),
        name: "unlucky",
      },
    ]);
    const steps = [give("a", to("call", "b")), { ...act(), ...to("c") }, call("unlucky", "act", {}, "b"), give("c")];
    expect((await service.run(steps)).status).toBe("failed");
    expect(signal?.aborted).toBe(true);
  });

  it("is called again after a crash with the same key; earlier steps are not", async () => {
    const data = new Map<string, string>();
    const calls: string[] = [];
    const hanging = acting(
      (args, { step_key, idempotencyKey }) => {
        calls.push(idempotencyKey);
        return step_key === "call" ? new Promise(() => undefined) : args;
      },
      { timeoutMs: HOUR },
    );
    const first = await open([hanging], { data, clock: quickClock() });
    const steps = [
      { ...call("host", "act", { n: 1 }, "before"), ...to("call") },
      act({ n: "{{ steps.before.output.n }}" }),
    ];
    const { id } = await first.start(steps);
    await first.until(id, () => calls.length === 2);

    // What the first process has stored is all that the second one knows.
    const ending = acting((args, { idempotencyKey }) => {
      calls.push(idempotencyKey);
      return args;
    });
    const copy = new Map(data);
    const second = await openService({ services: [ending], storage: { entities: memory(copy).driver } }, first.app);
    opened.push(second);
    expect(await second.wait(id)).toMatchObject({ status: "succeeded", output: { n: 1 } });
    expect(calls).toEqual([`${id}/before/1`, `${id}/call/1`, `${id}/call/1`]);
  });

  it("fails its run when the next process lacks the service", async () => {
    const data = new Map<string, string>();
    let calls = 0;
    const first = await open(
      [
        acting(
          () => {
            calls++;
            return new Promise(() => undefined);
          },
          { timeoutMs: HOUR },
        ),
      ],
      { data, clock: quickClock() },
    );
    const { id } = await first.start([act()]);
    await first.until(id, () => calls === 1);
    const second = await openService({ storage: { entities: memory(new Map(data)).driver } }, first.app);
    opened.push(second);
    const { status, error } = await second.wait(id);
    expect(status).toBe("failed");
    expect(error?.message).toContain('/steps/0/service/service: There is no service named "host"');
  });
});
