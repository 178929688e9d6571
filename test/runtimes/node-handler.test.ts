/** toNodeHandler: signals, backpressure, and bodies that a parser has read. */
import { once } from "node:events";
import { Agent, createServer, type RequestListener, type Server } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { toNodeHandler } from "../../adapters/http/node.ts";
import { createTestService } from "../../src/testing/index.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { fillBuffers } from "../support/http/fill-buffers.ts";
import { until } from "../support/until.ts";
import { answerOf, rawRequest, textOf } from "./target.ts";

const MEBI = 1024 * 1024;
let server: Server | undefined;

async function listen(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a server without a port");
  return `http://127.0.0.1:${address.port}`;
}

function close(): void {
  server?.closeAllConnections();
  server?.close();
}
afterEach(() => {
  vi.useRealTimers();
  close();
});

/** Reads like a parser that knows the length: the last piece, but not the end of the stream. */
async function readAll(request: Request): Promise<void> {
  const reader = request.body?.getReader();
  for (let size = 0; size < 4 * MEBI; ) size += (await reader?.read())?.value?.byteLength ?? 4 * MEBI;
}

describe("toNodeHandler", () => {
  it("accepts a fetch function", async () => {
    const url = await listen(toNodeHandler(async (request) => new Response(await request.text())));
    expect(await (await fetch(url, { method: "POST", body: "as it came" })).text()).toBe("as it came");
  });

  it("sends every header that the host sets or adds, each cookie in its own", async () => {
    const { stepwell, close } = await createTestService();
    const withCookies = (response: Response) => {
      response.headers.append("set-cookie", "a=1; Path=/");
      response.headers.append("set-cookie", "b=2");
      response.headers.set("x-host", "yes");
      return response;
    };
    const url = await listen(
      toNodeHandler(async (request, host) =>
        withCookies(request.url.endsWith("/own") ? new Response("own") : await stepwell.fetch(request, host)),
      ),
    );
    for (const [path, status] of [
      ["/own", 200],
      ["/unknown", 404],
    ] as const) {
      const answer = await fetch(url + path);
      expect([answer.status, answer.headers.getSetCookie(), answer.headers.get("x-host")]).toEqual([
        status,
        ["a=1; Path=/", "b=2"],
        "yes",
      ]);
      expect((await answer.text()).length).toBeGreaterThan(0);
    }
    await close();
  });

  it.each([[undefined], [null], [{}], [{ fetch: "fetch" }], ["fetch"]])("throws a TypeError for %j", (given) => {
    expect(() => Reflect.apply(toNodeHandler, undefined, [given])).toThrow(
      new TypeError("toNodeHandler needs a service from createStepwell or a fetch function."),
    );
  });

  it("returns 500 without the reason when fetch rejects, and logs it", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken = new TypeError("stepwell.fetch is not a function");
    const answer = await fetch(await listen(toNodeHandler(() => Promise.reject(broken))));
    expect([answer.status, await answer.text()]).toEqual([500, "Internal Server Error"]);
    expect(logged).toHaveBeenCalledWith(broken);
    logged.mockRestore();
  });

  it.each(["x:99999", "xn--a"])("returns 400 on every path with the Host header %s", async (host) => {
    const { stepwell, close } = await createTestService();
    const url = await listen(toNodeHandler(stepwell));
    for (const path of ["/health", "/apps/{x}/files", "/public/apps/files/afile_x/content?app=a", "/a?q='\\"]) {
      const answer = await answerOf(rawRequest(url, { path, headers: { host } }).end());
      expect([path, answer.statusCode, await textOf(answer)]).toEqual([
        path,
        400,
        expect.stringContaining("header host"),
      ]);
    }
    await close();
  });

  it("aborts the request's signal when the client disconnects before the response", async () => {
    let signal: AbortSignal | undefined;
    const fetch = (request: Request) => {
      signal = request.signal;
      return new Promise<Response>(() => {});
    };
    const sent = rawRequest(await listen(toNodeHandler({ fetch })), { method: "POST" });
    const ended = answerOf(sent).catch((error: Error) => error.message);
    sent.end("{}");
    await until(() => signal !== undefined);
    expect(signal?.aborted).toBe(false);
    sent.destroy();
    expect(await ended).toBe("socket hang up");
    await until(() => signal?.aborted === true);
  });

  it("aborts, and ends the body with an error, when the client disconnects while sending", async () => {
    const seen: string[] = [];
    const fetch = async (request: Request) => {
      request.signal.addEventListener("abort", () => seen.push("aborted"));
      try {
        for await (const chunk of request.body ?? []) if (chunk.byteLength > 0 && seen.length === 0) seen.push("began");
        seen.push("whole");
      } catch {
        seen.push("broken");
      }
      return new Response(null);
    };
    const url = await listen(toNodeHandler({ fetch }));
    const sent = rawRequest(url, { method: "POST", headers: { "content-length": "1000" } });
    answerOf(sent).catch(() => {}); // the client is gone
    sent.write("some");
    await until(() => seen.includes("began"));
    sent.destroy();
    await until(() => seen.length === 3);
    expect(seen.sort()).toEqual(["aborted", "began", "broken"]);
  });

  it("does not abort after the response was sent", async () => {
    let aborted = false;
    const fetch = async (request: Request) => {
      request.signal.addEventListener("abort", () => {
        aborted = true;
      });
      return new Response(await request.text());
    };
    const url = await listen(toNodeHandler({ fetch }));
    const answer = await globalThis.fetch(url, { method: "POST", body: "all of it" });
    expect(await answer.text()).toBe("all of it");
    await turnEventLoop();
    expect(aborted).toBe(false);
  });

  it("reads a response body only as fast as its client, and cancels it when the client disconnects", async () => {
    let given = 0;
    let canceled = false;
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          given += 1;
          controller.enqueue(new Uint8Array(MEBI));
        },
        cancel() {
          canceled = true;
        },
      });
    const sent = rawRequest(await listen(toNodeHandler({ fetch: async () => new Response(body()) })), {});
    sent.end();
    const answer = await answerOf(sent);
    answer.pause();
    // Data is produced until the buffers of both sockets are full.
    let before = -1;
    await until(async () => {
      if (given > 0 && given === before) return true;
      before = given;
      await turnEventLoop();
      return false;
    });
    expect(given).toBeLessThan(32);
    answer.destroy();
    await until(() => canceled);
  });

  it("reads a request body only as fast as it is consumed", async () => {
    let proceed = () => {};
    const fetch = async (request: Request) => {
      await new Promise<void>((resolve) => {
        proceed = resolve;
      });
      let size = 0;
      for await (const chunk of request.body ?? []) size += chunk.byteLength;
      return new Response(String(size));
    };
    const sent = rawRequest(await listen(toNodeHandler({ fetch })), { method: "POST" });
    const { written, isHeld } = await fillBuffers(sent);
    expect(isHeld).toBe(true);
    proceed();
    sent.end();
    expect(await textOf(await answerOf(sent))).toBe(String(written * MEBI));
  });

  it.each([
    ["application/json", { body: { a: [1, "ü"] } }, '{"a":[1,"ü"]}'],
    ["application/merge-patch+json; charset=utf-8", { body: null }, "null"],
    ["application/x-www-form-urlencoded", { body: { a: "1 2", b: ["x", "y"] } }, "a=1+2&b=x&b=y"],
    ["text/plain", { body: "as text" }, "as text"],
    ["application/pdf", { body: Buffer.from("as bytes") }, "as bytes"],
    ["application/json", { body: { parsed: true }, rawBody: Buffer.from('{ "raw": 1 }') }, '{ "raw": 1 }'],
  ])("restores a %s body that a parser has consumed", async (type, parsed, expected) => {
    const readers = [(request: Request) => request.text(), (request: Request) => new Response(request.body).text()];
    for (const read of readers) {
      const handler = toNodeHandler({ fetch: async (request) => new Response(await read(request)) });
      const url = await listen(async (request, response) => {
        for await (const _ of request);
        handler(Object.assign(request, parsed), response);
      });
      const answer = await fetch(url, { method: "POST", headers: { "content-type": type }, body: "whatever it was" });
      expect(await answer.text()).toBe(expected);
      close();
    }
  });

  it("reports how to handle a body that a parser consumed and discarded", async () => {
    const handler = toNodeHandler({ fetch: async (request) => new Response(await request.text()) });
    const logged: unknown[] = [];
    const url = await listen(async (request, response) => {
      for await (const _ of request);
      handler(request, response, (error) => {
        logged.push(error);
        response.end("passed on");
      });
    });
    const answer = await fetch(url, { method: "POST", headers: { "content-type": "image/png" }, body: "x" });
    expect(await answer.text()).toBe("passed on");
    expect(String(logged)).toContain("Mount stepwell before that middleware");
  });

  it.each([
    ["that is not read", () => undefined],
    ["that is read in part", (request: Request) => request.body?.getReader().read()],
    ["that is read without its end", readAll],
  ])("keeps the connection alive after a body %s", async (_, read) => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const fetch = async (request: Request) => {
      if (request.method === "POST") await read(request);
      else await vi.advanceTimersByTimeAsync(2_500); // longer than the wait for a body
      return new Response("no", { status: 403 });
    };
    const url = await listen(toNodeHandler({ fetch }));
    const sockets = new Set<number>();
    server?.on("connection", ({ remotePort = 0 }) => sockets.add(remotePort));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const method of ["POST", "POST", "GET"]) {
      const sent = rawRequest(url, { method, agent });
      sent.end(method === "POST" ? new Uint8Array(4 * MEBI) : undefined);
      const answer = await answerOf(sent);
      expect([answer.statusCode, await textOf(answer)]).toEqual([403, "no"]);
    }
    expect(sockets.size).toBe(1);
    agent.destroy();
  });

  it("keeps several cookies and a status without a body", async () => {
    const headers = new Headers([
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ]);
    const url = await listen(toNodeHandler({ fetch: async () => new Response(null, { status: 204, headers }) }));
    const answer = await fetch(url);
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(answer.headers.has("content-length")).toBe(false);
  });
});
