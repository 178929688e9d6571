/** `http_request` steps against a real server: requests, responses and retries. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject, Run, Step, StepOf } from "../../src/index.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { input, openService, type Service, step } from "../support/engine/service.ts";
import { openServer, type Received, type Reply, type Server } from "../support/servers/http-server.ts";

let server: Server;
let service: Service;
let reply: (received: Received, nth: number) => Reply | Promise<Reply>;
const clock = quickClock(20);
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  server = await openServer((received) => reply(received, server.received.length));
  service = await openService({ net: server.net, clock });
});
afterAll(async () => {
  await service.stepwell.close();
  await server.close();
});
beforeEach(() => {
  server.received.length = 0;
  clock.waits.length = 0;
  reply = () => ({});
});

type Request = Partial<Omit<StepOf<"http_request">, "type">>;

function run(request: Request, given: JsonObject = {}): Promise<Run> {
  const { url = "/", ...more } = request;
  const call: Step = { key: "call", ...more, type: "http_request", url: url.startsWith("/") ? server.url + url : url };
  return service.run([input("in"), call], given);
}

const sent = (): Received => {
  const [one] = server.received;
  if (one === undefined) throw new Error("nothing was received");
  return one;
};

describe("an http_request", () => {
  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"] as const)(
    "sends a %s request and returns status, headers and body",
    async (method) => {
      reply = () => ({ status: 201, headers: { "content-type": "text/plain", "x-one": "1" }, body: "made" });
      const { output } = await run({ method });
      expect(sent().method).toBe(method);
      expect(output).toMatchObject({ status: 201, headers: { "x-one": "1" }, body: "made" });
    },
  );

  it("returns all values of a header: cookies in lines, others with commas", async () => {
    const cookies = ["a=1; Expires=Wed, 21 Oct 2027 07:28:00 GMT", "b=2; Path=/"];
    reply = () => ({ headers: { "set-cookie": cookies, vary: ["Accept", "Origin"] } });
    const { output } = await run({});
    expect(output).toMatchObject({ headers: { "set-cookie": cookies.join("\n"), vary: "Accept, Origin" } });
    reply = () => ({ headers: { "set-cookie": cookies[1] ?? "" } });
    expect((await run({})).output).toMatchObject({ headers: { "set-cookie": cookies[1] } });
  });

  it("is a GET without a body by default", async () => {
    await run({});
    expect(sent()).toMatchObject({ method: "GET", body: "" });
    expect((await run({ body: "{{ input.b }}" }, { b: "x" })).error).toMatchObject({ code: "invalid", step: "call" });
  });

  it("fills in templates in URL, headers and body", async () => {
    await run(
      {
        url: "/items/{{ input.id }}?q={{ input.tags }}",
        method: "POST",
        headers: { "X-Id": "n{{ input.id }}", "content-type": "application/json" },
        body: '{"all": {{ input }}, "text": {{ json(input.text) }}}',
      },
      { id: 7, tags: ["a"], text: 'say "{{ 1 }}"' },
    );
    const { path, headers, body } = sent();
    expect(path).toBe("/items/7?q=[%22a%22]");
    expect(headers).toMatchObject({ "x-id": "n7", "content-type": "application/json" });
    expect(JSON.parse(body)).toEqual({ all: { id: 7, tags: ["a"], text: 'say "{{ 1 }}"' }, text: 'say "{{ 1 }}"' });
  });

  it("drops a response header that the output of a step cannot contain", async () => {
    reply = () => ({ headers: { ["__proto__"]: "x", "x-one": "1" } });
    const { error, output } = await run({});
    expect(error).toBeNull();
    expect(output).toMatchObject({ headers: { "x-one": "1" } });
    expect(Object.keys(Object(output).headers)).not.toContain("__proto__");
  });

  it("sends a body that is one expression as JSON", async () => {
    await run({ method: "POST", body: "{{ input.data }}" }, { data: { a: [1, null] } });
    expect(JSON.parse(sent().body)).toEqual({ a: [1, null] });
  });

  it("accepts headers as text with one header per line", async () => {
    await run({ headers: "X-One: 1\r\nX-Two: a: {{ input.b }}\n\n" }, { b: "c" });
    expect(sent().headers).toMatchObject({ "x-one": "1", "x-two": "a: c" });
    const failed = await run({ headers: "{{ input.h }}" }, { h: "no header" });
    expect(failed.error).toMatchObject({ code: "invalid", step: "call" });
  });

  it("accepts headers as an object from an expression", async () => {
    await run({ headers: "{{ input.all }}" }, { all: { "X-One": "1", "x-two": 2 } });
    expect(sent().headers).toMatchObject({ "x-one": "1", "x-two": "2" });
  });

  it.each([
    [
      '{ "steps.h.output" }',
      /^The headers ".*" start with "\{" but are not a JSON object\. Write one "name: value" line/,
    ],
    ['{"x": ["y"]}', /^The header "x" must be a string, not /],
    ["no header", /^"no header" is not a header\./],
    ["odd name: 1", /^"odd name" is not a valid header name\./],
  ])("fails for the headers %s and says what would be right", async (headers, message) => {
    const failed = await run({ headers: "{{ input.headers }}" }, { headers });
    expect(failed.error).toMatchObject({ code: "invalid", message: expect.stringMatching(message) });
  });

  it("fails when a value in a header contains a line break", async () => {
    const result = await run({ headers: { "x-one": "{{ input.v }}" } }, { v: "1\r\nx-evil: 2" });
    expect(result.error).toMatchObject({ code: "invalid", step: "call" });
    expect(server.received).toEqual([]);
  });

  it.each([
    ["a line", "X-One: {{ input.v }}\nX-Two: 2", "Ann\nauthorization: Bearer x", "line break"],
    ["a line with a carriage return", "X-One: {{ input.v }}", "Ann\rauthorization: Bearer x", "line break"],
    ["a header name", "X-{{ input.v }}: 1", "One: 1\nauthorization", "line break"],
    ["the whole text", "{{ input.v }}", "x-one: 1\nauthorization: Bearer x", "line break"],
    ["a JSON string", '{ "x-one": "{{ input["v"] }}" }', 'a", "authorization": "Bearer x', "quote"],
  ])("fails when a value would add a header: in %s", async (_, headers, v, message) => {
    const result = await run({ headers }, { v });
    expect(result.error).toMatchObject({ code: "invalid", step: "call", message: expect.stringContaining(message) });
    expect(server.received).toEqual([]);
  });

  it("escapes values in JSON headers", async () => {
    await run({ headers: '{ "X-One": "{{ input.v }}" }' }, { v: 'a", "x-two": "b' });
    expect(sent().headers).toMatchObject({ "x-one": 'a", "x-two": "b' });
  });

  it("accepts JSON headers that contain json() expressions", async () => {
    await run({ headers: '{ "X-One": {{ json(input.v) }}, "x-three": "{{ input["w"] }}" }' }, { v: 'a "b"', w: "c" });
    expect(sent().headers).toMatchObject({ "x-one": 'a "b"', "x-three": "c" });
  });

  it.each([
    ["application/json", '{"a":[1]}', { a: [1] }],
    ["application/vnd.api+json; charset=utf-8", "[1]", [1]],
    ["application/json", "", ""],
    ["application/json", "{not json", "{not json"],
    ["application/json", '{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
    ["text/plain", '{"a":1}', '{"a":1}'],
    ["application/jsonx; charset=utf-8", "1", "1"],
  ])("parses a response body only if it is declared and valid JSON: %s %s", async (type, body, read) => {
    reply = () => ({ headers: { "content-type": type }, body });
    expect((await run({})).output).toMatchObject({ body: read });
  });

  it("fails for a status other than 2xx, with an excerpt of the body and without the query", async () => {
    reply = () => ({ status: 404, body: `nothing here ${"x".repeat(1_000)}` });
    const { status, error } = await run({ url: "/gone?token=secret" });
    expect(status).toBe("failed");
    expect(error).toMatchObject({ code: "http_status", step: "call" });
    expect(error?.message).toMatch(/127\.0\.0\.1:\d+\/gone responded with 404: nothing here x+…$/);
    expect(error?.message).not.toContain("secret");
    expect(server.received).toHaveLength(1);
  });

  it("fails for a private address that is not allowed", async () => {
    const { error } = await run({ url: "http://127.0.0.1:1/" });
    expect(error).toMatchObject({ code: "address_refused", step: "call" });
  });
});

describe("an http_request that fails", () => {
  it.each([408, 425, 429, 500, 502, 503, 504])(
    "makes three attempts with one idempotency key for %i",
    async (status) => {
      reply = () => ({ status });
      const result = await run({ key: "call" });
      expect(step(result, "call")).toMatchObject({ status: "failed", attempts: 3, error: { code: "http_status" } });
      expect(server.received).toHaveLength(3);
      expect(new Set(server.received.map(({ key }) => key))).toEqual(new Set([`${result.id}/call/1`]));
    },
  );

  it.each([400, 401, 403, 409, 410, 422])("is not retried for %i", async (status) => {
    reply = () => ({ status });
    expect(step(await run({}), "call")).toMatchObject({ attempts: 1 });
  });

  it("is retried when the connection fails", async () => {
    const port = new URL(server.url).port;
    const lost = await openServer(() => ({}));
    await lost.close();
    const gone = await openService({ net: lost.net, clock });
    const result = await gone.run([{ type: "http_request", key: "call", url: lost.url }]);
    expect(port).not.toBe(new URL(lost.url).port);
    expect(step(result, "call")).toMatchObject({ attempts: 3, error: { code: "fetch_failed" } });
    await gone.stepwell.close();
  });

  it("succeeds when a later attempt does", async () => {
    reply = (_, nth) => (nth < 3 ? { status: 503 } : { body: "at last" });
    const result = await run({});
    expect(step(result, "call")).toMatchObject({ status: "succeeded", attempts: 3, error: null });
    expect(result.output).toMatchObject({ body: "at last" });
  });

  it("backs off exponentially with jitter", async () => {
    reply = () => ({ status: 503 });
    await run({});
    const [first, second] = clock.waits.filter((wait) => wait !== 60_000);
    expect(first).toBeGreaterThanOrEqual(250);
    expect(first).toBeLessThanOrEqual(500);
    expect(second).toBeGreaterThanOrEqual(500);
    expect(second).toBeLessThanOrEqual(1_000);
  });

  it.each([
    ["7", 7_000, 7_000],
    ["0", 250, 500],
    ["soon", 250, 500],
    [new Date(systemClock.now() + 12 * HOUR_MS).toUTCString(), 11 * HOUR_MS, 12 * HOUR_MS],
    ["Fri, 01 Jan 2010 00:00:00 GMT", 250, 500],
  ])("waits according to Retry-After: %s", async (header, least, most) => {
    reply = (_, nth) => (nth === 1 ? { status: 503, headers: { "retry-after": header } } : {});
    const run = service.start([{ type: "http_request", key: "call", url: server.url }]);
    const { id } = await run;
    await expect.poll(() => clock.waits.filter((wait) => wait !== 60_000).length).toBeGreaterThan(0);
    const [wait] = clock.waits.filter((wait) => wait !== 60_000);
    // A wait that is stored is shorter by the time that storing it took.
    expect(wait).toBeGreaterThan(least < 1_000 ? least - 1 : least - 1_000);
    expect(wait).toBeLessThanOrEqual(most);
    await service.stepwell.runs.cancel(service.app, id);
  });

  it("waits at most a day for Retry-After and can be canceled meanwhile", async () => {
    reply = () => ({ status: 429, headers: { "retry-after": String(400 * 86_400) } });
    const { id } = await service.start([{ type: "http_request", key: "call", url: server.url }]);
    await expect.poll(() => clock.count(86_400_000)).toBeGreaterThan(0);
    expect(await service.stepwell.runs.cancel(service.app, id)).toMatchObject({ status: "canceled" });
  });

  it("is retried after a timeout", async () => {
    reply = () => {
      clock.fire(60_000);
      return new Promise(() => undefined);
    };
    const result = await run({});
    expect(step(result, "call")).toMatchObject({ status: "failed", attempts: 3, error: { code: "timeout" } });
    expect(server.received).toHaveLength(3);
  });
});

describe("the Idempotency-Key of an http_request", () => {
  it("differs for each iteration, unless the step sets one", async () => {
    const result = await run({ loop: "iteration == 3" });
    expect(server.received.map(({ key }) => key)).toEqual([1, 2, 3].map((nth) => `${result.id}/call/${nth}`));
    server.received.length = 0;
    await run({ headers: { "Idempotency-Key": "mine" } });
    expect(sent().key).toBe("mine");
  });

  it("is valid for any step key", async () => {
    for (const key of ["ein Schritt", "шаг 你好 🙂", "a\r\nb: c", 'with "quotes"/and slash']) {
      expect(await run({ key }), key).toMatchObject({ status: "succeeded" });
    }
    const keys = server.received.map(({ key }) => key);
    expect(new Set(keys).size).toBe(4);
  });
});
