/** The HTTP layer: bodies, queries, paths, methods, headers (RFC 9110, 9457, 8288). */
import { describe, expect, it } from "vitest";
import { BASE, createTable, json, LIMIT, made, problemOf } from "../support/http/http-table.ts";

const table = await createTable();
const { app, call } = table;
const things = `/apps/${app.id}/things`;
const echo = `/apps/${app.id}/echo/word`;

async function refusal(response: Response): Promise<[number, string]> {
  return [response.status, (await problemOf(response)).code];
}

describe("a JSON body", () => {
  const put = (body: BodyInit | null, type: string | null = "application/json", headers: Record<string, string> = {}) =>
    call(echo, {
      method: "PUT",
      body,
      headers: { ...headers, ...(type === null ? {} : { "content-type": type }) },
      ...(body instanceof ReadableStream ? { duplex: "half" as const } : {}),
    });
  const echoed = async (response: Response) => JSON.parse(await response.text()).body;

  it.each([
    ["null", null],
    ["[]", []],
    ['"x"', "x"],
    ["7", 7],
    ["-0", 0],
    ['{"toString":1,"hasOwnProperty":2}', { toString: 1, hasOwnProperty: 2 }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['"\\ud800"', "\ud800"],
  ])("%s is parsed", async (text, value) => {
    const response = await put(text);
    expect(response.status).toBe(200);
    expect(await echoed(response)).toEqual(value);
  });

  it("is parsed without its byte order mark", async () => {
    expect(await echoed(await put("\ufeff[1]"))).toEqual([1]);
  });

  it("survives a round trip with unusual keys and values", async () => {
    const value = { "": { "a/b~c": ["é", "\u0000", 1e-7, -1.5, true, null] }, constructor: { prototype: 1 } };
    expect(await echoed(await put(JSON.stringify(value)))).toEqual(value);
  });

  it.each([
    ["nothing behind a bracket", "{"],
    ["one byte short", '{"a": "b"'],
    ["1,000 brackets", "[".repeat(1_000)],
    ["brackets beyond the depth", `${"[".repeat(102)}${"]".repeat(102)}`],
    ["a number that no double holds", "1e400"],
    ["__proto__ as a key", '{"a":{"__proto__":{"admin":true}}}'],
    ["NaN", "NaN"],
  ])("is rejected as malformed: %s", async (_, text) => {
    expect(await refusal(await put(text))).toEqual([400, "malformed"]);
  });

  it("is rejected unless it is UTF-8", async () => {
    expect(await refusal(await put(Uint8Array.of(0x22, 0xff, 0x22)))).toEqual([400, "malformed"]);
    const utf16 = new Uint8Array(new Uint16Array([..."\ufeff{}"].map((char) => char.charCodeAt(0))).buffer);
    expect(await refusal(await put(utf16))).toEqual([400, "malformed"]);
  });

  it("is optional, with or without a Content-Type", async () => {
    for (const type of [null, "application/json", "text/plain"]) {
      const response = await put(null, type);
      expect([response.status, await echoed(response)]).toEqual([200, {}]);
    }
  });

  it.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/problem+json",
    "application/vnd.stepwell.v1+json ; charset=utf8",
  ])("is accepted with the Content-Type %s", async (type) => {
    expect((await put("{}", type)).status).toBe(200);
  });

  it.each([
    null,
    "text/plain",
    "text/json",
    "application/jsonp",
    "application/json; charset=utf-16",
    "application/json; charset=iso-8859-1",
    "application/json, text/plain",
    "multipart/form-data; boundary=x",
  ])("is rejected with the Content-Type %s", async (type) => {
    // A Request sets a content type for strings, but not for bytes.
    expect(await refusal(await put(new TextEncoder().encode("{}"), type))).toEqual([415, "unsupported_media_type"]);
  });

  it("is rejected when it has a Content-Encoding", async () => {
    expect(await refusal(await put("{}", "application/json", { "content-encoding": "gzip" }))).toEqual([
      415,
      "unsupported_media_type",
    ]);
  });

  it("is rejected one byte above the limit, with or without Content-Length", async () => {
    const fits = JSON.stringify("x".repeat(LIMIT - 2));
    const stream = (text: string) =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const char of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(char));
          controller.close();
        },
      });
    expect((await put(fits)).status).toBe(200);
    expect((await put(stream(fits))).status).toBe(200);
    expect(await refusal(await put(`${fits} `))).toEqual([413, "too_large"]);
    expect(await refusal(await put(stream(`${fits} `)))).toEqual([413, "too_large"]);
    expect(await refusal(await put("{}", "application/json", { "content-length": "999999" }))).toEqual([
      413,
      "too_large",
    ]);
    expect(await refusal(await put(stream(`${fits} `), "application/json", { "content-length": "2" }))).toEqual([
      413,
      "too_large",
    ]);
  });

  it("is rejected when the connection breaks", async () => {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (pulls++ === 0) controller.enqueue(new TextEncoder().encode('{"a":'));
        else controller.error(new Error("the client has gone"));
      },
    });
    expect(await refusal(await put(body))).toEqual([400, "malformed"]);
  });

  it("is validated against the schema of the route, with a pointer for each field", async () => {
    const response = await call(things, json({ name: 7, size: "x", nmae: 1 }));
    expect(response.status).toBe(422);
    const { errors = [] } = await problemOf(response);
    expect(errors.map((error) => error.pointer).sort()).toEqual(["/name", "/nmae", "/size"]);
  });
});

describe("query parameters", () => {
  const tags = async (search: string) => {
    const response = await call(`/apps/${app.id}/tags${search}`);
    const answer = JSON.parse(await response.text());
    return response.status === 200 ? answer.tags : [response.status, answer.code];
  };

  it("accept a list in three notations", async () => {
    for (const search of ["?tags=a&tags=b", "?tags[]=a&tags[]=b", "?tags%5B%5D=a&tags=b", "?tags=a,b"]) {
      expect(await tags(search)).toEqual(["a", "b"]);
    }
    for (const search of ["?tags=a", "?tags[]=a"]) expect(await tags(search)).toEqual(["a"]);
    for (const search of ["", "?", "?tags=", "?tags=&tags="]) expect(await tags(search)).toEqual([]);
    expect(await tags("?tags=%F0%9F%8D%8B&tags=a+b")).toEqual(["🍋", "a b"]);
  });

  it("limit the number of items of a list", async () => {
    const of = (count: number) => `?tags=${Array.from({ length: count }, (_, index) => `t${index}`).join(",")}`;
    expect(await tags(of(20))).toHaveLength(20);
    expect(await tags(of(21))).toEqual([422, "invalid"]);
  });

  it.each(["?flat=a&flat=b", "?unknown=1", "?__proto__=1", "?constructor=1", "?flat[]=a"])(
    "%s is rejected",
    async (search) => {
      const response = await call(`/apps/${app.id}/tags${search}`);
      expect(response.status).toBe(422);
      expect((await problemOf(response)).errors).toMatchObject([{ in: "query" }]);
    },
  );

  it.each([
    "page=0",
    "page=-1",
    "page=1.5",
    "page=1e9",
    "page=99999999999999999999",
    "page=",
    "page=1&page=2",
    "take=0",
    "take=-1",
    "take=1001",
    "take=1e3",
    "take=0x10",
    "take=%00",
    "page_token=",
    "page_token=2",
    "page_token=run_1:",
    "page_token=../x",
  ])("%s is rejected", async (search) => {
    const response = await call(`${things}?${search}`);
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors?.[0]).toMatchObject({ in: "query", pointer: `/${search.split("=")[0]}` });
  });

  it.each(["page=1&page=2", "take=1&take=2&take=3", "page_token=run_1&page_token=run_2"])(
    "repeated ones are rejected: %s",
    async (search) => {
      const { errors } = await problemOf(await call(`${things}?${search}`));
      const message = `Must appear only once, not ${search.split("&").length} times.`;
      expect(errors).toEqual([{ in: "query", pointer: `/${search.split("=")[0]}`, message }]);
    },
  );

  it("page and page_token together are rejected", async () => {
    const response = await call(`${things}?page=1&page_token=thing_1`);
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors).toMatchObject([
      { in: "query", pointer: "/page", message: expect.stringContaining("page_token") },
    ]);
  });

  it("more than the allowed number is rejected", async () => {
    expect(await tags(`?${"tags=a&".repeat(300)}`)).toEqual([400, "malformed"]);
  });
});

describe("a request path", () => {
  const statusOf = async (path: string) => (await table.fetch(new Request(`https://stepwell.test${path}`))).status;
  const status = (path: string) => statusOf(`/automation${path}`);

  it("is matched with and without the mount path", async () => {
    expect(await statusOf(`/automation/apps/${app.id}/things`)).toBe(200);
    expect(await statusOf(`/apps/${app.id}/things`)).toBe(200);
    expect(await statusOf(`/automationx/apps/${app.id}/things`)).toBe(404);
    expect(await statusOf(`/other/apps/${app.id}/things`)).toBe(404);
  });

  it.each([
    "",
    "/",
    "/nothing",
    "/apps/",
    "//apps",
    "/apps//things",
    "/apps/x/things/",
    "/APPS/x",
    "/apps/x/things/y/z",
  ])("%s returns 404", async (path) => expect(await status(path)).toBe(404));

  it("is matched with percent-encoded letters and digits (RFC 3986 section 6.2.2.2)", async () => {
    expect(await statusOf(`/%61utomation/%61pps/${app.id}/%74hings`)).toBe(200);
    expect(await statusOf(`/automation/apps/${app.id}%2Fthings`)).toBe(404);
  });

  it("decodes its segments once", async () => {
    const word = async (segment: string) =>
      JSON.parse(await (await call(`/apps/${app.id}/echo/${segment}`, { method: "PUT" })).text()).word;
    expect(await word("a%2Fb")).toBe("a/b");
    expect(await word("%252e%252e")).toBe("%2e%2e");
    expect(await word("%E2%82%AC%20x")).toBe("€ x");
    expect(await word("a+b")).toBe("a+b");
    expect(await word("x".repeat(1_024))).toHaveLength(1_024);
  });

  it.each(["%", "%zz", "%ff", "%C0%AF", "%E2%82"])("is rejected as malformed with the segment %s", async (segment) => {
    expect(await refusal(await call(`/apps/${app.id}/echo/${segment}`, { method: "PUT" }))).toEqual([400, "malformed"]);
  });

  it.each(["%2e%2e", "..%2f..", "a%2fb", "%00", "x".repeat(200), "thing:1", "💧", "key_1", "__proto__", "constructor"])(
    "returns 404 with the id %s",
    async (id) => expect(await status(`/apps/${app.id}/things/${id}`)).toBe(404),
  );

  it("is rejected when it is too long", async () => {
    expect(await status(`/apps/${"x".repeat(12_000)}`)).toBe(400);
    expect(await status(`/apps/${app.id}/echo/${"x".repeat(2_000)}`)).toBe(405);
  });

  it("yields a Location without the Host header of the client", async () => {
    const request = new Request(`https://evil.test/automation${things}`, json({ name: "x" }));
    request.headers.set("authorization", `Bearer ${app.key}`);
    const response = await table.fetch(request);
    expect(response.headers.get("location")).toMatch(`${BASE}${things}/thing_`);
  });
});

describe("a Host header", () => {
  const get = (host: string, path: string) =>
    table.fetch(new Request(`${BASE}${path}`, { headers: { host, authorization: `Bearer ${app.key}` } }));

  it.each(["x:99999", "xn--a", "[::1", "a b", "a/b", "a@b", "1.2.3.256", "_%"])(
    "returns 400 on every route when it is %s",
    async (host) => {
      for (const path of [things, "/health", "/nothing", "/public/bytes/1"]) {
        expect(await refusal(await get(host, path))).toEqual([400, "malformed"]);
      }
    },
  );

  it.each(["", "localhost", "localhost:3000", "[::1]:3000", "my_service:80", "127.0.0.1", "bücher.example"])(
    "is accepted as %j",
    async (host) => expect((await get(host, things)).status).toBe(200),
  );
});

describe("request methods", () => {
  it("that a path does not support return 405 with Allow", async () => {
    for (const method of ["PUT", "PATCH", "DELETE", "PROPFIND"]) {
      const response = await call(things, { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
      expect((await problemOf(response)).code).toBe("method_not_allowed");
    }
  });

  it("HEAD returns the headers of GET without the body", async () => {
    for (const path of [things, `${things}/nothing`, `/apps/${app.id}/tags?tags=é`]) {
      const [get, head] = [await call(path), await call(path, { method: "HEAD" })];
      expect(head.status).toBe(get.status);
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
      expect(head.headers.get("content-length")).toBe(
        path.endsWith("nothing") ? head.headers.get("content-length") : String((await get.arrayBuffer()).byteLength),
      );
      expect(await head.text()).toBe("");
    }
  });

  it("HEAD cancels a streamed body", async () => {
    const before = made.cancelled;
    const head = await call("/public/bytes/1000000", { method: "HEAD" });
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, '"1"', ""]);
    expect(made.cancelled).toBe(before + 1);
  });

  it("OPTIONS lists the methods without a key", async () => {
    const response = await call(things, { method: "OPTIONS", key: null });
    expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, POST, HEAD, OPTIONS"]);
    expect((await call("/nothing", { method: "OPTIONS" })).status).toBe(404);
  });
});

describe("a response", () => {
  it("has a content type, no-store, nosniff and a request id", async () => {
    for (const path of [things, "/nothing", `/apps/${app.id}/broken`]) {
      const { headers } = await call(path);
      expect(headers.get("content-type")).toMatch(/^application\/(problem\+)?json$/);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-request-id")).toMatch(/^req_/);
    }
  });

  it("echoes a request id that is safe in headers and logs", async () => {
    const id = async (given: string) =>
      (await call(things, { headers: { "x-request-id": given } })).headers.get("x-request-id");
    expect(await id("trace-7:a.b_c")).toBe("trace-7:a.b_c");
    for (const given of ["", "a b", '"><script>', "x".repeat(129)]) expect(await id(given)).toMatch(/^req_/);
  });

  it("to a creation has a Location", async () => {
    const response = await call(`/apps/me/things`, json({ name: "x" }));
    const { id } = JSON.parse(await response.text());
    expect([response.status, response.headers.get("location")]).toEqual([201, `${BASE}${things}/${id}`]);
    expect((await call(`/apps/me/things/${id}`)).status).toBe(200);
  });

  it("to a deletion has no body", async () => {
    const { id } = JSON.parse(await (await call(things, json({ name: "x" }))).text());
    const response = await call(`${things}/${id}`, { method: "DELETE" });
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });

  it("to an internal error hides the cause, which is logged", async () => {
    const response = await call(`/apps/${app.id}/broken`);
    const text = await response.clone().text();
    expect(await refusal(response)).toEqual([500, "internal"]);
    const request_id = response.headers.get("x-request-id") ?? "";
    // Ids contain the time, and so any digits.
    expect(text.replace(request_id, "")).not.toMatch(/42|Error|at /);
    expect(table.logged).toContainEqual(
      expect.objectContaining({ request_id, error: expect.objectContaining({ message: "the secret is 42" }) }),
    );
  });
});

describe("a page of a list", () => {
  it("omits links that would make its headers larger than clients accept", async () => {
    const { app, call } = await createTable();
    const list = `/apps/${app.id}/things`;
    for (let n = 0; n < 3; n++) await call(list, json({ name: `t${n}` }));
    const page = async (chars: number) => {
      // Nine characters each in a URL.
      const { status, headers } = await call(`${list}?take=1&page=2&tags=${encodeURIComponent("€".repeat(chars))}`);
      const link = headers.get("link") ?? "";
      expect([status, link.length <= 4_096]).toEqual([200, true]);
      return [...link.matchAll(/rel="(\w+)"/g)].map(([, relation]) => relation);
    };
    expect(await page(50)).toEqual(["first", "prev", "next", "last"]);
    expect(await page(300)).toEqual(["next"]);
    expect(await page(1_024)).toEqual([]);
  });

  it("links to the other pages", async () => {
    const { app, call } = await createTable();
    const list = `/apps/${app.id}/things`;
    for (let n = 0; n < 5; n++) await call(list, json({ name: `t${n}` }));
    const links = (response: Response) =>
      Object.fromEntries(
        [...(response.headers.get("link") ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]),
      );

    const second = await call(`${list}?take=2&page=2&tags=a%26b`);
    expect(links(second)).toEqual({
      first: `${BASE}${list}?take=2&tags=a%26b&page=1`,
      prev: `${BASE}${list}?take=2&tags=a%26b&page=1`,
      next: `${BASE}${list}?take=2&tags=a%26b&page=3`,
      last: `${BASE}${list}?take=2&tags=a%26b&page=3`,
    });
    expect(second.headers.get("x-total-count")).toBe("5");

    const beyond = await call(`${list}?take=2&page=9`);
    expect([await beyond.text(), links(beyond)["prev"], links(beyond)["next"]]).toEqual([
      "[]",
      `${BASE}${list}?take=2&page=3`,
      undefined,
    ]);

    const seen: string[] = [];
    for (let path: string | undefined = `${list}?take=2`; path !== undefined; ) {
      const response = await call(path);
      seen.push(...JSON.parse(await response.text()).map((thing: { name: string }) => thing.name));
      const token = response.headers.get("x-next-page-token");
      path = token === null ? undefined : `${list}?take=2&page_token=${token}`;
      if (seen.length === 4) expect(links(response)["next"]).toBe(`${BASE}${path}`);
    }
    expect(seen).toEqual(["t4", "t3", "t2", "t1", "t0"]);
  });
});

describe("If-Match", () => {
  const ask = (method: string, condition: Record<string, string>) =>
    call(echo, { method, headers: condition, ...(method === "PUT" ? { body: null } : {}) });

  it.each(['"x"', 'W/"x"', '"x", "y"'])(
    "%s returns 412 and changes nothing on routes without an ETag",
    async (tags) => {
      const before = (await call(things)).headers.get("x-total-count");
      const refused = await call(things, { ...json({ name: "x" }), headers: { "if-match": tags } });
      expect(await refusal(refused)).toEqual([412, "precondition_failed"]);
      expect((await call(things)).headers.get("x-total-count")).toBe(before);
      expect(await refusal(await ask("PUT", { "if-match": tags }))).toEqual([412, "precondition_failed"]);
    },
  );

  it("* matches an existing resource", async () => {
    expect((await ask("PUT", { "if-match": "*" })).status).toBe(200);
    expect(await refusal(await call(`${things}/none`, { headers: { "if-match": "*" } }))).toEqual([404, "not_found"]);
  });

  it("is evaluated after authentication", async () => {
    expect((await call(echo, { method: "PUT", key: null, headers: { "if-match": '"x"' } })).status).toBe(401);
  });
});

describe("If-None-Match", () => {
  it("* returns 412 for writes to an existing resource; a tag is ignored without an ETag", async () => {
    const put = (value: string) => call(echo, { method: "PUT", headers: { "if-none-match": value } });
    expect(await refusal(await put("*"))).toEqual([412, "precondition_failed"]);
    expect((await put('"x"')).status).toBe(200);
    expect((await call(things, { headers: { "if-none-match": '"x"' } })).status).toBe(200);
  });
});

describe("CORS", () => {
  const from = (origin: string, init: RequestInit = {}) => ({ ...init, headers: { origin, ...init.headers } });

  it("is disabled by default", async () => {
    const { headers } = await call(things, from("https://a.test"));
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("allows the configured origins, including on error responses", async () => {
    const { call, app } = await createTable({ cors: { origins: ["https://a.test"] } });
    for (const path of [`/apps/${app.id}/things`, "/nothing"]) {
      const known = (await call(path, from("https://a.test"))).headers;
      expect(known.get("access-control-allow-origin")).toBe("https://a.test");
      expect(known.get("access-control-expose-headers")).toMatch(/Location.*X-Total-Count/);
      expect(known.get("vary")).toBe("Origin");
      const other = (await call(path, from("https://b.test"))).headers;
      expect([other.get("access-control-allow-origin"), other.get("vary")]).toEqual([null, "Origin"]);
    }
  });

  it("answers preflight requests", async () => {
    const { call, app } = await createTable({ cors: { origins: "*", maxAge: 60 } });
    const asks = { method: "OPTIONS", headers: { "access-control-request-method": "POST" } };
    const { status, headers } = await call(`/apps/${app.id}/things`, { ...from("https://a.test", asks), key: null });
    expect([status, headers.get("access-control-allow-origin"), headers.get("access-control-max-age")]).toEqual([
      204,
      "*",
      "60",
    ]);
    expect(headers.get("access-control-allow-methods")).toContain("POST");
    expect(headers.get("access-control-allow-headers")).toMatch(/Authorization, Content-Type, Idempotency-Key/);
    const taken = (headers.get("access-control-allow-headers") ?? "").split(", ");
    const conditions = ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range"];
    expect(taken).toEqual(expect.arrayContaining(["Last-Event-ID", "Prefer", "X-Request-Id", ...conditions]));
  });
});

it("parses `wait` of the Prefer header", async () => {
  const wait = async (prefer: string) =>
    JSON.parse(await (await call(echo, { method: "PUT", headers: { prefer } })).text()).wait;
  expect(await Promise.all(["wait=5", "respond-async, wait=10", 'Wait="7"'].map(wait))).toEqual([5, 10, 7]);
  expect(await Promise.all(["wait", "wait=-1", "wait=x", "await=5", ""].map(wait))).toEqual([0, 0, 0, 0, 0]);
});
