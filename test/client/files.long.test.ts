/** Uploads and downloads: through broken connections, of every kind of body, and with progress. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UploadProgress } from "../../src/client/index.ts";
import { createClient } from "../../src/client/index.ts";
import { bytes, streamOf } from "../support/client/every-function.ts";
import { type Mounted, openMounted } from "../support/client/mounted.ts";
import { createGate } from "../support/gate.ts";

const SIZE = 1_500_000;
const content = bytes(SIZE);
const sha256 = (value: Uint8Array) => createHash("sha256").update(value).digest("hex");

let mounted: Mounted;
beforeAll(async () => {
  mounted = await openMounted();
});
afterAll(() => mounted.close());

let uploadUrl: string;
beforeEach(async () => {
  uploadUrl = (await mounted.stepwell.files.createUpload(mounted.app)).upload_url;
  mounted.intercept(() => false);
});
const uploader = () => createClient({ url: mounted.url });

describe.each<[string, () => Uint8Array | Blob | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>]>([
  ["bytes", () => content],
  ["a blob", () => new Blob([content])],
  ["an iterable", () => streamOf(content)],
  ["a stream", () => new Blob([content]).stream()],
])("files.receive with %s", (_, body) => {
  it("sends the whole file, with progress", async () => {
    const progress: UploadProgress[] = [];
    const file = await uploader().files.receive(uploadUrl, {
      name: "größe.bin",
      type: "application/x-custom",
      body: body(),
      onProgress: (one) => progress.push(one),
    });
    expect(file).toMatchObject({ name: "größe.bin", size: SIZE, sha256: sha256(content) });
    expect(progress.map(({ sent }) => sent)).toEqual([262_144, 524_288, 1_048_576, SIZE]);
    expect(progress.at(-1)?.total).toBe(SIZE);
    expect(await mounted.stepwell.files.get(mounted.app, file.id)).toEqual(file);
  });

  it.each([0, 1_000, 300_000, 700_000, 1_400_000])(
    "continues after a connection that breaks after %i bytes",
    async (at) => {
      const before = mounted.proxy.cuts();
      mounted.proxy.cutAfter("up", at + 500);
      const file = await uploader().files.receive(uploadUrl, { body: body() });
      expect(mounted.proxy.cuts()).toBe(before + 1);
      expect([file.size, file.sha256]).toEqual([SIZE, sha256(content)]);
    },
  );
});

describe("files.receive", () => {
  it.each([0, 1, 262_144, 524_288])("sends %i bytes", async (size) => {
    const whole = await uploader().files.receive(uploadUrl, { body: content.subarray(0, size) });
    const other = (await mounted.stepwell.files.createUpload(mounted.app)).upload_url;
    const streamed = await uploader().files.receive(other, { body: streamOf(content.subarray(0, size)) });
    expect([whole.size, streamed.size, streamed.sha256]).toEqual([size, size, whole.sha256]);
  });

  it.each(["POST", "PATCH"])("returns the file if the last response to %s is lost", async (method) => {
    let lost = 0;
    mounted.intercept((request, response) => {
      if (request.method !== method || lost > 0) return false;
      // The service responds, but the response does not arrive.
      response.writeHead = () => {
        lost = 1;
        request.socket.destroy();
        return response;
      };
      return false;
    });
    const body = content.subarray(0, method === "POST" ? 100 : 300_000);
    const file = await uploader().files.receive(uploadUrl, { body });
    expect([file.size, file.sha256, lost]).toEqual([body.length, sha256(body), 1]);
  });

  it("continues an upload of another client with resume", async () => {
    const { stepwell, app, url } = mounted;
    const stop = new AbortController();
    const named = { name: "a.bin", body: new Blob([content]) };
    const onProgress = ({ sent }: UploadProgress) => sent >= 524_288 && stop.abort(new Error("closed"));
    const first = createClient({ url }).files.receive(uploadUrl, { ...named, onProgress, signal: stop.signal });
    await expect(first).rejects.toThrow("closed");
    const sent: number[] = [];
    const resumed = { ...named, resume: true, onProgress: (one: UploadProgress) => sent.push(one.sent) };
    const file = await createClient({ url }).files.receive(uploadUrl, resumed);
    expect(sent[0]).toBe(524_288);
    expect(file.sha256).toBe(sha256(content));
    expect((await stepwell.files.get(app, file.id)).size).toBe(SIZE);
  });

  it("begins anew with resume if another file was begun", async () => {
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error("closed"));
    const other = { name: "b.bin", body: content, onProgress, signal: stop.signal };
    await expect(uploader().files.receive(uploadUrl, other)).rejects.toThrow("closed");
    const file = await uploader().files.receive(uploadUrl, { name: "a.bin", body: content, resume: true });
    expect([file.name, file.sha256]).toEqual(["a.bin", sha256(content)]);
  });

  it("rejects with the error of the body, and does not use the URL up", async () => {
    const failing = async function* () {
      yield content.subarray(0, 10);
      throw new Error("the disk failed");
    };
    await expect(uploader().files.receive(uploadUrl, { body: failing() })).rejects.toThrow("the disk failed");
    expect((await uploader().files.receive(uploadUrl, { body: content })).size).toBe(SIZE);
    await expect(uploader().files.receive(uploadUrl, { body: content })).rejects.toMatchObject({ code: "upload_used" });
  });

  it("rejects with the reason of its signal while the body has no bytes", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const next = () => {
      stop.abort(reason);
      return new Promise<never>(() => undefined);
    };
    const body = { [Symbol.asyncIterator]: () => ({ next }) };
    await expect(uploader().files.receive(uploadUrl, { body, signal: stop.signal })).rejects.toBe(reason);
  });

  it.each<[string, object]>([
    ["text", { body: "text" }],
    [
      "pieces of text",
      {
        body: (async function* () {
          yield "text";
        })(),
      },
    ],
    ["nothing", {}],
  ])("rejects %s as a body", async (_, given) => {
    const receive: (url: string, content: object) => Promise<unknown> = Object(uploader().files).receive;
    await expect(receive(uploadUrl, given)).rejects.toMatchObject({ code: "invalid", errors: [{ pointer: "/body" }] });
  });

  it.each<[string, ResponseInit]>([
    ["without headers", { status: 201 }],
    ["at another offset", { status: 201, headers: { "upload-offset": "7" } }],
  ])("rejects responses %s with unavailable, at once", async (_, response) => {
    let requests = 0;
    const fetch = async () => {
      requests++;
      return new Response(null, response);
    };
    const client = createClient({ url: mounted.url, fetch });
    await expect(client.files.receive(uploadUrl, { body: content })).rejects.toMatchObject({ code: "unavailable" });
    expect(requests).toBe(1);
  });

  it("rejects without the upload URL, which is a secret, when the server is not reached", async () => {
    const fetch = () => Promise.reject(new TypeError("fetch failed"));
    const client = createClient({ url: mounted.url, retries: 0, fetch });
    const error = await client.files.receive(uploadUrl, { body: content }).catch((reason: unknown) => String(reason));
    expect(error).toMatch(/POST http:\S+\/files\/uploads\/: fetch failed/);
    expect(error).not.toContain("fupl_");
  });

  it("of two clients, the last to begin wins", async () => {
    const begun = createGate();
    const replaced = createGate();
    const slow = async function* () {
      yield content.subarray(0, 300_000);
      begun.release();
      await replaced.released;
      yield content.subarray(300_000);
    };
    const first = uploader().files.receive(uploadUrl, { name: "first.bin", body: slow() });
    await begun.released;
    const file = await uploader().files.receive(uploadUrl, { name: "second.bin", body: content });
    replaced.release();
    await expect(first).rejects.toMatchObject({ code: "upload_used" });
    expect([file.name, file.sha256]).toEqual(["second.bin", sha256(content)]);
  });

  it.each(["fupl_1", ""])("rejects %j, which is no URL", async (url) => {
    await expect(uploader().files.receive(url, { body: content })).rejects.toMatchObject({ code: "invalid" });
  });

  it("sends neither the key nor the headers of the client to another origin", async () => {
    const requests: Headers[] = [];
    const fetch = async (_url: string, { headers }: RequestInit) => {
      requests.push(new Headers(headers));
      return new Response(null, { status: 404 });
    };
    const headers = { "x-gateway": "secret" };
    const client = createClient({ url: mounted.url, key: "secret", headers, fetch, retries: 0 });
    await client.files.receive("https://elsewhere.test/upload", { body: content }).catch(() => undefined);
    await client.files.receive(uploadUrl, { body: content }).catch(() => undefined);
    expect(requests.map((one) => [one.get("authorization"), one.get("x-gateway")])).toEqual([
      [null, null],
      [null, "secret"],
    ]);
  });
});

describe("files.create", () => {
  it("with a key creates one file, however often it is called", async () => {
    const create = () => mounted.client().files.create(mounted.app, { name: "a.bin", body: content, key: "one" });
    const first = await create();
    expect(await create()).toEqual(first);
  });

  it("from a URL that Stepwell refuses rejects with its error", async () => {
    const created = mounted.client().files.create(mounted.app, { url: "http://127.0.0.1:9/a.txt" });
    await expect(created).rejects.toMatchObject({ code: "address_refused" });
  });
});

describe("files.content", () => {
  const download = async (range?: { start: number; end: number }) => {
    const { stepwell, app, client } = mounted;
    const { id } = await stepwell.files.create(app, { name: "a.bin", body: content });
    return client().files.content(app, id, range);
  };
  const read = async (body: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(body).arrayBuffer());

  it.each([
    [0, SIZE],
    [1_000, 700_000],
  ])("continues after a connection that breaks: bytes %i to %i", async (start, end) => {
    const { body } = await download({ start, end });
    const before = mounted.proxy.cuts();
    mounted.proxy.cutAfter("down", 300_000);
    expect(sha256(await read(body))).toBe(sha256(content.subarray(start, end)));
    expect(mounted.proxy.cuts()).toBe(before + 1);
  });

  it("rejects if the file was deleted meanwhile", async () => {
    const { file, body } = await download();
    const reader = body.getReader();
    mounted.proxy.cutAfter("down", 300_000);
    await reader.read();
    await mounted.stepwell.files.remove(mounted.app, file.id);
    const rest = (async () => {
      while (!(await reader.read()).done);
    })();
    await expect(rest).rejects.toMatchObject({ code: "not_found" });
  });

  it("sends no request before it is read, and closes the connection when it is canceled", async () => {
    let downloads = 0;
    let closed = 0;
    mounted.intercept((request) => {
      if (request.url?.endsWith("/content") === true) {
        downloads++;
        request.socket.once("close", () => closed++);
      }
      return false;
    });
    const { body } = await download();
    expect(downloads).toBe(0);
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    await expect.poll(() => closed).toBe(1);
    expect(downloads).toBe(1);
  });
});

describe("records.export", () => {
  it("rejects if the connection breaks, and with the reason of the signal", async () => {
    const { stepwell, app, client, proxy } = mounted;
    const { id } = await stepwell.collections.create(app, { name: "Large" });
    const operations = Array.from({ length: 500 }, () => ({
      op: "create" as const,
      data: { a: { b: "x".repeat(2_000) } },
    }));
    await stepwell.records.bulk(app, id, { operations });
    proxy.cutAfter("down", 200_000);
    const stream = await client().records.export(app, id, { fields: ["a:b"] });
    await expect(new Response(stream).text()).rejects.toMatchObject({ code: "unavailable" });
    const stop = new AbortController();
    const other = await client().records.export(app, id, { fields: ["a:b"], signal: stop.signal });
    const reason = new Error("enough");
    stop.abort(reason);
    await expect(new Response(other).text()).rejects.toBe(reason);
  });
});
