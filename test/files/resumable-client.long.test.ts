/** tus-js-client uploads files on every driver, over connections that break. */

import { once } from "node:events";
import { connect, createServer } from "node:net";
import { type PreviousUpload, Upload, type UploadOptions } from "tus-js-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Host, openHost } from "../support/files/host.ts";
import { content, sha256 } from "../support/files/tus.ts";
import { sample } from "../support/sample.ts";
import { KINDS, type Kind, type TestStorage } from "../support/storage/drivers.ts";

const KIBI = 1_024;
const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** One host for all tests of a suite. */
function openOn(kind: Kind | undefined): () => Host {
  let place: TestStorage | undefined;
  let host: Host | undefined;
  beforeAll(async () => {
    const opened = await kind?.createStorage();
    if (opened === undefined) throw new Error("there is no such driver");
    place = opened;
    host = await openHost(() => ({ entities: opened.open() }));
  });
  afterAll(async () => {
    await host?.close();
    await place?.clean();
  });
  return () => {
    if (host === undefined) throw new Error("the host is not open");
    return host;
  };
}

/** Resolves when the client reports success. */
function send(bytes: Uint8Array, options: UploadOptions, act: (upload: Upload) => void = (upload) => upload.start()) {
  return new Promise<Upload>((resolve, reject) => {
    const upload: Upload = new Upload(Buffer.from(bytes), {
      retryDelays: [0, 10, 50],
      ...options,
      onError: reject,
      onSuccess: () => resolve(upload),
    });
    act(upload);
  });
}

/** A proxy whose connection breaks once, after this many bytes. */
async function unreliable(url: string, limit: number): Promise<{ url: string; isBroken: () => boolean }> {
  const { port, hostname } = new URL(url);
  let left = limit;
  let isBroken = false;
  const line = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      socket.on("error", () => undefined);
      closings.push(async () => socket.destroy());
    }
    near.on("data", (bytes: Buffer) => {
      far.write(bytes.subarray(0, isBroken ? bytes.length : left));
      left -= bytes.length;
      if (left > 0 || isBroken) return;
      isBroken = true;
      near.destroy();
    });
    far.pipe(near);
    near.on("close", () => far.end());
  }).listen(0, "127.0.0.1");
  await once(line, "listening");
  closings.push(async () => line.close());
  const address = line.address();
  if (address === null || typeof address === "string") throw new Error("the line has no port");
  return { url: url.replace(`:${port}`, `:${address.port}`), isBroken: () => isBroken };
}

/** Uploads one chunk and stops, as a closed page does; returns the URL to resume at. */
function begin(bytes: Uint8Array, options: UploadOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(Buffer.from(bytes), {
      ...options,
      onChunkComplete: () => void upload.abort().then(() => resolve(upload.url ?? ""), reject),
      onError: reject,
    });
    upload.start();
  });
}

/** Growing files, blocks of a driver that has no own way, and each server; test/storage/ runs every driver's contract. */
const SAMPLE = ["fs", "memory (unstorage)", "redis", "s3"];

describe.each(sample(KINDS, SAMPLE))("tus-js-client on $name", (kind) => {
  const hostOf = openOn(kind);

  it.each([
    ["in one request", 300 * KIBI, Number.POSITIVE_INFINITY],
    ["in small chunks", 300 * KIBI, 70_001],
    ["in chunks around the size of a block", 2_500 * KIBI, 1_024 * KIBI],
  ])("uploads a file %s", async (_, size, chunkSize) => {
    const host = hostOf();
    const { url, fileId } = await host.address();
    const bytes = content(size);
    const upload = await send(bytes, { endpoint: url, chunkSize, metadata: { filename: "größe.bin" } });
    expect(upload.url?.startsWith(url)).toBe(true);
    const file = await host.stepwell.files.get(host.appId, fileId);
    expect(file).toMatchObject({ name: "größe.bin", size, sha256: sha256(bytes) });
    expect(sha256(await host.read(fileId))).toBe(sha256(bytes));
  });

  it("resumes after a broken connection and a restart of the service", async () => {
    const host = hostOf();
    const { url, fileId } = await host.address();
    const bytes = content(2_500 * KIBI);
    const location = await begin(bytes, { endpoint: url, chunkSize: 100 * KIBI });
    const through = (line: string) => location.replace(new URL(url).host, new URL(line).host);
    const first = await unreliable(url, 700 * KIBI);
    await expect(send(bytes, { uploadUrl: through(first.url), retryDelays: [] })).rejects.toThrow(
      /socket hang up|ECONNRESET/,
    );
    expect(first.isBroken()).toBe(true);
    await host.restart();
    const second = await unreliable(url, 1_024 * KIBI);
    const starts: number[] = [];
    const onBeforeRequest: UploadOptions["onBeforeRequest"] = (request) => {
      const offset = request.getHeader("Upload-Offset");
      if (offset !== undefined) starts.push(Number(offset));
    };
    await send(bytes, { uploadUrl: through(second.url), onBeforeRequest });
    expect(second.isBroken()).toBe(true);
    expect(starts).toHaveLength(2);
    expect(starts[0]).toBeGreaterThanOrEqual(100 * KIBI);
    expect(starts[1]).toBeGreaterThanOrEqual(starts[0] ?? Number.NaN);
    expect(sha256(await host.read(fileId))).toBe(sha256(bytes));
  });

  it("terminates an upload and starts another", async () => {
    const host = hostOf();
    const { url, fileId } = await host.address();
    await new Promise<void>((resolve, reject) => {
      const upload: Upload = new Upload(Buffer.from(content(200 * KIBI)), {
        endpoint: url,
        chunkSize: 50 * KIBI,
        onChunkComplete: () => void upload.abort(true).then(resolve, reject),
        onError: reject,
      });
      upload.start();
    });
    const bytes = content(100 * KIBI, 2);
    await send(bytes, { endpoint: url });
    expect(sha256(await host.read(fileId))).toBe(sha256(bytes));
  });
});

describe("tus-js-client", () => {
  const hostOf = openOn(KINDS.find(({ name }) => name === "fs"));

  it.each([
    ["with the bytes in the creation", { uploadDataDuringCreation: true }],
    ["with the length at the end", { uploadLengthDeferred: true, chunkSize: 60 * KIBI }],
    ["by POST only", { overridePatchMethod: true }],
  ])("uploads %s", async (_, options) => {
    const host = hostOf();
    const { url, fileId } = await host.address();
    const bytes = content(200 * KIBI);
    await send(bytes, { endpoint: url, ...options });
    expect(sha256(await host.read(fileId))).toBe(sha256(bytes));
  });

  it("uploads to the upload URL without a creation request", async () => {
    const host = hostOf();
    const { url, fileId } = await host.address();
    const bytes = content(200 * KIBI);
    await send(bytes, { uploadUrl: url, uploadLengthDeferred: true, chunkSize: 60 * KIBI });
    expect(sha256(await host.read(fileId))).toBe(sha256(bytes));
  });

  it("reports why a file was rejected", async () => {
    const host = hostOf();
    const { url } = await host.address({ allowed_types: ["image/*"], max_size: 100 * KIBI });
    await expect(send(content(200 * KIBI), { endpoint: url })).rejects.toThrow(/413.*too_large/s);
    await expect(send(content(50 * KIBI), { endpoint: url })).rejects.toThrow(/415.*unsupported_media_type/s);
  });

  it("stores one file when two clients share an upload URL", async () => {
    const host = hostOf();
    const { url, fileId } = await host.address();
    const files = [content(400 * KIBI, 1), content(400 * KIBI, 2)];
    const outcomes = await Promise.allSettled(
      files.map((bytes) => send(bytes, { endpoint: url, chunkSize: 20 * KIBI, retryDelays: Array(200).fill(1) })),
    );
    const done = outcomes.flatMap(({ status }, index) => (status === "fulfilled" ? [index] : []));
    const stored = files.findIndex((bytes) => bytes.length > 0 && done.length > 0 && bytes === files[done[0] ?? 0]);
    expect(done).toHaveLength(1);
    expect(sha256(await host.read(fileId))).toBe(sha256(files[stored] ?? new Uint8Array(0)));
  });

  it("resumes a previous upload", async () => {
    const host = hostOf();
    const { url, fileId } = await host.address();
    const bytes = content(300 * KIBI);
    const previous: PreviousUpload = {
      size: bytes.length,
      metadata: {},
      creationTime: "",
      uploadUrl: await begin(bytes, { endpoint: url, chunkSize: 100 * KIBI }),
      parallelUploadUrls: null,
      urlStorageKey: "",
    };
    await send(bytes, { endpoint: url }, (upload) => {
      upload.resumeFromPreviousUpload(previous);
      upload.start();
    });
    expect(sha256(await host.read(fileId))).toBe(sha256(bytes));
  });
});
