/** The files of the console, as a server sends them. */
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { webConsole } from "../../adapters/console/web-console.ts";
import { type ConsoleHost, openConsole, SCRIPT, SCRIPT_TEXT } from "../support/console/small-console.ts";
import { BASE } from "../support/http/transports.ts";

let host: ConsoleHost | undefined;
afterEach(() => host?.stepwell.close());

function open(...given: Parameters<typeof openConsole>): (path: string, init?: RequestInit) => Promise<Response> {
  host = openConsole(...given);
  const { fetch } = host.stepwell;
  const base = given[0]?.baseUrl ?? BASE;
  return (path, init) => fetch(new Request(`${base}${path}`, { redirect: "manual", ...init }));
}

describe("the page", () => {
  it("is at /console, with and without a slash, and at every address below it", async () => {
    const get = open();
    const first = await get("/console/");
    const html = await first.text();
    expect(first.status).toBe(200);
    expect(first.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(first.headers.get("cache-control")).toBe("no-cache");
    for (const path of [
      "/console/apps/app_1",
      "/console/apps/app_1/",
      "/console/index.html",
      "/console",
      "/console?once=abc",
      "/console/?once=abc",
      "/console/docs/runs.create",
      "/console/..%2f..%2fpackage.json",
      "/console/apps/%",
      "/console/runs/%E0%A4%A/steps",
    ]) {
      const response = await get(path);
      expect([response.status, await response.text()], path).toEqual([200, html]);
    }
  });

  it.each([
    ["https://stepwell.test", ""],
    ["https://stepwell.test/a/b", "/a/b"],
    ["https://stepwell.test/a&b", "/a&amp;b"],
  ])("of %s names the mount path", async (baseUrl, mount) => {
    const html = await (await open({ baseUrl })("/console/x/y")).text();
    expect(html).toBe(
      `<!doctype html><html data-mount="${mount}"><script src="${mount}/console/${SCRIPT}"></script></html>`,
    );
  });

  it("is found behind a proxy that removes the mount path", async () => {
    open({ baseUrl: "https://stepwell.test/a/b" });
    for (const path of ["/console/", "/console"]) {
      const page = await host?.stepwell.fetch(new Request(`http://10.0.0.1:3000${path}`));
      expect(await page?.text(), path).toContain(`src="/a/b/console/${SCRIPT}"`);
    }
  });

  it("is sent again only if it has changed", async () => {
    const get = open();
    const etag = (await get("/console/")).headers.get("etag") ?? "";
    const again = await get("/console/apps", { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect(again.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("has a strict policy", async () => {
    const { headers } = await open()("/console/");
    expect(headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "worker-src 'self'",
      "manifest-src 'self'",
      "frame-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("permissions-policy")).toContain("camera=()");
  });

  it("can be shown in frames of the origins that the host names", async () => {
    const frameAncestors = ["https://intranet.test", "https://other.test:8443"];
    const { headers } = await open({}, { frameAncestors })("/console/");
    expect(headers.get("content-security-policy")).toContain(
      "frame-ancestors https://intranet.test https://other.test:8443;",
    );
  });
});

describe("a file", () => {
  it("is sent as it is stored to those who accept gzip, and may be kept", async () => {
    const response = await open()(`/console/${SCRIPT}`, { headers: { "accept-encoding": "br, gzip" } });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("vary")).toBe("accept-encoding");
    expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    expect(gunzipSync(bytes).toString()).toBe(SCRIPT_TEXT);
  });

  it.each(["", "br", "gzip;q=0", "identity"])("is sent unpacked for Accept-Encoding: %s", async (accepted) => {
    const response = await open()(`/console/${SCRIPT}`, { headers: { "accept-encoding": accepted } });
    expect(response.headers.has("content-encoding")).toBe(false);
    expect(response.headers.get("content-length")).toBe(String(SCRIPT_TEXT.length));
    expect(await response.text()).toBe(SCRIPT_TEXT);
  });

  it("has an ETag for each of both forms", async () => {
    const get = open();
    const [plain, packed] = await Promise.all(
      ["identity", "gzip"].map((accepted) => get(`/console/${SCRIPT}`, { headers: { "accept-encoding": accepted } })),
    );
    const etag = packed?.headers.get("etag") ?? "";
    expect(plain?.headers.get("etag")).not.toBe(etag);
    const asked = { "accept-encoding": "gzip", "if-none-match": `"other", W/${etag}` };
    expect((await get(`/console/${SCRIPT}`, { headers: asked })).status).toBe(304);
    const other = { "accept-encoding": "identity", "if-none-match": etag };
    expect((await get(`/console/${SCRIPT}`, { headers: other })).status).toBe(200);
  });

  it("has the same headers for HEAD, without a body", async () => {
    const get = open();
    const [head, full] = await Promise.all(
      ["HEAD", "GET"].map((method) => get(`/console/${SCRIPT}`, { method, headers: { "accept-encoding": "gzip" } })),
    );
    expect(await head?.text()).toBe("");
    for (const name of ["etag", "content-type", "content-length", "content-encoding", "cache-control"])
      expect(head?.headers.get(name), name).toBe(full?.headers.get(name));
  });

  it.each([
    "/console/assets/index-00000000.js",
    "/console/favicon.ico",
    "/console/assets/%2e%2e/%2e%2e/package.json",
    "/console/%00.js",
    "/console/__proto__.js",
  ])("is not found at %s", async (path) => {
    const response = await open()(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });

  it.each(["POST", "PUT", "DELETE", "PATCH"])("cannot be changed by %s", async (method) => {
    const response = await open()(`/console/${SCRIPT}`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

describe("without the option", () => {
  it.each([
    ["GET", "/console"],
    ["GET", "/console/"],
    ["GET", `/console/${SCRIPT}`],
    ["GET", "/console/session"],
    ["POST", "/console/session"],
    ["DELETE", "/console/session"],
  ])("%s %s responds with 404", async (method, path) => {
    const get = open({ console: undefined });
    const body = method === "POST" ? '{"key":"a"}' : null;
    const headers = { "stepwell-console": "1", "content-type": "application/json" };
    const response = await get(path, { method, body, headers });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining("webConsole()") });
  });

  it("no address can be created that signs in", async () => {
    open({ console: undefined });
    const creating = host?.stepwell.console.createSignIn({ admin: true });
    await expect(creating).rejects.toMatchObject({ code: "not_configured" });
  });
});

describe("webConsole()", () => {
  it.each([
    ["session", { session: "me" as never }],
    ["signIn", { signIn: "javascript:alert(1)" }],
    ["signIn", { signIn: "//elsewhere.test" }],
    ["signIn", { signIn: "/\\elsewhere.test" }],
    ["signIn", { signIn: "/\t/elsewhere.test" }],
    ["frameAncestors", { frameAncestors: ["https://a.test/path"] }],
    ["frameAncestors", { frameAncestors: ["https://a.test; script-src *"] }],
    ["frameAncestors", { frameAncestors: ["https://user:word@a.test"] }],
    ["frameAncestors", { frameAncestors: "https://a.test" as never }],
    ['signin: Unknown field. Did you mean "signIn"?', { signin: "/login" } as never],
    ["the options: Must be an object", null as never],
  ])("rejects what is wrong: %s", (name, options) => {
    expect(() => webConsole(options)).toThrow(name);
  });
});
