/** Following a run: the format of the stream, lost connections, and the end of the iteration. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type ClientOptions, createClient } from "../../src/client/index.ts";
import type { RunEvent, Step } from "../../src/index.ts";
import { type Mounted, openFake, openMounted } from "../support/client/mounted.ts";
import { streamEndingAfter } from "../support/client/slow-stream.ts";
import { until } from "../support/until.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** A server whose streams are these, in this order. The last one is repeated. */
async function serve(...streams: readonly (string | readonly string[] | Respond)[]) {
  const requests: IncomingMessage[] = [];
  const { url, close } = await openFake(async (request, response) => {
    requests.push(request);
    const stream = streams[Math.min(requests.length, streams.length) - 1] ?? "";
    if (typeof stream === "function") return stream(response, request);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of typeof stream === "string" ? [stream] : stream) {
      await new Promise((resolve) => response.write(piece, resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  closing.push(close);
  const follow = (options: Partial<ClientOptions> = {}, after = 0) =>
    createClient({ url, key: "secret", ...options }).runs.events("me", "run_1", { after });
  return { url, requests, follow };
}

async function all(events: AsyncIterable<RunEvent>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const event = (id: number, type: string) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, type })}\n\n`;
const ENDED = event(9, "run.succeeded");
const ended = { id: 9, type: "run.succeeded" };
const none: Respond = (response) => response.writeHead(204).end();

describe("the format", () => {
  const data = '{"type":"a","text":"ü"}';
  it.each<[string, string | string[]]>([
    ["line feeds", `data: ${data}\n\n${ENDED}`],
    ["carriage returns", `data: ${data}\r\r${ENDED}`],
    ["both", `data: ${data}\r\n\r\n${ENDED}`],
    ["both, in two pieces", [`data: ${data}\r`, `\n\r`, `\n${ENDED}`]],
    ["a byte order mark", `\uFEFFdata: ${data}\n\n${ENDED}`],
    ["comments and unknown fields", `: hello\nretry: 10\nfoo: bar\ndata: ${data}\n: more\n\n\n${ENDED}`],
    ["no space after the colon", `data:${data}\n\n${ENDED}`],
    ["several lines of data", `data: {"type":"a",\ndata: "text":"ü"}\n\n${ENDED}`],
    ["single characters", [...`data: ${data}\n\n`, ENDED]],
    ["an event without data before it", `event: x\nid: 3\n\ndata: ${data}\n\n${ENDED}`],
  ])("with %s", async (_, stream) => {
    const { follow } = await serve(stream);
    expect(await all(follow())).toEqual([{ type: "a", text: "ü" }, ended]);
  });

  it("drops an event that is cut off, and requests it again", async () => {
    const { follow, requests } = await serve(`${event(1, "a")}${event(2, "b").slice(0, -1)}`, event(2, "b") + ENDED);
    expect(await all(follow())).toEqual([{ id: 1, type: "a" }, { id: 2, type: "b" }, ended]);
    expect(requests.map(({ headers }) => headers["last-event-id"])).toEqual(["0", "1"]);
  });

  it("ignores an id with a null character, and keeps the last one for events without an id", async () => {
    const { follow, requests } = await serve(
      `${event(1, "a")}data: {"type":"b"}\n\nid: 7\0\ndata: {"type":"c"}\n\n`,
      none,
    );
    await all(follow());
    expect(requests.at(-1)?.headers["last-event-id"]).toBe("1");
  });
});

describe("a hostile stream", () => {
  it("with an event above maxResponseBytes rejects with too_large", async () => {
    const endless: Respond = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const send = () => {
        while (!response.destroyed && response.write("data: x"));
      };
      response.on("drain", send);
      send();
    };
    const { follow } = await serve(endless);
    await expect(all(follow({ maxResponseBytes: 100_000 }))).rejects.toMatchObject({ code: "too_large" });
  });

  it("with many lines of one event rejects with too_large", async () => {
    const { follow } = await serve(Array(200).fill(`data: ${"x".repeat(1_000)}\n`));
    await expect(all(follow({ maxResponseBytes: 100_000 }))).rejects.toMatchObject({ code: "too_large" });
  });

  it.each<[string, Respond]>([
    ["of another type", (response) => response.writeHead(200, { "content-type": "text/html" }).end(ENDED)],
    ...["x", "null", "[]", "7", '{"type":1}'].map((data): [string, Respond] => [
      `with the data ${data}`,
      (response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${data}\n\n`),
    ]),
  ])("%s rejects with unavailable, once", async (_, respond) => {
    const { follow, requests } = await serve(respond);
    await expect(all(follow())).rejects.toMatchObject({ code: "unavailable" });
    expect(requests).toHaveLength(1);
  });
});

describe("a lost connection", () => {
  const broken: Respond = (_, request) => request.socket.destroy();

  it("is resumed after the last event", async () => {
    const cut: Respond = (response, request) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(event(1, "a"), () => request.socket.destroy());
    };
    const { follow, requests } = await serve(cut, broken, event(2, "b") + ENDED);
    expect(await all(follow())).toEqual([{ id: 1, type: "a" }, { id: 2, type: "b" }, ended]);
    expect(requests.map(({ headers }) => headers["last-event-id"])).toEqual(["0", "1", "1"]);
  });

  it("rejects after as many failures in a row as the option says", async () => {
    const { follow, requests } = await serve(event(1, "a"), broken);
    await expect(all(follow({ retries: 1 }))).rejects.toMatchObject({ code: "unavailable" });
    expect(requests).toHaveLength(3);
  });

  it("rejects if the key has lost access", async () => {
    const { follow } = await serve(event(1, "a"), (response) => response.writeHead(401).end());
    await expect(all(follow())).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("ends the iteration if the run has ended meanwhile", async () => {
    const { follow, requests } = await serve(event(1, "a"), none);
    expect(await all(follow({}, 7))).toEqual([{ id: 1, type: "a" }]);
    expect(requests[0]?.headers["last-event-id"]).toBe("7");
  });
});

describe("the stream of an app", () => {
  const opened = `event: stream.opened\ndata: {"type":"stream.opened"}\n\n`;

  it("is opened again when it breaks, and then starts anew", async () => {
    const { url, requests } = await serve(opened, `${opened}data: {"type":"run.changed"}\n\n`, (response) =>
      response.writeHead(404).end(),
    );
    const types: string[] = [];
    const read = async () => {
      for await (const { type } of createClient({ url, key: "secret" }).apps.stream("me")) types.push(type);
    };
    await expect(read()).rejects.toMatchObject({ code: "not_found" });
    expect(types).toEqual(["stream.opened", "stream.opened", "run.changed"]);
    expect(requests.map(({ url: path, headers }) => [path, headers["last-event-id"]])).toEqual([
      ...Array.from({ length: 3 }, () => ["/apps/me/stream", undefined]),
    ]);
  });
});

describe("a stream without events", () => {
  it("that ends at once is a failure like others, and an event a new start", async () => {
    const { follow, requests } = await serve("", event(1, "a"), ": hello\n\n");
    const found: unknown[] = [];
    const read = async () => {
      for await (const one of follow({ retries: 1 })) found.push(one);
    };
    await expect(read()).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("at once") });
    expect([found, requests.length]).toEqual([[{ id: 1, type: "a" }], 4]);
  });

  it("that lived for long is opened again, as often as it takes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      let requests = 0;
      // A proxy closes the stream of a silent run after 10 seconds.
      const fetch = async () => {
        const end = ++requests > 12 ? ENDED : "";
        return new Response(streamEndingAfter(10_000, end), { headers: { "content-type": "text/event-stream" } });
      };
      const found = all(createClient({ url: "http://127.0.0.1:9", fetch, retries: 1 }).runs.events("me", "run_1"));
      await vi.advanceTimersByTimeAsync(200_000);
      expect(await found).toEqual([ended]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("the end of the iteration", () => {
  const open: Respond = (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(event(1, "a"));
  };

  it.each(["break", "throw"] as const)("by %s closes the connection", async (how) => {
    const { follow, requests } = await serve(open);
    const read = async () => {
      for await (const _ of follow()) {
        if (how === "throw") throw new Error("enough");
        break;
      }
    };
    await read().catch((error: Error) => expect(error.message).toBe("enough"));
    await until(() => requests[0]?.socket.destroyed === true);
    expect(requests).toHaveLength(1);
  });

  it.each<[string, Respond]>([
    ["for an event", open],
    ["for a response", () => undefined],
    ["before a repeat", (response) => response.writeHead(503, { "retry-after": "50" }).end()],
  ])("by return() does not wait %s", async (_, respond) => {
    const { follow, requests } = await serve(respond);
    const iterator = follow()[Symbol.asyncIterator]();
    if (respond === open) await iterator.next();
    const pending = iterator.next();
    await until(() => requests.length === 1);
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await pending).toEqual({ done: true, value: undefined });
    await until(() => requests[0]?.socket.destroyed === true || respond !== open);
  });

  it("by the option signal resolves", async () => {
    const { url, requests } = await serve(open);
    const stop = new AbortController();
    const found: unknown[] = [];
    const client = createClient({ url });
    for await (const one of client.runs.events("me", "run_1", { signal: stop.signal })) {
      found.push(one);
      stop.abort();
    }
    expect(found).toEqual([{ id: 1, type: "a" }]);
    await until(() => requests[0]?.socket.destroyed === true);
  });

  it("by the signal of the client rejects with its reason", async () => {
    const { url } = await serve(open);
    const stop = new AbortController();
    const reason = new Error("stopped");
    const read = async () => {
      const client = createClient({ url }).with({ signal: stop.signal });
      for await (const _ of client.runs.events("me", "run_1")) stop.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
  });
});

describe("a real run", () => {
  let mounted: Mounted;
  beforeAll(async () => {
    mounted = await openMounted();
  });
  afterAll(() => mounted.close());

  it("is followed by two clients through broken connections as in process", async () => {
    const { stepwell, app, proxy, client } = mounted;
    const steps: Step[] = [
      { type: "input", key: "start", input: {} },
      ...Array.from({ length: 20 }, (_, index): Step => ({ type: "code", key: `step_${index}`, code: "return 1" })),
      { type: "input", key: "ask", input: {} },
    ];
    const workflow = await stepwell.workflows.create(app, { name: "Long", steps });
    await stepwell.workflows.deploy(app, workflow.id);
    const { id } = await stepwell.runs.create(app, workflow.id);
    const stored = (events: unknown[]) => events.filter((one) => Object(one).id !== undefined);
    const following = [all(client().runs.events(app, id)), all(client().runs.events(app, id))];
    proxy.cutAfter("down", 1_500);
    await until(() => proxy.cuts() === 1);
    proxy.cutAfter("down", 900);
    await until(async () => (await stepwell.runs.get(app, id)).status === "waiting");
    await stepwell.runs.provide(app, id, "ask", {});
    const expected = stored(await all(stepwell.runs.events(app, id)));
    expect(expected.length).toBeGreaterThan(20);
    for (const found of await Promise.all(following)) expect(stored(found)).toEqual(expected);
  });
});
