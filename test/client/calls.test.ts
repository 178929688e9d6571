/** What a call sends: keys, headers, parameters, queries and bodies. And how long calls wait. */
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, type ClientOptions, createClient } from "../../src/client/index.ts";
import type { RecordFilter } from "../../src/index.ts";
import { type Mounted, openMounted } from "../support/client/mounted.ts";

interface Sent {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A client whose requests get these responses, in this order. The last one is repeated. */
function recording(options: Partial<ClientOptions> = {}, ...responses: readonly unknown[]) {
  const sent: Sent[] = [];
  const fetch = async (url: string, { method, headers, body }: RequestInit) => {
    sent.push({ url, method, headers: new Headers(headers), body });
    return Response.json(responses[Math.min(sent.length, responses.length) - 1] ?? {});
  };
  return { sent, client: createClient({ url: "https://example.test/a", fetch, ...options }) };
}

const received = (sent: readonly Sent[], name: string) => sent.map(({ headers }) => headers.get(name));

describe("the key", () => {
  it("is sent with each request, and none without a key", async () => {
    const { client, sent } = recording({ key: "one" });
    await client.runs.get("me", "run_1");
    await client.with({ key: "two" }).runs.get("me", "run_1");
    expect(received(sent, "authorization")).toEqual(["Bearer one", "Bearer two"]);
    const anonymous = recording();
    await anonymous.client.files.list("app_1").catch(() => undefined);
    expect(received(anonymous.sent, "authorization")).toEqual([null]);
  });

  it("of a function is requested each time, and its error rejects the call", async () => {
    let count = 0;
    const { client, sent } = recording({ key: async () => `key ${++count}` });
    await client.runs.get("me", "run_1");
    await client.runs.get("me", "run_1");
    expect(received(sent, "authorization")).toEqual(["Bearer key 1", "Bearer key 2"]);
    const failure = new Error("logged out");
    const failing = recording({ key: () => Promise.reject(failure) });
    await expect(failing.client.runs.get("me", "run_1")).rejects.toBe(failure);
    expect(failing.sent).toEqual([]);
  });

  it.each(["sk_live\nSECRET", "sk_live\r\nSECRET", "sk_live\0SECRET", "sk_live\u20acSECRET"])(
    "%j, which a header cannot contain, rejects with invalid without showing it",
    async (key) => {
      for (const given of [key, () => key]) {
        const { client, sent } = recording({ key: given });
        const error = await client.runs.get("me", "run_1").catch((reason: unknown) => reason);
        expect(error).toMatchObject({ code: "invalid", errors: [{ pointer: "/key" }] });
        expect(inspect(error)).not.toMatch(/SECRET|sk_live/);
        expect(sent).toEqual([]);
      }
    },
  );

  it("of a function that fails with a TypeError rejects with it", async () => {
    const failure = new TypeError("no session");
    const { client } = recording({ key: () => Promise.reject(failure) });
    await expect(client.runs.get("me", "run_1")).rejects.toBe(failure);
  });
});

it.each<[string, (client: Client) => Promise<unknown>]>([
  ["header", async (client) => client.with({ headers: { "x-gateway": "SECRET\nx" } }).runs.get("me", "run_1")],
  ["idempotency key", (client) => client.with({ idempotencyKey: "SECRET\nx" }).runs.create("me", "work_1")],
])("a %s that cannot be sent is not shown", async (_, call) => {
  const error = await call(createClient({ url: "https://example.test" })).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "malformed" });
  expect(inspect(error)).not.toContain("SECRET");
});

it("headers of a function are asked for once for each call, whose repeats have the same", async () => {
  const sent: (string | null)[] = [];
  const fetch = async (_: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get("x-speaker"));
    return sent.length === 1
      ? new Response(null, { status: 503, headers: { "retry-after": "0" } })
      : Response.json({ id: "tag_1", name: "t" });
  };
  let asked = 0;
  const client = createClient({
    url: "https://stepwell.test",
    headers: () => ({ "x-speaker": String(++asked) }),
    fetch,
  });
  await client.tags.get("me", "tag_1");
  await client.tags.get("me", "tag_1");
  expect(sent).toEqual(["1", "1", "2"]);
});

describe("with", () => {
  it("adds headers to those of the client, and leaves the client as it is", async () => {
    const { client, sent } = recording({ headers: { "x-one": "1", "x-two": "1" } });
    const other = client.with({ headers: { "x-two": "2" } }).with({ headers: { "x-three": "3" } });
    await other.runs.get("me", "run_1");
    await client.runs.get("me", "run_1");
    expect(["x-one", "x-two", "x-three"].map((name) => received(sent, name))).toEqual([
      ["1", "1"],
      ["2", "1"],
      ["3", null],
    ]);
  });
});

describe("arguments", () => {
  const unchecked = (client: object): { get(...given: readonly unknown[]): Promise<unknown> } => Object(client).runs;

  it.each([undefined, null, 7, {}, Symbol("x")])("that are no ids reject with invalid: %s", async (wrong) => {
    const { client, sent } = recording();
    await expect(unchecked(client).get("me", wrong)).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/run_id", in: "path" }],
    });
    expect(sent).toEqual([]);
  });

  it("with half of a surrogate pair are sent as browsers send them", async () => {
    const { client, sent } = recording();
    await client.rules.get("me", "col_1", "a\uD800");
    expect(sent[0]?.url).toBe("https://example.test/a/apps/me/collections/col_1/rules/a%EF%BF%BD");
  });

  it("with two conditions that a URL cannot tell apart reject with invalid", async () => {
    const filter: RecordFilter[] = [
      { field: "a:b", op: "ne", value: 1 },
      { field: "a:b", op: "ne", value: 2 },
    ];
    await expect(recording().client.records.list("me", "col_1", { filter })).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/filter/1" }],
    });
  });
});

describe("records.import", () => {
  it.each<[string, string | Uint8Array, object, string]>([
    ["text", "a:b\n1\n", {}, "text/csv"],
    ["bytes in another encoding", new Uint8Array(3), { charset: "windows-1251" }, "text/csv; charset=windows-1251"],
    ["JSON Lines", "{}", { format: "jsonl" }, "application/jsonl"],
  ])("sends %s with its type", async (_, body, options, type) => {
    const { client, sent } = recording();
    await client.records.import("me", "col_1", body, { key: "a:b", delimiter: ";", ...options });
    expect(received(sent, "content-type")).toEqual([type]);
    expect(new URL(sent[0]?.url ?? "").search).toBe("?key=a%3Ab&delimiter=%3B");
    expect(sent[0]?.body).toEqual(body);
  });

  it("rejects with the reason of the signal while a stream has no bytes", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const next = () => {
      stop.abort(reason);
      return new Promise<never>(() => undefined);
    };
    const stream = { [Symbol.asyncIterator]: () => ({ next }) };
    const { client, sent } = recording();
    await expect(client.records.import("me", "col_1", stream, { signal: stop.signal })).rejects.toBe(reason);
    expect(sent).toEqual([]);
  });

  it("rejects a charset of a string, and a stream above the limit, before it sends anything", async () => {
    const { client, sent } = recording();
    const text = client.records.import("me", "col_1", "a:b\n", { charset: "utf-8" });
    await expect(text).rejects.toMatchObject({ code: "invalid", errors: [{ pointer: "/charset" }] });
    const mebibyte = new Uint8Array(1024 * 1024);
    const endless = async function* () {
      for (;;) yield mebibyte;
    };
    await expect(client.records.import("me", "col_1", endless())).rejects.toMatchObject({ code: "too_large" });
    expect(sent).toEqual([]);
  });
});

describe("runs.wait", () => {
  let mounted: Mounted;
  let waiting: string;
  beforeAll(async () => {
    mounted = await openMounted();
    const { stepwell, app } = mounted;
    const steps = ["start", "ask"].map((key) => ({ type: "input" as const, key, input: {} }));
    const { id } = await stepwell.workflows.create(app, { name: "Asks", steps });
    await stepwell.workflows.deploy(app, id);
    waiting = (await stepwell.runs.create(app, id)).id;
    for await (const { type } of stepwell.runs.events(app, waiting)) if (type === "step.waiting") break;
  });
  afterAll(() => mounted.close());

  it.each([0, 50, 1_100])("returns the run as it is after %i ms", async (timeoutMs) => {
    const run = await mounted.client().runs.wait("me", waiting, { timeoutMs });
    expect(run).toEqual(await mounted.stepwell.runs.get(mounted.app, waiting));
    expect(run.status).toBe("waiting");
  });

  it.each([Number.NaN, -1])("rejects %d ms with invalid, as in process", async (timeoutMs) => {
    const wrong = { code: "invalid", errors: [{ pointer: "/timeoutMs" }] };
    await expect(mounted.client().runs.wait("me", waiting, { timeoutMs })).rejects.toMatchObject(wrong);
    await expect(mounted.stepwell.runs.wait(mounted.app, waiting, { timeoutMs })).rejects.toMatchObject(wrong);
  });

  it("asks the server to wait, and again if the run has not ended", async () => {
    const { client, sent } = recording({}, { status: "running" }, { status: "waiting" }, { status: "failed" });
    expect(await client.runs.wait("me", "run_1")).toEqual({ status: "failed" });
    expect(received(sent, "prefer")).toEqual(["wait=25", "wait=25", "wait=25"]);
  });

  it("returns when another client ends the run", async () => {
    const { client, stepwell, app } = mounted;
    const found = [client().runs.wait("me", waiting), client().runs.wait(app, waiting)];
    await stepwell.runs.provide(app, waiting, "ask", {});
    expect((await Promise.all(found)).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  });
});
