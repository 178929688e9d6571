/** Which requests the client repeats, when, and how often. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Client, type ClientOptions, createClient, StepwellError } from "../../src/client/index.ts";
import { openFake } from "../support/client/mounted.ts";
import { until } from "../support/until.ts";

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

const closing: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

/** A server with these responses in this order. The last one is repeated. */
async function serve(...responses: readonly Respond[]) {
  const requests: IncomingMessage[] = [];
  const { url, close } = await openFake((request, response) => {
    request.resume().on("end", () => {
      requests.push(request);
      responses[Math.min(requests.length, responses.length) - 1]?.(response, request);
    });
  });
  closing.push(close);
  const client = (options: Partial<ClientOptions> = {}) => createClient({ url, key: "secret", ...options });
  return { client, requests };
}

const json =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const none: Respond = (response) => response.writeHead(204).end();
const problem = (status: number, code: string, headers = {}) => json(status, { code, detail: "No." }, headers);
const broken: Respond = (_, request) => request.socket.destroy();
/** Repeats come at once. */
const NOW = { "retry-after": "0" };

const errorOf = async (call: Promise<unknown>): Promise<StepwellError> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof StepwellError) return error;
  throw new Error("Rejects with no StepwellError", { cause: error });
};

describe("a GET", () => {
  it.each<[string, Respond]>([
    ["503", problem(503, "unavailable", NOW)],
    ["502 of a proxy", (response) => response.writeHead(502, NOW).end("<h1>Bad gateway</h1>")],
    ["429", problem(429, "too_many_requests", NOW)],
    ["a lost connection", broken],
    [
      "half a response",
      (response, { socket }) => response.writeHead(200, { "content-length": "100" }).write("{", () => socket.destroy()),
    ],
  ])("is repeated after %s", async (_, failure) => {
    const { client, requests } = await serve(failure, json(200, { id: "run_1" }));
    expect(await client().runs.get("me", "run_1")).toEqual({ id: "run_1" });
    expect(requests).toHaveLength(2);
  });

  it("is repeated as often as the option says", async () => {
    const { client, requests } = await serve(problem(503, "unavailable", NOW));
    expect((await errorOf(client({ retries: 2 }).runs.get("me", "run_1"))).code).toBe("unavailable");
    expect(requests).toHaveLength(3);
  });

  it("is not repeated if the server asks for more than a minute", async () => {
    const { client, requests } = await serve(problem(429, "too_many_requests", { "retry-after": "3600" }));
    const error = await errorOf(client().runs.get("me", "run_1"));
    expect([error.code, error.headers["retry-after"], requests.length]).toEqual(["too_many_requests", "3600", 1]);
  });

  it("understands Retry-After as a date", async () => {
    const date = "Tue, 01 Jan 2999 00:00:00 GMT";
    const { client, requests } = await serve(problem(503, "unavailable", { "retry-after": date }));
    expect((await errorOf(client().runs.get("me", "run_1"))).status).toBe(503);
    expect(requests).toHaveLength(1);
  });

  it.each([400, 401, 403, 404, 409, 412, 422, 500, 501])("is not repeated after %i", async (status) => {
    const { client, requests } = await serve(json(status, { detail: "No." }));
    expect((await errorOf(client().runs.get("me", "run_1"))).status).toBe(status);
    expect(requests).toHaveLength(1);
  });

  it("is not repeated after a response that is not Stepwell's", async () => {
    const { client, requests } = await serve((response) => response.end("<p>Welcome to this network"));
    expect((await errorOf(client().runs.get("me", "run_1"))).code).toBe("unavailable");
    expect(requests).toHaveLength(1);
  });
});

describe("the delays", () => {
  /** Milliseconds from each attempt to the next one. */
  async function delaysOf(respond: () => Response): Promise<number[]> {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const times: number[] = [];
      const fetch = async () => {
        times.push(performance.now());
        return respond();
      };
      const call = createClient({ url: "http://127.0.0.1:9", fetch, retries: 7 }).runs.get("me", "run_1");
      call.catch(() => undefined);
      await vi.advanceTimersByTimeAsync(100_000);
      await expect(call).rejects.toMatchObject({ code: "unavailable" });
      return times.slice(1).map((time, index) => time - (times[index] ?? 0));
    } finally {
      vi.useRealTimers();
    }
  }

  const lost = () => {
    throw new TypeError("fetch failed");
  };
  it.each<[string, () => Response]>([
    ["502 without Retry-After", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
    ["503 without Retry-After", () => new Response(null, { status: 503 })],
    ["a lost connection", lost],
  ])("grow from a quarter of a second to 10 seconds after %s", async (_, respond) => {
    const delays = await delaysOf(respond);
    expect(delays).toHaveLength(7);
    for (const [index, delay] of delays.entries()) {
      const longest = Math.min(10_000, 250 * 2 ** index);
      expect(delay).toBeGreaterThanOrEqual(longest / 2 - 1);
      expect(delay).toBeLessThanOrEqual(longest + 1);
    }
  });

  it("are at least what Retry-After says", async () => {
    const delays = await delaysOf(() => new Response(null, { status: 503, headers: { "retry-after": "3" } }));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(2_999);
  });
});

describe("a POST that creates", () => {
  it.each<[string, Respond]>([
    ["503", problem(503, "unavailable", NOW)],
    ["a lost connection", broken],
  ])("is repeated with the same idempotency key after %s", async (_, failure) => {
    const { client, requests } = await serve(failure, json(201, { id: "run_1" }));
    await client().runs.create("me", "work_1", { input: {} });
    const keys = requests.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[\d-]{8,255}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it("has another key for each call, or the caller's", async () => {
    const { client, requests } = await serve(json(201, { id: "run_1" }));
    await client().runs.create("me", "work_1");
    await client().runs.create("me", "work_1");
    await client().with({ idempotencyKey: "order-7" }).runs.create("me", "work_1");
    const keys = requests.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe("order-7");
  });
});

describe.each<[string, (client: Client) => Promise<unknown>]>([
  ["a POST without idempotency keys", ({ runs }) => runs.cancel("me", "run_1")],
  ["a PATCH", ({ tags }) => tags.update("me", "tag_1", { name: "Urgent" })],
])("%s", (_, call) => {
  it.each<[string, Respond]>([
    ["503", problem(503, "unavailable", NOW)],
    ["a lost connection", broken],
  ])("is not repeated after %s", async (_, failure) => {
    const { client, requests } = await serve(failure, json(200));
    expect((await errorOf(call(client()))).code).toBe("unavailable");
    expect(requests).toHaveLength(1);
  });

  it("is repeated after 429, which has no effect", async () => {
    const { client, requests } = await serve(problem(429, "too_many_requests", NOW), json(200, { id: "1" }));
    expect(await call(client())).toEqual({ id: "1" });
    expect(requests).toHaveLength(2);
  });
});

describe("a DELETE", () => {
  it("succeeds if its repeat finds nothing", async () => {
    const { client, requests } = await serve(broken, problem(404, "not_found"));
    expect(await client().tags.remove("me", "tag_1")).toBeUndefined();
    expect(requests).toHaveLength(2);
  });

  it("rejects if there was nothing before", async () => {
    const { client } = await serve(problem(429, "too_many_requests", NOW), problem(404, "not_found"));
    expect((await errorOf(client().tags.remove("me", "tag_1"))).code).toBe("not_found");
  });

  it("is repeated after 503", async () => {
    const { client } = await serve(problem(503, "unavailable", NOW), none);
    expect(await client().tags.remove("me", "tag_1")).toBeUndefined();
  });
});

describe("a server that does not respond", () => {
  it("is given up after timeoutMs", async () => {
    const { client } = await serve(() => undefined);
    const error = await errorOf(client({ timeoutMs: 20, retries: 0 }).runs.get("me", "run_1"));
    expect([error.code, error.message]).toEqual([
      "unavailable",
      expect.stringContaining("no complete response within 20 ms"),
    ]);
  });

  it("is given up in the middle of a response", async () => {
    const { client } = await serve((response) => void response.writeHead(200).write('{"id":'));
    const error = await errorOf(client({ timeoutMs: 20, retries: 0 }).runs.get("me", "run_1"));
    expect(error.code).toBe("unavailable");
  });

  it("gets the time of Prefer: wait in addition", async () => {
    let respond: (() => void) | undefined;
    const { client } = await serve((response, request) => {
      if (request.url?.endsWith("run_1") === true) respond = () => json(200, { id: "run_1" })(response, request);
    });
    const hasty = client({ timeoutMs: 1, retries: 0 });
    const patient = hasty.with({ headers: { prefer: "wait=9999" } }).runs.get("me", "run_1");
    await errorOf(hasty.runs.get("me", "run_2")); // more than a millisecond has passed
    await until(() => respond !== undefined);
    respond?.();
    expect(await patient).toEqual({ id: "run_1" });
  });
});

it("a server that cannot be reached is unavailable, with the cause", async () => {
  const { url, close } = await openFake(() => undefined);
  await close();
  const error = await errorOf(createClient({ url, retries: 1 }).runs.get("me", "run_1"));
  expect(error.code).toBe("unavailable");
  expect(error.cause).toBeInstanceOf(Error);
  expect(error.message).toContain(`GET ${url}/apps/me/runs/run_1: `);
});
