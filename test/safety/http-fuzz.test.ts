/** Any request gets a machine-readable response, and never a 5xx status. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ADMIN_KEY, BASE, createTable, problemOf } from "../support/http/http-table.ts";

const table = await createTable({ bodyBytes: 1024 * 1024 });
const { app } = table;

const odd = fc.constantFrom(
  "",
  ".",
  "..",
  "%2e%2e",
  "%",
  "%zz",
  "%00",
  "%ff",
  "me",
  app.id,
  "app_x",
  "__proto__",
  "constructor",
  "a%2Fb",
  "💥",
  "x".repeat(300),
  "apps",
  "things",
  "keys",
  "echo",
  "tags",
  "public",
  "count",
);
const segment = fc.oneof(
  { weight: 3, arbitrary: odd },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
);
const path = fc.oneof(
  fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join("/")}`),
  segment.map((last) => `/apps/${app.id}/things/${last}`),
  fc.constantFrom(
    `/apps/${app.id}/things`,
    "/apps/me/things",
    "/apps",
    `/apps/${app.id}/keys`,
    `/apps/${app.id}/echo/x`,
    "/public/count",
  ),
);
const name = fc.oneof(
  fc.constantFrom("page", "take", "tags", "tags[]", "[]", "page_token", "search", "__proto__", "toString", ""),
  fc.string(),
);
const search = fc
  .array(fc.tuple(name, fc.oneof(fc.string({ unit: "grapheme" }), fc.integer().map(String))), { maxLength: 5 })
  .map((pairs) => new URLSearchParams(pairs).toString());
const rawSearch = fc.string({ maxLength: 40 }).map((text) => text.replaceAll("#", ""));
const method = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "get", "X");
const visible = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
});
const authorization = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(`Bearer ${app.key}`, `Bearer ${ADMIN_KEY}`) },
  { weight: 1, arbitrary: visible },
);
const header = (known: string[]) => fc.option(fc.oneof(fc.constantFrom(...known), visible), { nil: undefined });
const headers = fc.record({
  authorization: fc.option(authorization, { nil: undefined }),
  "content-type": header(["application/json", "application/json; charset=utf-16", "multipart/form-data; boundary=x"]),
  "content-length": header(["0", "-1", "1e9", "9999999999"]),
  "content-encoding": header(["gzip", "identity"]),
  "idempotency-key": header(["k", "l"]),
  prefer: header(["wait=1", "wait=99999999999"]),
  origin: header(["https://a.test", "null"]),
  "x-request-id": header(["x"]),
  range: header(["bytes=0-"]),
});
const text = fc.oneof(
  fc.json(),
  fc.jsonValue().map((value) => JSON.stringify({ name: "x", data: value })),
  fc.constantFrom(
    "{",
    "[".repeat(100_000),
    `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
    "1e400",
    '{"__proto__":{"name":1}}',
    '{"name":"\\ud800"}',
    "\ufeff{}",
  ),
  fc.string(),
);
const body = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) });

it("answers any HTTP request with success or a problem, never with a 5xx status", async () => {
  const property = fc.asyncProperty(
    path,
    fc.oneof(search, rawSearch),
    method,
    headers,
    body,
    async (path, search, method, given, body) => {
      const request = new Request(`${BASE}${path}?${search}`, {
        method,
        headers: Object.entries(given).flatMap(([name, value]): [string, string][] =>
          value === undefined ? [] : [[name, value]],
        ),
        ...(["GET", "HEAD", "get"].includes(method) ? {} : { body: body as BodyInit }),
      });
      const response = await table.fetch(request);
      expect(response.status, `${method} ${request.url}`).toBeLessThan(500);
      if (response.status >= 400 && method !== "HEAD") await problemOf(response);
      else await response.arrayBuffer();
    },
  );
  await fc.assert(property, { numRuns: 400 });
  expect(table.logged).toEqual([]);
});

it("echoes any JSON body unchanged", async () => {
  const property = fc.asyncProperty(fc.jsonValue({ maxDepth: 8 }), async (value) => {
    const sent = JSON.stringify(value);
    const response = await table.call(`/apps/${app.id}/echo/x`, {
      method: "PUT",
      body: sent,
      headers: { "content-type": "application/json" },
    });
    const answer = await response.text();
    if (/"__proto__":/.test(sent)) expect(response.status).toBe(400);
    else expect(JSON.stringify(JSON.parse(answer).body)).toBe(JSON.stringify(JSON.parse(sent)));
  });
  await fc.assert(property, { numRuns: 200 });
});
