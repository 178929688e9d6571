/** stepwellFastify: hooks, body parsers, backpressure and shutdown of the host. */
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { stepwellFastify } from "../../adapters/http/fastify.ts";
import { fillBuffers } from "../support/http/fill-buffers.ts";
import { answerOf, rawRequest, textOf } from "./target.ts";

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

type Fetch = (request: Request) => Promise<Response>;

/** Registers a service below `/automation`, and returns its URL. */
async function mount(fetch: Fetch, prepare: (app: FastifyInstance) => void = () => {}): Promise<string> {
  app = Fastify({ bodyLimit: 4, forceCloseConnections: true });
  prepare(app);
  app.register(stepwellFastify, { prefix: "/automation", stepwell: { fetch, close: async () => {} } });
  return `${await app.listen({ port: 0, host: "127.0.0.1" })}/automation`;
}

const echo: Fetch = async (request) => new Response(await request.text());

describe("stepwellFastify", () => {
  it.each(["application/json", "text/plain", "application/octet-stream", "x/unknown"])(
    "passes the original bytes of a %s body on, whatever the body limit of the host",
    async (type) => {
      const url = await mount(echo);
      const sent = { method: "POST", headers: { "content-type": type }, body: '{ "n" : 1.0 ' };
      const answer = await fetch(`${url}/a`, sent);
      expect([answer.status, await answer.text()]).toEqual([200, sent.body]);
    },
  );

  it("leaves the body parsers of other routes as they are", async () => {
    const url = await mount(echo, (host) => void host.post("/own", async ({ body }) => body));
    const send = (body: string) =>
      fetch(new URL("/own", url), { method: "POST", headers: { "content-type": "application/json" }, body });
    expect(await (await send("[1]")).json()).toEqual([1]);
    expect((await send("[1, 2]")).status).toBe(413);
  });

  it("is protected by the hooks of the host", async () => {
    const seen: string[] = [];
    const url = await mount(echo, (host) => {
      host.addHook("onRequest", async ({ headers }, reply) => {
        if (headers.authorization === undefined) return reply.code(401).send({ error: "no key" });
      });
      host.addHook("preHandler", async ({ headers }, reply) => {
        if (headers.authorization === "wrong") return reply.code(403).send({ error: "wrong key" });
      });
      host.addHook("onResponse", async (_, { statusCode }) => void seen.push(String(statusCode)));
    });
    const status = async (headers: Record<string, string>) => (await fetch(url.concat("/a"), { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: "wrong" })).toBe(403);
    expect(await status({ authorization: "right" })).toBe(200);
    await expect.poll(() => seen).toEqual(["401", "403", "200"]);
  });

  it("sends the headers that hooks set, also with a stream", async () => {
    const chunks = async () => new Response(new Blob(["streamed"]).stream(), { headers: { "x-own": "1" } });
    const url = await mount(chunks, (host) => {
      host.addHook("onRequest", async (_, reply) => {
        reply.header("access-control-allow-origin", "*");
        reply.header("set-cookie", ["a=1", "b=2"]);
      });
    });
    const answer = await fetch(`${url}/a`);
    expect(await answer.text()).toBe("streamed");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("x-own")).toBe("1");
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it("reads a request body only as fast as it is consumed", async () => {
    let proceed = () => {};
    const url = await mount(async (request) => {
      await new Promise<void>((resolve) => {
        proceed = resolve;
      });
      return new Response(String((await request.arrayBuffer()).byteLength));
    });
    const sent = rawRequest(`${url}/a`, { method: "POST", headers: { "content-type": "application/octet-stream" } });
    const { written, isHeld } = await fillBuffers(sent);
    expect(isHeld).toBe(true);
    proceed();
    sent.end();
    expect(await textOf(await answerOf(sent))).toBe(String(written * 1024 * 1024));
  });

  it("returns 500 without the reason when the handler fails, and logs it with the logger of the request", async () => {
    const logged: string[] = [];
    app = Fastify({ logger: { level: "error", stream: { write: (line: string) => void logged.push(line) } } });
    const stepwell = { fetch: () => Promise.reject(new Error("the reason")), close: async () => {} };
    app.register(stepwellFastify, { prefix: "/automation", stepwell });
    const answer = await fetch(`${await app.listen({ port: 0, host: "127.0.0.1" })}/automation/a`);
    expect([answer.status, await answer.text()]).toEqual([500, "Internal Server Error"]);
    expect(logged.join()).toContain("the reason");
  });

  it("rejects a registration without an instance", async () => {
    app = Fastify();
    const register = () =>
      Reflect.apply(app?.register ?? (() => {}), app, [stepwellFastify, { prefix: "/automation" }]);
    await expect(async () => register()).rejects.toThrow("stepwellFastify needs an instance");
    app = undefined;
  });

  it("with closeWithServer, closes the instance first, which ends its event streams", async () => {
    let close = async () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("an event"));
        close = async () => controller.close();
      },
    });
    const stepwell = { fetch: async () => new Response(body), close: () => close() };
    app = Fastify();
    app.register(stepwellFastify, { prefix: "/automation", stepwell, closeWithServer: true });
    const answer = await fetch(`${await app.listen({ port: 0, host: "127.0.0.1" })}/automation/a`);
    await app.close();
    expect(await answer.text()).toBe("an event");
  });

  it("leaves the instance open by default", async () => {
    let isClosed = false;
    const close = async () => {
      isClosed = true;
    };
    app = Fastify();
    app.register(stepwellFastify, { prefix: "/automation", stepwell: { fetch: echo, close } });
    await app.ready();
    await app.close();
    expect(isClosed).toBe(false);
  });
});
