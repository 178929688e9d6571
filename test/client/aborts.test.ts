/** Calls that are aborted reject with the reason of the signal, in every phase, and leave nothing behind. */
import type { RequestListener } from "node:http";
import { getActiveResourcesInfo } from "node:process";
import { afterEach, describe, expect, it } from "vitest";
import { type Client, type ClientOptions, createClient } from "../../src/client/index.ts";
import { openFake } from "../support/client/mounted.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

const reason = new Error("enough");

/** Aborts when the server has got a request, and done this with it. */
async function aborted(act: RequestListener, call: Call) {
  const stop = new AbortController();
  let requests = 0;
  const { url, close } = await openFake((request, response) => {
    requests++;
    act(request, response);
    setImmediate(() => stop.abort(reason));
  });
  closing.push(close);
  const client = createClient({ url, key: "secret" });
  await expect(call(client, stop.signal, url)).rejects.toBe(reason);
  return { requests };
}

const PHASES: readonly (readonly [string, RequestListener])[] = [
  ["before the response", () => undefined],
  ["within the headers' time", (_, response) => response.flushHeaders()],
  ["within the body", (_, response) => response.writeHead(200, { "content-type": "application/json" }).write('{"id":')],
  ["within the body of an error", (_, response) => response.writeHead(503).write("<p>")],
  ["before a repeat", (_, response) => response.writeHead(503, { "retry-after": "50" }).end()],
];

type Call = (client: Client, signal: AbortSignal, url: string) => Promise<unknown>;

const CALLS: readonly (readonly [string, Call])[] = [
  ["with().runs.get", (client, signal) => client.with({ signal }).runs.get("me", "run_1")],
  ["with().runs.create", (client, signal) => client.with({ signal }).runs.create("me", "work_1")],
  ["runs.wait", ({ runs }, signal) => runs.wait("me", "run_1", { signal })],
  ["records.import", ({ records }, signal) => records.import("me", "col_1", "a:b\n1\n", { signal })],
  ["files.receive", ({ files }, signal, url) => files.receive(`${url}/upload`, { body: new Uint8Array(3), signal })],
  ["files.create", ({ files }, signal) => files.create("me", { url: "https://example.com/", signal })],
];

it.each(CALLS.flatMap(([name, call]) => PHASES.map(([phase, act]) => ({ name, phase, call, act }))))(
  "$name is aborted $phase",
  async ({ call, act }) => {
    expect(await aborted(act, call)).toEqual({ requests: 1 });
  },
);

it("a signal that has aborted sends nothing", async () => {
  let requests = 0;
  const fetch = async () => {
    requests++;
    return new Response("{}");
  };
  const client = createClient({ url: "http://127.0.0.1:9", fetch }).with({ signal: AbortSignal.abort(reason) });
  await expect(client.runs.get("me", "run_1")).rejects.toBe(reason);
  expect(requests).toBe(0);
});

describe("a function of the key that never settles", () => {
  const hanging = (options: Partial<ClientOptions> = {}) =>
    createClient({ url: "http://127.0.0.1:9", key: () => new Promise<never>(() => undefined), ...options });

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ["with().runs.get", ({ runs }) => runs.get("me", "run_1")],
    ["with().runs.create", ({ runs }) => runs.create("me", "work_1")],
    [
      "with().runs.events",
      async ({ runs }) => {
        for await (const _ of runs.events("me", "run_1"));
      },
    ],
  ])("is aborted by the signal: %s", async (_, call) => {
    const stop = new AbortController();
    const pending = call(hanging().with({ signal: stop.signal }));
    stop.abort(reason);
    await expect(pending).rejects.toBe(reason);
  });

  it("is given up after timeoutMs", async () => {
    await expect(hanging({ timeoutMs: 20, retries: 1 }).runs.get("me", "run_1")).rejects.toMatchObject({
      code: "unavailable",
      message: "GET http://127.0.0.1:9/apps/me/runs/run_1: no key within 20 ms.",
    });
  });
});

it("no timer is left behind", async () => {
  const timers = () => getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const fetch = async () => new Response(null, { status: 503, headers: { "retry-after": "50" } });
  const stop = new AbortController();
  const call = createClient({ url: "http://127.0.0.1:9", fetch }).with({ signal: stop.signal }).runs.get("me", "run_1");
  await expect.poll(timers).toBeGreaterThan(before);
  stop.abort(reason);
  await expect(call).rejects.toBe(reason);
  expect(timers()).toBe(before);
  const done = createClient({ url: "http://127.0.0.1:9", fetch: async () => new Response("{}") });
  await done.runs.get("me", "run_1");
  expect(timers()).toBe(before);
});

it("one client is not affected by the signal of another", async () => {
  const { url, close } = await openFake((request, response) => {
    if (request.url?.endsWith("/slow") !== true) response.end("{}");
  });
  closing.push(close);
  const client = createClient({ url });
  const stop = new AbortController();
  const slow = client.with({ signal: stop.signal }).runs.get("me", "slow");
  const fast = client.runs.get("me", "fast");
  stop.abort(reason);
  await expect(slow).rejects.toBe(reason);
  expect(await fast).toEqual({});
});
