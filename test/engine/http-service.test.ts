/** The service `http` against a real server: bodies, responses, files, credentials and pages. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject, Run, ServiceStep, Step } from "../../src/index.ts";
import { type Connected, sendRequest } from "../../src/services/http/send-request.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { openService, type Service, step } from "../support/engine/service.ts";
import { openServer, type Received, type Reply, type Server } from "../support/servers/http-server.ts";

const PNG = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);
const JSON_TYPE = { "content-type": "application/json" };

let server: Server;
let other: Server;
let service: Service;
let reply: (received: Received, nth: number) => Reply | Promise<Reply>;
let now = systemClock.now();
const clock = { ...systemClock, now: () => now };

beforeAll(async () => {
  server = await openServer((received) => reply(received, server.received.length));
  other = await openServer((received) => reply(received, other.received.length));
  const net = { allow: [...server.net.allow, ...other.net.allow] };
  service = await openService({ net, clock, secret: "a secret of these tests, which is long enough" });
});
afterAll(async () => {
  await service.stepwell.close();
  await server.close();
  await other.close();
});
beforeEach(() => {
  server.received.length = 0;
  other.received.length = 0;
  reply = () => ({ headers: JSON_TYPE, body: "{}" });
});

const call = (action: string, input: JsonObject, more: Partial<ServiceStep["service"]> = {}): Step =>
  ({
    type: "service",
    key: "call",
    retry: { max_attempts: 1 },
    service: { service: "http", action, input, ...more },
  }) as Step; // the input under test

const url = (path: string) => (path.startsWith("/") ? server.url + path : path);
const request = ({ url: path = "/", ...input }: JsonObject, connection_id?: string): Promise<Run> =>
  service.run([
    { type: "input", key: "in", input: {} },
    call("request", { url: url(String(path)), ...input }, connection_id === undefined ? {} : { connection_id }),
  ]);
const paginate = ({ url: path = "/", ...input }: JsonObject, connection_id?: string): Promise<Run> =>
  service.run([
    { type: "input", key: "in", input: {} },
    call("paginate", { url: url(String(path)), ...input }, connection_id === undefined ? {} : { connection_id }),
  ]);
const connect = async (credentials: JsonObject) =>
  (await service.stepwell.connections.create(service.app, { name: "API", service: "http", credentials })).id;

function sent(): Received {
  const [one] = server.received;
  if (one === undefined) throw new Error("nothing was received");
  return one;
}
const storedFile = async (body: Uint8Array, name: string) =>
  (await service.stepwell.files.create(service.app, { name, body })).id;
async function bytesOf(id: string): Promise<Uint8Array> {
  const { body } = await service.stepwell.files.content(service.app, id);
  return new Uint8Array(await new Response(body).arrayBuffer());
}

describe("a request", () => {
  it("is a GET without a body and a POST with one, and adds query parameters", async () => {
    await request({ url: "/a?x=1", query: { y: [2, "z&"], none: null, ok: true } });
    expect(sent()).toMatchObject({ method: "GET", path: "/a?x=1&y=2&y=z%26&ok=true", body: "" });
    await request({ json: { a: [1] }, headers: { "X-One": "1" } });
    expect(server.received[1]).toMatchObject({
      method: "POST",
      headers: { "x-one": "1", ...JSON_TYPE },
      body: '{"a":[1]}',
    });
    expect(sent().key).toMatch(/\/call\//);
  });

  it.each([
    ["json null", { json: null }, "application/json", "null"],
    ["text", { text: "größe" }, "text/plain;charset=UTF-8", "größe"],
    [
      "form",
      { form: { a: "1 2", b: [3, false], c: null } },
      "application/x-www-form-urlencoded;charset=UTF-8",
      "a=1+2&b=3&b=false",
    ],
  ])("sends %s", async (_, body, type, text) => {
    expect((await request({ method: "PUT", ...body })).error).toBeNull();
    expect(sent()).toMatchObject({ method: "PUT", headers: { "content-type": type }, body: text });
  });

  it("sends a file of the app with its type and size", async () => {
    const file_id = await storedFile(PNG, "a.png");
    await request({ file_id });
    const { headers, bytes } = sent();
    expect(headers).toMatchObject({ "content-type": "image/png", "content-length": String(PNG.length) });
    expect(bytes).toEqual(PNG);
    await request({ file_id, headers: { "Content-Type": "application/x-picture" } });
    expect(server.received[1]?.headers["content-type"]).toBe("application/x-picture");
  });

  it("sends texts and files as multipart/form-data", async () => {
    const file_id = await storedFile(PNG, "größe.png");
    await request({
      multipart: [
        { name: 'ti"tle', value: "a\r\nb" },
        { name: "scan", file_id },
        { name: "copy", file_id, file_name: "b.png" },
      ],
    });
    const { bytes, headers } = sent();
    const form = await new Response(Uint8Array.from(bytes), {
      headers: { "content-type": headers["content-type"] ?? "" },
    }).formData();
    expect(form.get('ti"tle')).toBe("a\r\nb");
    const scan = form.get("scan");
    if (!(scan instanceof Blob)) throw new Error("the part is no file");
    expect([scan.name, scan.type]).toEqual(["größe.png", "image/png"]);
    expect(new Uint8Array(await scan.arrayBuffer())).toEqual(PNG);
    expect(form.get("copy")).toMatchObject({ name: "b.png" });
    expect(Number(headers["content-length"])).toBe(bytes.length);
  });

  it("keeps the body of a file for a redirect with 307", async () => {
    const file_id = await storedFile(PNG, "a.png");
    reply = ({ path }) => (path === "/" ? { status: 307, headers: { location: "/next" } } : { body: "ok" });
    expect((await request({ file_id })).error).toBeNull();
    expect(server.at("/next")).toMatchObject([{ method: "POST", bytes: PNG }]);
  });

  it.each<[string, JsonObject, string]>([
    ["two bodies", { json: 1, text: "a" }, "at most one of json, text, form, multipart and file_id"],
    ["a GET with a body", { method: "GET", text: "a" }, "cannot have a body"],
    ["a part without a content", { multipart: [{ name: "a" }] }, "either value or file_id"],
    ["a file name of a text", { multipart: [{ name: "a", value: "b", file_name: "c" }] }, "requires file_id"],
    ["a file name for JSON", { response: "json", file_name: "c" }, "Set response to auto or file"],
    ["a header with a line break", { headers: { "x-a": "1\r\nx-b: 2" } }, "no line break"],
    ["a name of a header that is none", { headers: { "x a": "1" } }, "Must be a header name"],
    ["an unknown field", { body: "a" }, "Unknown field"],
  ])("is refused at deployment with %s", async (_, input, message) => {
    const workflow = await service.draft([
      { type: "input", key: "in", input: {} },
      call("request", { url: url("/"), ...input }),
    ]);
    const refused = service.stepwell.workflows.deploy(service.app, workflow);
    await expect(refused).rejects.toMatchObject({
      code: "invalid",
      errors: [
        { message: expect.stringContaining(message), pointer: expect.stringContaining("/steps/1/service/input") },
      ],
    });
  });

  it("fails for a file that the app does not have, and sends nothing", async () => {
    const { id } = await service.stepwell.apps.create({ name: "Other" });
    const foreign = await service.stepwell.files.create(id, { name: "a.txt", body: new Uint8Array(1) });
    expect((await request({ file_id: foreign.id })).error).toMatchObject({ code: "not_found" });
    expect((await request({ multipart: [{ name: "a", file_id: foreign.id }] })).error).toMatchObject({
      code: "not_found",
    });
    expect(server.received).toEqual([]);
  });

  it("without a connection needs a whole URL, and private addresses stay refused", async () => {
    expect((await request({ url: "items" })).error).toMatchObject({
      code: "invalid",
      message: expect.stringContaining("relative"),
    });
    expect((await request({ url: "http://127.0.0.1:1/" })).error).toMatchObject({ code: "address_refused" });
  });
});

describe("a response", () => {
  it.each<[string, JsonObject, Reply, unknown]>([
    [
      "JSON",
      {},
      { headers: JSON_TYPE, body: '{"a":1}' },
      { body: { a: 1 }, file: null, mime_type: "application/json" },
    ],
    ["text as JSON", { response: "json" }, { headers: { "content-type": "text/plain" }, body: "[1]" }, { body: [1] }],
    ["JSON as text", { response: "text" }, { headers: JSON_TYPE, body: "[1]" }, { body: "[1]" }],
    ["text without a type", {}, { body: "größe" }, { body: "größe", mime_type: null }],
    ["nothing", {}, { status: 204 }, { status: 204, body: "", file: null }],
  ])("becomes the output: %s", async (_, input, given, expected) => {
    reply = () => given;
    const { output, error } = await request(input);
    expect(error).toBeNull();
    expect(output).toMatchObject(expected as object);
  });

  it.each<[string, JsonObject, Reply, JsonObject]>([
    [
      "a PNG",
      {},
      { headers: { "content-type": "image/png" }, body: PNG },
      { name: "a.png", mime_type: "image/png", size: PNG.length },
    ],
    ["a PNG without a type", {}, { body: PNG }, { mime_type: "image/png" }],
    [
      "the name of the server",
      {},
      {
        headers: { "content-disposition": 'attachment; filename="b.bin"', "content-type": "application/x-thing" },
        body: Uint8Array.of(0, 200, 3, 255),
      },
      { name: "b.bin" },
    ],
    [
      "a type that only the server knows",
      { file_name: "c" },
      { headers: { "content-type": "application/x-thing; v=1" }, body: Uint8Array.of(0, 200, 3, 255) },
      { name: "c", mime_type: "application/x-thing" },
    ],
    [
      "text as a file",
      { response: "file", file_name: "d.csv" },
      { headers: { "content-type": "text/csv" }, body: "a;b" },
      { name: "d.csv", mime_type: "text/csv", size: 3 },
    ],
    ["an empty file", { response: "file" }, { body: "" }, { size: 0 }],
  ])("becomes a file of the app: %s", async (_, input, given, expected) => {
    reply = () => given;
    const { output, error } = await request({ url: "/files/a.png?x=1", ...input });
    expect(error).toBeNull();
    expect(output).toMatchObject({ body: null, file: expected });
    const { file } = output as { file: { id: string } };
    expect(await bytesOf(file.id)).toEqual(
      typeof given.body === "string" ? new TextEncoder().encode(given.body) : given.body,
    );
    expect(await service.stepwell.files.get(service.app, file.id)).toMatchObject({ visibility: "PRIVATE" });
  });

  it("becomes a file with the visibility of the step", async () => {
    reply = () => ({ headers: { "content-type": "image/png" }, body: PNG });
    const { output } = await request({ visibility: "PUBLIC" });
    const { file } = output as { file: { id: string } };
    expect(await service.stepwell.files.get(service.app, file.id)).toMatchObject({ visibility: "PUBLIC" });
  });

  it.each([
    ["json", "{not json", "invalid_response"],
    ["text", PNG, "invalid_response"],
  ])("that is not %s fails the step", async (response, body, code) => {
    reply = () => ({ headers: JSON_TYPE, body });
    expect((await request({ response })).error).toMatchObject({ code, message: expect.stringContaining("Use") });
  });

  it("with an error status can be caught by its status, and leaves no file", async () => {
    reply = () => ({ status: 404, headers: JSON_TYPE, body: '{"why":"gone"}' });
    const before = (await service.stepwell.files.list(service.app)).items.length;
    const run = await request({ response: "file" });
    expect(run.error).toMatchObject({ code: "http_status" });
    expect(step(run, "call").error).toMatchObject({ status: 404, headers: JSON_TYPE, body: { why: "gone" } });
    expect((await service.stepwell.files.list(service.app)).items.length).toBe(before);
  });
});

describe("a connection", () => {
  it.each<[string, JsonObject, Partial<Received>]>([
    ["bearer", { type: "bearer", token: "t0ken" }, { headers: { authorization: "Bearer t0ken" } }],
    [
      "basic",
      { type: "basic", username: "ann", password: "größe" },
      { headers: { authorization: "Basic YW5uOmdyw7bDn2U=" } },
    ],
    ["header", { type: "header", name: "X-Api-Key", value: "k3y-value" }, { headers: { "x-api-key": "k3y-value" } }],
    ["query", { type: "query", name: "key", value: "k3y-value" }, { path: "/v1/items?a=1&key=k3y-value" }],
  ])("authorizes requests: %s", async (_, credentials, expected) => {
    const id = await connect({ ...credentials, base_url: `${server.url}/v1/` });
    const { error } = await request({ url: "items?a=1", headers: { "x-api-key": "of the step" } }, id);
    expect(error).toBeNull();
    expect(sent()).toMatchObject(expected);
    expect(sent().path).toMatch(/^\/v1\/items/);
  });

  it("is for its origins only", async () => {
    const id = await connect({ type: "bearer", token: "t0ken", base_url: server.url });
    const refused = await request({ url: `${other.url}/items` }, id);
    expect(refused.error).toMatchObject({
      code: "address_refused",
      message: expect.stringContaining(
        `must not receive the credentials of the connection, which are for ${server.url}.`,
      ),
    });
    expect(other.received).toEqual([]);
    const both = await connect({ type: "bearer", token: "t0ken", base_url: server.url, origins: [`${other.url}/any`] });
    expect((await request({ url: `${other.url}/items` }, both)).error).toBeNull();
    expect(other.received).toMatchObject([{ headers: { authorization: "Bearer t0ken" } }]);
  });

  it("is not sent to another origin by a redirect", async () => {
    const id = await connect({ type: "header", name: "X-Api-Key", value: "k3y-value", base_url: server.url });
    reply = ({ path }) => (path === "/a" ? { status: 302, headers: { location: `${other.url}/b` } } : { body: "ok" });
    expect((await request({ url: "/a" }, id)).error).toBeNull();
    expect(other.at("/b")[0]?.headers["x-api-key"]).toBeUndefined();
  });

  it("stays hidden in errors that repeat it", async () => {
    const id = await connect({ type: "bearer", token: "t0ken-of-ann", base_url: server.url });
    reply = ({ headers }) => ({
      status: 400,
      headers: { ...JSON_TYPE, "x-echo": headers.authorization ?? "" },
      body: JSON.stringify({ got: [headers.authorization] }),
    });
    const run = await request({}, id);
    expect(JSON.stringify(step(run, "call").error)).not.toContain("t0ken-of-ann");
    expect(step(run, "call").error).toMatchObject({ status: 400, body: { got: ["Bearer [hidden]"] } });
  });

  it.each<[string, JsonObject]>([
    ["no base_url", { type: "bearer", token: "a" }],
    ["a base_url without http", { type: "bearer", token: "a", base_url: "ftp://a.example" }],
    ["a line break", { type: "bearer", token: "a\nb", base_url: "https://a.example" }],
    ["a colon in a user name", { type: "basic", username: "a:b", password: "", base_url: "https://a.example" }],
    ["an unknown type", { type: "digest", base_url: "https://a.example" }],
  ])("is refused with %s", async (_, credentials) => {
    await expect(connect(credentials)).rejects.toMatchObject({ code: "invalid" });
  });
});

describe("an OAuth connection", () => {
  const credentials = { type: "oauth2", client_id: "me:1", client_secret: "s3cret/+", scope: "a b", audience: "api" };
  let tokens: number;
  let revoked: string;
  const answer = ({ path, headers, body }: Received): Reply => {
    if (path !== "/token")
      return headers.authorization === `Bearer ${revoked}` ? { status: 401 } : { headers: JSON_TYPE, body: "{}" };
    tokens++;
    expect(new URLSearchParams(body).get("grant_type")).toBe("client_credentials");
    return {
      headers: JSON_TYPE,
      body: JSON.stringify({ access_token: `t${tokens}`, token_type: "Bearer", expires_in: 600 }),
    };
  };
  beforeEach(() => {
    tokens = 0;
    revoked = "";
    reply = answer;
  });
  const oauth = (more: JsonObject = {}) =>
    connect({
      ...credentials,
      base_url: server.url,
      token_url: `${server.url}/token`,
      client_id: crypto.randomUUID(),
      ...more,
    });

  it("gets one token for many requests at once, and another one when it expires", async () => {
    const id = await oauth();
    const runs = await Promise.all(Array.from({ length: 8 }, () => request({ url: "/x" }, id)));
    expect(runs.map(({ error }) => error)).toEqual(Array(8).fill(null));
    expect(tokens).toBe(1);
    expect(new Set(server.at("/x").map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer t1"]));
    now += 539_000;
    await request({ url: "/x" }, id);
    expect(tokens).toBe(1);
    now += 2_000;
    await request({ url: "/x" }, id);
    expect(server.at("/x").at(-1)?.headers.authorization).toBe("Bearer t2");
  });

  it("gets another token once when the API refuses it", async () => {
    const id = await oauth();
    await request({ url: "/x" }, id);
    revoked = "t1";
    const file_id = await storedFile(PNG, "a.png");
    expect((await request({ url: "/x", file_id }, id)).error).toBeNull();
    expect(server.at("/x").at(-1)).toMatchObject({ headers: { authorization: "Bearer t2" }, bytes: PNG });
    expect(tokens).toBe(2);
  });

  it.each([
    ["basic", "basic", (one: Received) => expect(one.headers.authorization).toMatch(/^Basic /)],
    [
      "in the body",
      "body",
      (one: Received) => expect(new URLSearchParams(one.body).get("client_secret")).toBe("s3cret/+"),
    ],
  ])("sends the secret %s", async (_, client_auth, check) => {
    expect((await request({ url: "/x" }, await oauth({ client_auth }))).error).toBeNull();
    const [asked] = server.at("/token");
    if (asked === undefined) throw new Error("no token was asked for");
    check(asked);
    expect(Object.fromEntries(new URLSearchParams(asked.body))).toMatchObject({ scope: "a b", audience: "api" });
  });

  it.each<[string, Reply, string]>([
    [
      "refuses",
      { status: 401, headers: JSON_TYPE, body: '{"error":"invalid_client","error_description":"unknown client"}' },
      "authorization_failed",
    ],
    [
      "responds with a page",
      { headers: { "content-type": "text/html" }, body: "<p>login</p>" },
      "authorization_failed",
    ],
    [
      "gives another kind of token",
      { headers: JSON_TYPE, body: '{"access_token":"a","token_type":"DPoP"}' },
      "authorization_failed",
    ],
    ["redirects", { status: 302, headers: { location: "/elsewhere" } }, "fetch_failed"],
  ])("fails clearly when the server %s, and asks again the next time", async (_, given, code) => {
    reply = () => given;
    const id = await oauth();
    const run = await request({ url: "/x" }, id);
    expect(run.error).toMatchObject({ code });
    expect(run.error?.message).not.toContain("s3cret");
    expect(server.at("/x")).toEqual([]);
    reply = answer;
    expect((await request({ url: "/x" }, id)).error).toBeNull();
  });
});

it("ends the response of a request whose token cannot be renewed", async () => {
  let isCanceled = false;
  const refused = new ReadableStream<Uint8Array>({
    cancel() {
      isCanceled = true;
    },
  });
  const connection = {
    ...{ type: "oauth2", base_url: "https://a.example", token_url: "https://a.example/t", client_auth: "basic" },
    ...{ client_id: "a", client_secret: "b" },
  } as const;
  const fetch = async () => new Response(refused, { status: 401 });
  const context = {
    connection,
    fetch,
    signal: AbortSignal.any([]),
    idempotencyKey: "k",
    app_id: "a",
  } as unknown as Connected; // what it reads
  const tokens = {
    get: async () => ({ value: "t", renewAt: 0 }),
    renew: async () => Promise.reject(new Error("no token")),
  };
  const url = new URL("https://a.example/x");
  const sent = { method: "GET", url, headers: {}, body: undefined, maxBytes: 1, responseTimeout: 1 };
  await expect(sendRequest(sent, context, tokens)).rejects.toThrow("no token");
  expect(isCanceled).toBe(true);
});

describe("paginate", () => {
  const items = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
  const json = (value: unknown, headers: Record<string, string> = {}): Reply => ({
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(value),
  });
  const parameter = (path: string, name: string) => new URL(path, "http://a").searchParams.get(name);

  it.each<[string, JsonObject, (one: Received) => Reply]>([
    [
      "links",
      { next: { type: "link" } },
      ({ path }) => {
        const page = Number(parameter(path, "p") ?? 0);
        return json(
          items(page * 2, page === 2 ? 1 : 2),
          page === 2 ? {} : { link: `<?p=${page + 1}>; rel="next", </>; rel="first"` },
        );
      },
    ],
    [
      "URLs in the body",
      { next: { type: "url", path: "/links/next" }, items: "/data" },
      ({ path }) => {
        const page = Number(parameter(path, "p") ?? 0);
        return json({
          data: items(page * 2, page === 2 ? 1 : 2),
          links: { next: page === 2 ? null : `${server.url}/?p=${page + 1}` },
        });
      },
    ],
    [
      "cursors",
      { next: { type: "cursor", path: "/meta/a~1b", parameter: "after" }, items: "/data" },
      ({ path }) => {
        const page = Number((parameter(path, "after") ?? "c0").slice(1));
        return json({ data: items(page * 2, page === 2 ? 1 : 2), meta: { "a/b": page === 2 ? "" : `c${page + 1}` } });
      },
    ],
    [
      "page numbers",
      { next: { type: "page", first: 0 } },
      ({ path }) => {
        const page = Number(parameter(path, "page"));
        return json(items(page * 2, [2, 2, 1, 0][page] ?? 0));
      },
    ],
    [
      "offsets",
      { next: { type: "offset", parameter: "skip" }, query: { top: 2 } },
      ({ path }) => json(items(Number(parameter(path, "skip") ?? 0), 2).filter((one) => one < 5)),
    ],
  ])("follows %s", async (_, input, answer) => {
    reply = answer;
    const { output, error } = await paginate(input);
    expect(error).toBeNull();
    expect(output).toMatchObject({ items: [0, 1, 2, 3, 4], has_more: false });
  });

  it("ends at the limit of pages and of items, and says so", async () => {
    reply = ({ path }) => json(items(Number(parameter(path, "offset") ?? 0), 10));
    const next = { type: "offset" };
    expect((await paginate({ next, max_pages: 3 })).output).toMatchObject({
      items: items(0, 30),
      pages: 3,
      has_more: true,
    });
    expect((await paginate({ next, max_items: 15 })).output).toMatchObject({
      items: items(0, 15),
      pages: 2,
      has_more: true,
    });
  });

  it.each<[string, JsonObject, Reply, string]>([
    ["no list", { next: { type: "page" } }, json({ data: [] }), "must be a list of items"],
    ["no JSON", { next: { type: "page" } }, { headers: { "content-type": "text/html" }, body: "<p>" }, "is not JSON"],
    [
      "a page that is its own next one",
      { next: { type: "cursor", path: "/0" } },
      json(["same"]),
      "names the same page",
    ],
    ["a broken Link header", { next: { type: "link" } }, json([1], { link: "next" }), "Link header"],
    [
      "an address that is none",
      { next: { type: "url", path: "/0" } },
      json(["http://["]),
      "address of the next page is invalid",
    ],
  ])("fails for %s", async (_, input, given, message) => {
    reply = () => given;
    expect((await paginate(input)).error).toMatchObject({
      code: "invalid_response",
      message: expect.stringContaining(message),
    });
  });

  it("does not follow pages to another origin, with or without a connection", async () => {
    reply = () => json([`${other.url}/more`]);
    const next = { type: "url", path: "/0" };
    expect((await paginate({ next })).error).toMatchObject({ code: "address_refused" });
    const id = await connect({ type: "bearer", token: "t0ken", base_url: server.url });
    expect((await paginate({ url: "/list", next }, id)).error).toMatchObject({ code: "address_refused" });
    expect(other.received).toEqual([]);
  });

  it("fails when the items exceed an output, and says what to do", async () => {
    reply = ({ path }) => json(Array.from({ length: 4 }, () => `${parameter(path, "page")}${"x".repeat(1024 * 1024)}`));
    expect((await paginate({ next: { type: "page" } })).error).toMatchObject({
      code: "output_limit",
      message: expect.stringContaining("Set max_items"),
    });
  });
});
