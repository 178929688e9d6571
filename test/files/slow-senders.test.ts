/** Slow and stalled senders are timed out, and release what they hold. */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import { toNodeHandler } from "../../adapters/http/node.ts";
import { createTestClock } from "../../src/testing/clock.ts";
import { bytes, createService, FORM, form, outcome, post, streamOf } from "../support/files/service.ts";

const IDLE = 150;
let clock = createTestClock();
beforeEach(() => {
  clock = createTestClock();
});
const slowService = () => createService({ now: clock.now, after: clock.after, bodyIdleMs: IDLE });

/** Advances the clock until the promise has settled. */
async function whileTimePasses<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  while (!isSettled) await clock.advance(IDLE / 15);
  return promise;
}

/** A body that sends a piece per pause, and never ends. */
function slowStream(pieces: readonly Uint8Array[], pause: number): ReadableStream<Uint8Array> {
  const rest = pieces.values();
  return new ReadableStream({
    async pull(controller) {
      await new Promise<void>((resolve) => clock.after(pause, resolve));
      const { value } = rest.next();
      if (value === undefined) return new Promise(() => undefined);
      controller.enqueue(value);
    },
  });
}

const whole = bytes(form("x".repeat(3_000)));
const everyByte = (body: Uint8Array) => Array.from(body, (byte) => Uint8Array.of(byte));

describe("a slow sender", () => {
  it.each([
    ["stops before its first byte", []],
    ["stops within the headers", [whole.slice(0, 20)]],
    ["stops within the content", [whole.slice(0, 2_000)]],
    ["stops before the last byte of the last boundary", [whole.slice(0, -4)]],
    ["sends byte by byte", everyByte(whole)],
  ])("that %s gets 408, and the upload URL accepts the next file", async (_, pieces) => {
    const service = await slowService();
    const { upload_url } = await service.address();
    const response = await whileTimePasses(post(service, upload_url, slowStream(pieces, 10)));
    const answer = await response.json();
    expect(answer).toMatchObject({ status: 408, code: "request_timeout" });
    expect(response.headers.get("connection")).toBe("close");
    expect(answer.detail).toMatch(/less than 1024 bytes within 0.15 seconds/);
    expect(await service.blocks()).toBe(0);
    expect(await outcome(await post(service, upload_url, form("then quickly")))).toBe("201");
    expect(service.errors).toEqual([]);
  });

  it("is accepted at one KiB per idle time", async () => {
    const service = await slowService();
    const { upload_url } = await service.address();
    const pieces = [0, 1_100, 2_200].map((start) => whole.slice(start, start + 1_100));
    const body = slowStream(pieces, IDLE * 0.6);
    const ending = new TransformStream<Uint8Array, Uint8Array>();
    const writer = ending.writable.getWriter();
    const reader = body.getReader();
    const copied = (async () => {
      for (const _ of pieces) await writer.write((await reader.read()).value);
      await writer.close();
    })();
    expect(await outcome(await whileTimePasses(post(service, upload_url, ending.readable)))).toBe("201");
    await copied;
  });

  it("is not timed out while the storage is slow", async () => {
    const service = await slowService();
    const { upload_url } = await service.address();
    const setItemRaw = service.driver.setItemRaw?.bind(service.driver);
    service.driver.setItemRaw = async (key, value, options) => {
      await new Promise<void>((resolve) => clock.after(2 * IDLE, resolve));
      await setItemRaw?.(key, value, options);
    };
    expect(await outcome(await whileTimePasses(post(service, upload_url, streamOf([whole]))))).toBe("201");
  });

  it("of JSON gets 408", async () => {
    const service = await slowService();
    const init = { method: "POST", body: slowStream([bytes("{")], 10), duplex: "half" } as const;
    const headers = { "content-type": "application/json" };
    const toApp = whileTimePasses(service.call("/files/uploads", { ...init, headers }));
    expect(await outcome(await toApp)).toBe("408 request_timeout");
    const { upload_url } = await service.address();
    const toAddress = whileTimePasses(post(service, upload_url, slowStream([bytes("{")], 10), headers));
    expect(await outcome(await toAddress)).toBe("408 request_timeout");
  });

  it("by tus gets 408 and can resume", async () => {
    const service = await slowService();
    const { upload_url } = await service.address();
    const tus = { "tus-resumable": "1.0.0" };
    const patch = (body: ReadableStream<Uint8Array>, offset: number) =>
      service.fetch(
        new Request(upload_url, {
          method: "PATCH",
          body: body as BodyInit,
          headers: {
            ...tus,
            "content-type": "application/offset+octet-stream",
            "upload-offset": String(offset),
            "upload-length": "2000",
          },
          duplex: "half",
        } as RequestInit),
      );
    const slow = whileTimePasses(patch(slowStream([new Uint8Array(1_500)], 10), 0));
    expect(await outcome(await slow)).toBe("408 request_timeout");
    const head = await service.fetch(new Request(upload_url, { method: "HEAD", headers: tus }));
    expect(head.headers.get("upload-offset")).toBe("1500");
    expect((await patch(streamOf([new Uint8Array(500)]), 1_500)).status).toBe(204);
  });

  it("gets 408 and its connection is closed", async () => {
    const service = await slowService();
    const { upload_url } = await service.address();
    const server = createServer(toNodeHandler({ fetch: (request) => service.fetch(new Request(upload_url, request)) }));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const socket = connect(port, "127.0.0.1");
    const { pathname } = new URL(upload_url);
    socket.write(`POST ${pathname} HTTP/1.1\r\nhost: a\r\ncontent-type: ${FORM}\r\ncontent-length: 5000\r\n\r\n--b`);
    const answer = async () => {
      let text = "";
      for await (const data of socket) text += data;
      return text;
    };
    expect(await whileTimePasses(answer())).toMatch(/^HTTP\/1\.1 408 /);
    server.close();
  });
});
