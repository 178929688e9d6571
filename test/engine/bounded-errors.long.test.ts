/** Errors, logs and inputs of steps can be of any size and kind: a run stores a short, plain error. */
import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { createQuickjsSandbox } from "../../adapters/sandbox/quickjs.ts";
import { defineService, type JsonObject, RetryableError, type Run, type Step, StepwellError } from "../../src/index.ts";
import { createTestService } from "../../src/testing/index.ts";

const LARGE = 10 * 1024 * 1024;
const MAX_MESSAGE_LENGTH = 4_000;
/** The body of a response that failed a step, with its quotation marks and ellipsis. */
const MAX_BODY_LENGTH = 64 * 1024 + 3;
const MAX_RUN_LENGTH = 16 * 1024;
const PASSWORD = "correct horse battery staple";

const cyclic = () => {
  const error: Error & { cause?: unknown } = new Error("cyclic");
  error.cause = error;
  return error;
};
const chained = (length: number) =>
  Array.from({ length }).reduce<Error>((cause) => new Error("x".repeat(1_000), { cause }), new Error("first"));
const withMessage = (message: unknown) => Object.defineProperty(new Error(), "message", { value: message });
const hostile = () => {
  throw new Error("Nobody looks at this.");
};

/** What an action throws, and the message of the run. */
const THROWN: Readonly<Record<string, readonly [thrown: () => unknown, message: RegExp]>> = {
  "an error of 10 MiB": [() => new Error("x".repeat(LARGE)), /^x+…$/],
  "an error of 10 MiB with a credential": [() => new Error(`${PASSWORD} ${"x".repeat(LARGE)}`), /^\S+.* x+…$/],
  "a TypeError of 10 MiB": [() => new TypeError("é".repeat(LARGE)), /^é+…$/],
  "a retryable error of 10 MiB": [() => new RetryableError("x".repeat(LARGE), { retryAfterMs: 0 }), /^x+…$/],
  "a StepwellError of 10 MiB": [() => new StepwellError("invalid", "x".repeat(LARGE)), /^x+…$/],
  "a string of 10 MiB": [() => "x".repeat(LARGE), /^Thrown: x+…$/],
  "a string": [() => "no", /^Thrown: no$/],
  nothing: [() => undefined, /^Thrown: undefined$/],
  null: [() => null, /^Thrown: null$/],
  "a number": [() => Number.NaN, /^Thrown: NaN$/],
  "a bigint": [() => 10n ** 100_000n, /^Thrown: 10+…$/],
  "a symbol": [() => Symbol("x"), /^Thrown: Symbol\(x\)$/],
  "a function": [() => hostile, /^Thrown: .*Nobody looks/s],
  "an object": [() => ({ message: "x" }), /^Thrown: \[object Object\]$/],
  "an object without a prototype": [() => Object.create(null), /^Thrown: a value without a string form$/],
  "an array of a million items": [() => new Array(1_000_000).fill("x"), /^Thrown: x,x.*…$/],
  "an object whose toString throws": [() => ({ toString: hostile }), /^Thrown: a value without a string form$/],
  "an error whose message throws": [
    () => Object.defineProperty(new Error(), "message", { get: hostile }),
    /^Thrown: a value without a string form$/,
  ],
  "an error whose message is an object": [() => withMessage({ a: 1 }), /^\[object Object\]$/],
  "an error whose message is a number": [() => withMessage(7), /^7$/],
  "an error whose message is a symbol": [() => withMessage(Symbol("x")), /^Symbol\(x\)$/],
  "an error whose message is an array of a million items": [
    () => withMessage(new Array(1_000_000).fill("x")),
    /^x,x.*…$/,
  ],
  "an error whose message has a toString that throws": [
    () => withMessage({ toString: hostile }),
    /^Thrown: a value without a string form$/,
  ],
  "an error without a message": [() => new RangeError(), /^RangeError$/],
  "an error that is its own cause": [cyclic, /^cyclic$/],
  "an error with 10,000 causes": [() => chained(10_000), /^x{1000}$/],
  "a proxy whose every trap throws": [
    () => new Proxy({}, { get: hostile, getPrototypeOf: hostile, has: hostile, ownKeys: hostile }),
    /^Thrown: a value without a string form$/,
  ],
  "a retryable error with an invalid retryAfterMs": [
    () => Object.assign(new RetryableError("no"), { retryAfterMs: Number.NaN, tries: "many" }),
    /^no$/,
  ],
};

const action = (run: (args: { readonly what: string }) => unknown) => ({
  input: v.object({ what: v.string() }),
  output: v.unknown(),
  maxAttempts: 1,
  run,
});
const thrown = (what: string) => THROWN[what]?.[0]();
const throwing = {
  synchronously: action(({ what }) => {
    throw thrown(what);
  }),
  asynchronously: action(({ what }) => Promise.reject(thrown(what))),
};
const logging = defineService({
  name: "logging",
  actions: {
    lines: {
      input: v.object({ count: v.number(), length: v.number() }),
      output: v.null(),
      run({ count, length }, { log }) {
        for (let line = 0; line < count; line++) log("x".repeat(length));
        return null;
      },
    },
    give: { input: v.object({ length: v.number() }), output: v.unknown(), run: ({ length }) => "x".repeat(length) },
    list: {
      input: v.object({ item: v.unknown(), length: v.number() }),
      output: v.unknown(),
      run: ({ item, length }) => Array.from({ length }, () => item),
    },
    refuse: {
      input: v.object({}),
      output: v.custom(() => false, "x".repeat(LARGE)),
      run: () => "y".repeat(LARGE),
    },
    take: { input: v.object({ all: v.unknown() }), output: v.null(), run: () => null },
  },
});

const t = await createTestService({
  secret: "a".repeat(40),
  services: [
    defineService({ name: "plain", actions: throwing }),
    defineService({ name: "connected", connection: v.object({ password: v.string() }), actions: throwing }),
    logging,
  ],
  sandbox: createQuickjsSandbox({ threads: 1 }),
  http: { "GET https://example.com/": { status: 400, text: "x".repeat(LARGE / 2) } },
});
const { stepwell, app } = t;
afterAll(() => t.close());
const connection = await stepwell.connections.create(app, {
  name: "C",
  service: "connected",
  credentials: { password: PASSWORD },
});

async function run(...steps: object[]): Promise<Run> {
  const { id } = await stepwell.workflows.create(app, { name: "W" });
  await Reflect.apply(stepwell.workflows.putDraft, null, [app, id, { steps }]);
  await stepwell.workflows.deploy(app, id);
  return stepwell.runs.wait(app, (await stepwell.runs.create(app, id)).id);
}

function call(service: string, action: string, input: JsonObject, more: object = {}): Step {
  return { type: "service", key: action, service: { service, action, input, ...more } };
}

/** Returns the message of a failed run, which must be small as a whole. */
function messageOf(failed: Run): string {
  expect(failed.status).toBe("failed");
  expect(JSON.stringify(failed).length).toBeLessThan(MAX_RUN_LENGTH);
  const { message = "" } = failed.error ?? {};
  expect(message.length).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH);
  return message;
}

describe.each(Object.entries(THROWN))("an action that throws %s", (what, [, message]) => {
  it.each(["synchronously", "asynchronously"])("fails its step with a short message: %s", async (action) => {
    expect(messageOf(await run(call("plain", action, { what })))).toMatch(message);
    const connected = messageOf(await run(call("connected", action, { what }, { connection_id: connection.id })));
    expect(connected).toMatch(message);
    expect(connected).not.toContain(PASSWORD);
  });
});

describe("the error of a run", () => {
  it("is short when an expression quotes a large value", async () => {
    const large = call("logging", "give", { length: LARGE - 10 });
    for (const text of ["int(steps.give.output) == 1", "date(steps.give.output) == date(run.id)"]) {
      const failed = await run(large, { type: "note", key: "note", note: "", conditional: text });
      expect(failed.error?.code).toBe("expression_failed");
      expect(failed.error?.message.length).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH);
    }
  });

  it("is short when code throws a large string", async () => {
    messageOf(await run({ type: "code", key: "c", code: 'throw new Error("x".repeat(5_000_000))' }));
  });

  it("is short when an HTTP response of 400 has a large body", async () => {
    const at = (url: string) => run({ type: "http_request", key: "h", url });
    const { error, steps } = await at("https://example.com/");
    expect(error?.message).toMatch(/responded with 400: x{200}…$/);
    expect(JSON.stringify(steps[0]?.error?.body).length).toBeLessThanOrEqual(MAX_BODY_LENGTH);
  });

  it("is short when an output schema rejects with a large message", async () => {
    expect(messageOf(await run(call("logging", "refuse", {})))).toMatch(
      /^The output of logging.refuse does not match its schema/,
    );
  });
});

describe("the log of a step", () => {
  it.each([
    { count: 1, length: LARGE },
    { count: 100_000, length: 10 },
    { count: 3_000, length: 0 },
  ])("is truncated to its first lines: $count lines of $length characters", async (input) => {
    const { steps } = await run(call("logging", "lines", input));
    const logs = steps[0]?.logs ?? [];
    expect(logs.at(-1)).toBe("(truncated)");
    expect(logs.length).toBeLessThanOrEqual(2_001);
    expect(JSON.stringify(logs).length).toBeLessThan(160 * 1024);
  });

  it("is complete when it is short", async () => {
    const { steps } = await run(call("logging", "lines", { count: 3, length: 1 }));
    expect(steps[0]?.logs).toEqual(["x", "x", "x"]);
  });

  it("is limited for all iterations of a loop together", async () => {
    const step = { ...call("logging", "lines", { count: 500, length: 10 }), loop: "iteration >= 10" };
    const { steps } = await run(step);
    expect(steps[0]?.logs).toHaveLength(2_001);
  });
});

describe("the input of a step", () => {
  const large = call("logging", "give", { length: LARGE - 10 });
  const often = (text: string, count: number) => Array.from({ length: count }, () => text);

  it.each<[string, object]>([
    ["in an array", call("logging", "take", { all: often("{{ steps.give.output }}", 10_000) })],
    ["in a string", call("logging", "take", { all: often("{{ steps.give.output }} ", 10_000).join("") })],
    ["in an expression", call("logging", "take", { all: `{{ [${often("steps.give.output", 500).join(",")}] }}` })],
    [
      "in a request body",
      {
        type: "http_request",
        key: "h",
        url: "https://example.com/",
        method: "POST",
        body: `{{ [${often("steps.give.output", 500).join(",")}] }}`,
      },
    ],
  ])("fails the step when it repeats a large output too often: %s", async (_, step) => {
    const failed = await run(large, step);
    expect(failed.error?.code).toMatch(/^(input_limit|expression_failed)$/);
  });

  it.each([
    ["numbers", 0.123456789012345],
    ["short values", 0],
    ["empty objects", {}],
  ])("counts its %s, not only its texts", async (_, item) => {
    const list = call("logging", "list", { item, length: 450_000 });
    const failed = await run(list, call("logging", "take", { all: often("{{ steps.list.output }}", 40) }));
    expect(failed.error).toMatchObject({
      code: "input_limit",
      message: "The input of the step exceeds 67,108,864 characters.",
    });
    expect(await run(list, call("logging", "take", { all: "{{ steps.list.output }}" }))).toMatchObject({
      status: "succeeded",
    });
  });

  it("may be as large as three outputs", async () => {
    const all = often("{{ steps.give.output }}", 3);
    expect(await run(large, call("logging", "take", { all }))).toMatchObject({ status: "succeeded" });
  });
});
