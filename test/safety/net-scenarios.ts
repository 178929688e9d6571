/** Scenarios of the guarded fetch over real sockets; run on Node.js by vitest, on Bun and Deno by net-run.ts. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { gzipSync } from "node:zlib";
import { createDial } from "../../adapters/net/node-dial.ts";
import { createGuardedFetch } from "../../src/net/guarded-fetch.ts";
import type { GuardedRequest } from "../../src/ports/fetch.ts";
import { withTime } from "../support/frozen-time.ts";

const CERTIFICATE = readFileSync(new URL("tls.cert.pem", import.meta.url), "utf8");
const KEY = readFileSync(new URL("tls.key.pem", import.meta.url), "utf8");

type Resolve = (hostname: string) => Promise<readonly string[]>;
const loopback: Resolve = async () => ["127.0.0.1"];

async function listen(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sockets = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => sockets.add(socket));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function withServer<T>(server: Server, work: (port: number) => Promise<T>): Promise<T> {
  const { port, close } = await listen(server);
  try {
    return await work(port);
  } finally {
    await close();
  }
}

const http = <T>(handler: RequestListener, work: (port: number) => Promise<T>) =>
  withServer(createServer(handler), work);
/** Answers each connection with exactly this text, then closes it. */
const raw = <T>(text: string, work: (port: number) => Promise<T>) =>
  withServer(
    createTcpServer((socket) => socket.on("error", () => undefined).once("data", () => socket.end(text, "latin1"))),
    work,
  );

const open = (port: number, resolve: Resolve = loopback) =>
  createGuardedFetch({ dial: createDial({ resolve }), allow: [`127.0.0.1:${port}`] });
const get = (port: number, path = "/", request?: GuardedRequest) =>
  open(port)(`http://site.test:${port}${path}`, request);

async function refusal(work: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(work, (error: { code?: unknown }) => {
    assert.equal(error.code, code, String(error));
    return true;
  });
}

function body(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    request.on("data", (bytes) => {
      text += bytes;
    });
    request.on("end", () => resolve(text));
  });
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, headers, url } = request;
  response.end(JSON.stringify({ method, url, headers, body: await body(request) }));
}

const redirect = (status: number, location: string, response: ServerResponse) =>
  response.writeHead(status, { location }).end("moved");

function endless(_: IncomingMessage, response: ServerResponse): void {
  const piece = new Uint8Array(65_536);
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", more);
  more();
}

export const scenarios: Readonly<Record<string, () => Promise<void>>> = {
  "connects to the checked address and sends the host name": () =>
    http(echo, async (port) => {
      const answer = await get(port, "/a?b=1", { method: "put", headers: { "x-a": "1" }, body: "text" });
      const seen = await answer.json();
      assert.equal(answer.status, 200);
      assert.equal(answer.url, `http://site.test:${port}/a?b=1`);
      assert.deepEqual([seen.method, seen.url, seen.body], ["PUT", "/a?b=1", "text"]);
      assert.deepEqual([seen.headers.host, seen.headers["x-a"]], [`site.test:${port}`, "1"]);
    }),

  "opens no connection when the name resolves to a private address": () =>
    withServer(
      createTcpServer(() => assert.fail("somebody connected")),
      async (port) => {
        for (const address of [
          "127.0.0.1",
          "::1",
          "::ffff:127.0.0.1",
          "169.254.169.254",
          "fd00:ec2::254",
          "nonsense",
        ]) {
          const fetch = createGuardedFetch({ dial: createDial({ resolve: async () => [address] }) });
          await refusal(fetch(`http://site.test:${port}/`), "address_refused");
        }
        const fetch = createGuardedFetch({ dial: createDial() });
        await refusal(fetch(`http://127.0.0.1:${port}/`), "address_refused");
        await refusal(fetch(`http://localhost:${port}/`), "address_refused");
      },
    ),

  "resolves a name once and ignores later answers": () =>
    http(echo, async (port) => {
      let lookups = 0;
      const rebinding: Resolve = async () => (lookups++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"]);
      const answer = await open(port, rebinding)(`http://site.test:${port}/`);
      assert.equal((await answer.json()).headers.host, `site.test:${port}`);
      assert.equal(lookups, 1);
      await refusal(open(port, rebinding)(`http://site.test:${port}/`), "address_refused");
    }),

  "uses only the permitted ones of several addresses": () =>
    http(echo, async (port) => {
      const answer = await open(port, async () => ["10.0.0.1", "127.0.0.1"])(`http://site.test:${port}/`);
      assert.equal(answer.status, 200);
      await answer.body?.cancel();
    }),

  "verifies the host name with TLS": () =>
    withServer(createTlsServer({ cert: CERTIFICATE, key: KEY }, echo), async (port) => {
      const allow = [`127.0.0.1:${port}`];
      const trusting = createGuardedFetch({ dial: createDial({ resolve: loopback, ca: CERTIFICATE }), allow });
      const answer = await trusting(`https://tls.test:${port}/`);
      assert.equal((await answer.json()).headers.host, `tls.test:${port}`);
      await refusal(trusting(`https://other.test:${port}/`), "fetch_failed");
      await refusal(open(port)(`https://tls.test:${port}/`), "fetch_failed");
    }),

  "checks each redirect again, up to the fifth": () =>
    http(
      ({ url = "" }, response) => {
        const depth = Number(url.slice(1));
        redirect(302, depth === 4 ? "http://inside.test/" : `/${depth + 1}`, response);
      },
      async (port) => {
        const resolve: Resolve = async (name) => [name === "inside.test" ? "10.0.0.1" : "127.0.0.1"];
        await refusal(open(port, resolve)(`http://site.test:${port}/0`), "address_refused");
      },
    ),

  "rejects redirects of any status to private addresses and other schemes": () =>
    http(
      ({ url = "" }, response) => {
        const [, status, target] = url.split("/");
        redirect(Number(status), decodeURIComponent(target ?? ""), response);
      },
      async (port) => {
        for (const status of [301, 302, 303, 307, 308]) {
          for (const target of [
            "http://127.0.0.1:1/",
            "http://[::1]/",
            "file:///etc/passwd",
            "http://u:p@site.test/",
          ]) {
            await refusal(get(port, `/${status}/${encodeURIComponent(target)}`), "address_refused");
          }
        }
        await refusal(get(port, `/302/${encodeURIComponent("http://:::/")}`), "fetch_failed");
      },
    ),

  "stops a redirect loop": () =>
    http(
      (_, response) => redirect(302, "/", response),
      async (port) => {
        await refusal(get(port), "fetch_failed");
        await refusal(get(port, "/", { maxRedirects: 0 }), "fetch_failed");
      },
    ),

  "follows redirects as browsers do": () =>
    http(
      (request, response) => {
        const [, status] = (request.url ?? "").split("/");
        if (status === "end") void echo(request, response);
        else redirect(Number(status), "/end", response);
      },
      async (port) => {
        const post = { method: "POST", body: "x", headers: { authorization: "a", "content-type": "text/x" } };
        for (const [status, method, text] of [
          [301, "GET", ""],
          [302, "GET", ""],
          [303, "GET", ""],
          [307, "POST", "x"],
          [308, "POST", "x"],
        ] as const) {
          const answer = await get(port, `/${status}`, post);
          const seen = await answer.json();
          assert.deepEqual([seen.method, seen.body, seen.headers.authorization], [method, text, "a"]);
          assert.equal(seen.headers["content-type"], method === "GET" ? undefined : "text/x");
          assert.equal(answer.url, `http://site.test:${port}/end`);
        }
      },
    ),

  "drops credentials on a redirect to another origin": () =>
    http(
      (request, response) => {
        if (request.headers.host?.startsWith("other.")) void echo(request, response);
        else redirect(307, `http://other.test:${request.socket.localPort}/`, response);
      },
      async (port) => {
        const secret = { authorization: "a", cookie: "b", "x-api-key": "c", "x-own": "d", "idempotency-key": "e" };
        const harmless = { accept: "text/x", "accept-language": "de", "content-type": "text/y", "user-agent": "u" };
        const request = { method: "POST", body: "x", headers: { ...secret, ...harmless } };
        const seen = await (await get(port, "/", request)).json();
        assert.deepEqual([seen.method, seen.body], ["POST", "x"]);
        assert.deepEqual(
          Object.keys(secret).filter((name) => name in seen.headers),
          [],
        );
        for (const [name, value] of Object.entries(harmless)) assert.equal(seen.headers[name], value);
      },
    ),

  "drops credentials on a redirect back to the first origin": () =>
    http(
      (request, response) => {
        const port = request.socket.localPort;
        if (request.headers.host?.startsWith("other.")) redirect(302, `http://site.test:${port}/end`, response);
        else if (request.url === "/end") void echo(request, response);
        else redirect(302, `http://other.test:${port}/`, response);
      },
      async (port) => {
        const seen = await (await get(port, "/", { headers: { "x-api-key": "a" } })).json();
        assert.equal(seen.headers["x-api-key"], undefined);
      },
    ),

  "returns responses with an error status": () =>
    http(
      ({ url = "" }, response) => response.writeHead(Number(url.slice(1))).end("why"),
      async (port) => {
        for (const status of [404, 500, 304]) {
          const answer = await get(port, `/${status}`);
          assert.equal(answer.status, status);
          assert.equal(await answer.text(), status === 304 ? "" : "why");
        }
      },
    ),

  "counts bytes after decompression": () =>
    http(
      (_, response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(new Uint8Array(10_000_000))),
      async (port) => {
        const answer = await get(port, "/", { maxBytes: 9_999_999 });
        await refusal(answer.bytes?.() ?? answer.arrayBuffer(), "too_large");
        const whole = await (await get(port, "/", { maxBytes: 10_000_000 })).arrayBuffer();
        assert.equal(whole.byteLength, 10_000_000);
      },
    ),

  "rejects invalid, truncated or unrequested compression": () =>
    http(
      ({ url }, response) => {
        response.setHeader("content-encoding", url === "/br" ? "br" : "gzip");
        response.end(url === "/cut" ? gzipSync("some text that is cut").subarray(0, 20) : "plain");
      },
      async (port) => {
        await refusal((await get(port)).text(), "fetch_failed");
        await refusal((await get(port, "/cut")).text(), "fetch_failed");
        await refusal(get(port, "/br"), "fetch_failed");
      },
    ),

  "stops an endless body at the limit and closes the connection": () => {
    let hungUp: () => void;
    const closed = new Promise<void>((resolve) => {
      hungUp = resolve;
    });
    return http(
      (request, response) => {
        response.on("close", () => hungUp());
        endless(request, response);
      },
      async (port) => {
        await refusal((await get(port, "/", { maxBytes: 1_000_000 })).arrayBuffer(), "too_large");
        await closed;
      },
    );
  },

  "accepts a body at the limit and rejects one byte more before reading it": () =>
    http(
      (_, response) => response.end("12345"),
      async (port) => {
        assert.equal(await (await get(port, "/", { maxBytes: 5 })).text(), "12345");
        await refusal(get(port, "/", { maxBytes: 4 }), "too_large");
      },
    ),

  "rejects a body shorter than its Content-Length": () =>
    raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort", async (port) => {
      await refusal((await get(port)).text(), "fetch_failed");
    }),

  "reads no more than its Content-Length": () =>
    raw("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nokEVIL", async (port) => {
      const text = await (await get(port)).text().catch((error: { code: unknown }) => error.code);
      assert.ok(text === "ok" || text === "fetch_failed", String(text));
    }),

  "rejects responses that are not HTTP and endless headers": async () => {
    await raw("220 mail.test ESMTP\r\n", (port) => refusal(get(port), "fetch_failed"));
    await raw("HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n", (port) => refusal(get(port), "fetch_failed"));
    await raw("", (port) => refusal(get(port), "fetch_failed"));
    const heavy = `HTTP/1.1 200 OK\r\n${`x: ${"y".repeat(1_000)}\r\n`.repeat(100)}\r\n`;
    await raw(heavy, (port) => refusal(get(port), "fetch_failed"));
  },

  "rejects an unrequested 101 Switching Protocols at once": () =>
    raw("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nhi", async (port) => {
      await assert.rejects(get(port), { code: "fetch_failed", message: /could not be fetched: .*101/ });
    }),

  "times out when no headers arrive in time, redirects included": () =>
    withTime(async (time) => {
      let requests = 0;
      await http(
        ({ url }, response) => {
          requests++;
          time.pass(60);
          if (url !== "/never") redirect(302, "/", response);
          else time.pass(60);
        },
        async (port) => {
          await refusal(get(port, "/never", { timeoutMs: 100 }), "fetch_failed");
          requests = 0;
          await refusal(get(port, "/", { timeoutMs: 150, maxRedirects: 100 }), "fetch_failed");
          assert.equal(requests, 3);
          const never: Resolve = async () => {
            time.pass(100);
            return new Promise(() => undefined);
          };
          await refusal(open(port, never)(`http://site.test:${port}/`, { timeoutMs: 100 }), "fetch_failed");
        },
      );
    }),

  "times out on a body that stalls or trickles": () =>
    withTime((time) => {
      let trickle: (() => void) | undefined;
      return http(
        (_, response) => {
          response.write("x");
          trickle = () => response.write("x");
        },
        async (port) => {
          const still = refusal((await get(port, "/still", { idleTimeoutMs: 100 })).text(), "fetch_failed");
          await time.passUntil(still, 20);
          const trickling = refusal((await get(port, "/trickle", { idleTimeoutMs: 200 })).text(), "fetch_failed");
          await time.passUntil(trickling, 20, () => trickle?.());
        },
      );
    }),

  "does not count the time that the reader takes": () =>
    withTime((time) =>
      http(
        (_, response) => response.end(new Uint8Array(300_000)),
        async (port) => {
          const answer = await get(port, "/", { idleTimeoutMs: 100 });
          let size = 0;
          for await (const piece of answer.body ?? []) {
            time.pass(250);
            size += piece.byteLength;
          }
          assert.equal(size, 300_000);
        },
      ),
    ),

  "aborts with the reason of the caller": () => {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    return http(
      ({ url }, response) => {
        if (url === "/body") response.write("x");
        else arrive();
      },
      async (port) => {
        const reason = new Error("enough");
        const caller = new AbortController();
        const waiting = get(port, "/head", { signal: caller.signal });
        const reading = (await get(port, "/body", { signal: caller.signal })).text();
        await arrived;
        caller.abort(reason);
        await assert.rejects(waiting, reason);
        await assert.rejects(reading, reason);
        await assert.rejects(get(port, "/", { signal: AbortSignal.abort(reason) }), reason);
      },
    );
  },

  "closes the connection when the body is canceled": () => {
    let hungUp: () => void;
    const closed = new Promise<void>((resolve) => {
      hungUp = resolve;
    });
    return http(
      (request, response) => {
        response.on("close", () => hungUp());
        endless(request, response);
      },
      async (port) => {
        const reader = (await get(port)).body?.getReader();
        await reader?.read();
        await reader?.cancel();
        await closed;
      },
    );
  },

  "sends a streamed body as the server accepts it, and again after a redirect that keeps it": () => {
    let opened = 0;
    const body = {
      size: 6,
      async *open() {
        opened++;
        yield new TextEncoder().encode("abc");
        yield new TextEncoder().encode("def");
      },
    };
    return http(
      async (request, response) => {
        if (request.url === "/first") {
          request.resume();
          response.writeHead(308, { location: "/second" }).end();
          return;
        }
        const pieces: Buffer[] = [];
        for await (const piece of request) pieces.push(piece);
        response.end(`${request.headers["content-length"]} ${Buffer.concat(pieces)}`);
      },
      async (port) => {
        const response = await get(port, "/first", { method: "PUT", body });
        assert.equal(await response.text(), "6 abcdef");
        assert.equal(opened, 2);
      },
    );
  },

  "fails when a streamed body is shorter or longer than announced, or breaks": () =>
    http(
      (request, response) => {
        request.resume().on("end", () => response.end());
      },
      async (port) => {
        const piece = new Uint8Array(10);
        const bodyOf = (size: number, failure?: Error) => ({
          size,
          async *open() {
            yield piece;
            if (failure !== undefined) throw failure;
          },
        });
        await refusal(get(port, "/", { method: "POST", body: bodyOf(11) }), "fetch_failed");
        await refusal(get(port, "/", { method: "POST", body: bodyOf(9) }), "fetch_failed");
        await refusal(
          get(port, "/", { method: "POST", body: bodyOf(20, new Error("the disk broke")) }),
          "fetch_failed",
        );
      },
    ),

  "stops reading a streamed body when the server answers early or the caller aborts": () =>
    http(
      (request, response) => {
        if (request.url === "/early") response.writeHead(413, { connection: "close" }).end("too large");
      },
      async (port) => {
        let opened = 0;
        let ended = 0;
        const body = {
          size: 2 ** 40,
          async *open() {
            opened++;
            try {
              for (;;) yield new Uint8Array(65_536);
            } finally {
              ended++;
            }
          },
        };
        const turn = () => new Promise((later) => setImmediate(later));
        const response = await get(port, "/early", { method: "POST", body });
        assert.equal(response.status, 413);
        await response.body?.cancel();
        const caller = new AbortController();
        const waiting = get(port, "/never", { method: "POST", body, signal: caller.signal });
        while (opened < 2) await turn();
        caller.abort(new Error("enough"));
        await assert.rejects(waiting, /enough/);
        while (ended < 2) await turn();
      },
    ),

  "does not time out a response that began before the streamed body had ended": () =>
    withTime((time) =>
      http(
        (request, response) => {
          response.write("begun ");
          request.resume().on("end", () => response.end("ended"));
        },
        async (port) => {
          let goOn = () => {};
          const held = new Promise<void>((resolve) => {
            goOn = resolve;
          });
          let isSent = false;
          const body = {
            size: 20,
            async *open() {
              yield new Uint8Array(10);
              await held;
              yield new Uint8Array(10);
              isSent = true;
            },
          };
          const response = await get(port, "/", { method: "POST", body, timeoutMs: 5_000 });
          goOn();
          while (!isSent) await new Promise((later) => setImmediate(later));
          time.pass(10_000);
          assert.equal(await response.text(), "begun ended");
        },
      ),
    ),

  "times out a server that accepts no more of a streamed body": () =>
    withTime((time) =>
      http(
        () => undefined, // reads nothing
        async (port) => {
          const body = {
            size: 2 ** 40,
            async *open() {
              for (;;) yield new Uint8Array(65_536);
            },
          };
          const waiting = refusal(get(port, "/", { method: "POST", body, timeoutMs: 5_000 }), "fetch_failed");
          await time.passUntil(waiting, 20);
        },
      ),
    ),

  "reports a refused connection in plain words": async () => {
    const { port, close } = await listen(createServer());
    await close();
    await assert.rejects(get(port), {
      code: "fetch_failed",
      message: /^http:\/\/site\.test:\d+ could not be fetched: ECONNREFUSED/,
    });
    const unknown: Resolve = async () => {
      throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    };
    await assert.rejects(open(port, unknown)(`http://site.test:${port}/`), { message: /ENOTFOUND/ });
  },
};
