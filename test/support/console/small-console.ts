/** A console of two files, and a browser that uses it: it keeps the cookie and sends what the page sends. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { MOUNT_PLACE, type WebConsole } from "../../../src/console/web-console.ts";
import type { Options } from "../../../src/index.ts";
import { BASE, createTestHost, type TestHost } from "../http/transports.ts";

export const SCRIPT = "assets/index-1a2b3c4d.js";
export const SCRIPT_TEXT = 'console.log("page");'.repeat(50);

export function smallConsole(more: Partial<WebConsole> = {}): WebConsole {
  const content = Buffer.from(SCRIPT_TEXT);
  const file = {
    type: "text/javascript; charset=utf-8",
    digest: createHash("sha256").update(content).digest("hex"),
    size: content.length,
    gzip: async () => new Uint8Array(gzipSync(content)),
  };
  const page = `<!doctype html><html data-mount="${MOUNT_PLACE}"><script src="${MOUNT_PLACE}/console/${SCRIPT}"></script></html>`;
  return { load: async () => ({ page, files: new Map([[SCRIPT, file]]) }), ...more };
}

export type Headers = Readonly<Record<string, string>>;

export interface Browser {
  /** Sends what the page sends. @param headers Replace those of the page; an empty one is left out. */
  send(method: string, path: string, body?: object, headers?: Headers): Promise<Response>;
  /** Name and value of the cookie; empty for none. */
  cookie: string;
  /** The last Set-Cookie header. */
  setCookie: string | null;
}

type Fetch = TestHost["stepwell"]["fetch"];

export function createBrowser(fetch: Fetch, base = BASE): Browser {
  const { origin } = new URL(base);
  const browser: Browser = {
    cookie: "",
    setCookie: null,
    async send(method, path, body, headers = {}) {
      const all = {
        "stepwell-console": "1",
        "sec-fetch-site": "same-origin",
        cookie: browser.cookie,
        origin: method === "GET" ? "" : origin,
        "content-type": body === undefined ? "" : "application/json",
        ...headers,
      };
      const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
      const init = { method, headers: sent, body: body === undefined ? null : JSON.stringify(body) };
      const response = await fetch(new Request(`${base}${path}`, init));
      const given = response.headers.get("set-cookie");
      if (given !== null) {
        browser.setCookie = given;
        browser.cookie = given.includes("Max-Age=0") ? "" : (given.split(";")[0] ?? "");
      }
      return response;
    },
  };
  return browser;
}

export interface ConsoleHost extends TestHost {
  readonly browser: Browser;
  /** Another browser. */
  another(): Browser;
}

export function openConsole(options: Partial<Options> = {}, more: Partial<WebConsole> = {}): ConsoleHost {
  const host = createTestHost(true, { console: smallConsole(more), ...options });
  const another = () => createBrowser(host.stepwell.fetch, options.baseUrl);
  return { ...host, browser: another(), another };
}
