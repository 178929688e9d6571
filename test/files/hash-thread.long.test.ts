/** Uploads are hashed on a thread: correctly, with few blocks at once, and here where there is no thread. */
import { createHash } from "node:crypto";
import type { Driver } from "unstorage";
import blockDriver from "unstorage/drivers/memory";
import { describe, expect, it } from "vitest";
import { createBlockHash } from "../../adapters/crypto/block-hash.ts";
import { createHashThread, type HashRequest, type StartHashWorker } from "../../adapters/crypto/hash-thread.ts";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import memoryDriver from "../../adapters/storage/memory.ts";
import type { Hash } from "../../src/ports/hash.ts";
import { createBlobs } from "../../src/storage/blobs/blobs.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { turnEventLoop } from "../support/event-loop.ts";

const MEBI = 2 ** 20;
const LIMIT = 100 * MEBI;

const content = (size: number) => new Uint8Array(size).map((_, index) => index * 31 + (index >> 10));
const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const hashOn = (start: StartHashWorker): Hash => {
  const thread = createHashThread(start);
  return { ...nodeHash, blocks: () => createBlockHash(thread) };
};
const blobsOn = (hash: Hash, driver: Driver = memoryDriver()) => createBlobs({ driver, hash, clock: systemClock });

/** A thread that hashes one block with each `reply`. */
function heldThread() {
  type Events = Parameters<StartHashWorker>[0];
  const hashes = new Map<number, ReturnType<typeof createHash>>();
  const requests: HashRequest[] = [];
  let events: Events | undefined;
  let starts = 0;
  const start: StartHashWorker = async (given) => {
    events = given;
    starts++;
    return {
      post: (request) => void requests.push(request),
      keepAlive: () => undefined,
      terminate: async () => undefined,
    };
  };
  return {
    start,
    requests,
    get starts() {
      return starts;
    },
    ready: () => events?.onReady(),
    fail() {
      requests.length = 0;
      events?.onEnd();
    },
    reply() {
      const request = requests.shift();
      if (request === undefined) throw new Error("nothing to do");
      const hash = hashes.get(request.hash) ?? createHash("sha256");
      hashes.set(request.hash, hash);
      if (request.block !== null) hash.update(request.block);
      const digest = request.block === null ? hash.digest("hex") : "";
      events?.onReply({ block: request.block ?? new Uint8Array(0), digest });
    },
  };
}

describe("the hash of an upload", () => {
  it.each([0, 1, MEBI - 1, MEBI, MEBI + 1, 3 * MEBI, 5 * MEBI + 77])("is right for %i bytes", async (size) => {
    const bytes = content(size);
    const blobs = blobsOn(nodeHash);
    const writer = blobs.open("blob_one", LIMIT);
    for (let at = 0; at < size; at += 65_537) await writer.write(bytes.subarray(at, at + 65_537));
    const blob = await writer.finish();
    expect(blob).toMatchObject({ size, sha256: digestOf(bytes) });
    expect(digestOf(new Uint8Array(await new Response(blobs.read(blob)).arrayBuffer()))).toBe(blob.sha256);
  });

  it("is right for uploads at the same time that are paused at any byte", async () => {
    const blobs = blobsOn(nodeHash);
    const hashes = await Promise.all(
      [3, 4, 5].map(async (count) => {
        const bytes = content(count * MEBI + count);
        let progress = await blobs.open(`blob_${count}`, LIMIT).pause();
        for (let at = 0; at < bytes.length; at += 700_001) {
          const writer = await blobs.resume(progress, LIMIT);
          await writer.write(bytes.subarray(at, at + 700_001));
          progress = await writer.pause();
        }
        const blob = await (await blobs.resume(progress, LIMIT)).finish();
        return blob.sha256 === digestOf(bytes);
      }),
    );
    expect(hashes).toEqual([true, true, true]);
  });

  it("needs no thread for a file of less than a block", async () => {
    const thread = heldThread();
    const writer = blobsOn(hashOn(thread.start)).open("blob_one", LIMIT);
    await writer.write(content(MEBI - 1));
    expect((await writer.finish()).sha256).toBe(digestOf(content(MEBI - 1)));
    expect(thread.starts).toBe(0);
  });

  it.each([
    ["there are no threads", () => Promise.reject(new Error("no threads"))],
    [
      "the thread cannot start",
      async ({ onEnd }: Parameters<StartHashWorker>[0]) => {
        setImmediate(onEnd);
        return { post: () => undefined, keepAlive: () => undefined, terminate: async () => undefined };
      },
    ],
  ])("is computed here if %s", async (_, start) => {
    const bytes = content(4 * MEBI + 1);
    const blobs = blobsOn(hashOn(start));
    for (const id of ["blob_one", "blob_two"]) {
      const writer = blobs.open(id, LIMIT);
      await writer.write(bytes);
      expect((await writer.finish()).sha256).toBe(digestOf(bytes));
    }
  });

  it("holds the upload back while the thread is slow", async () => {
    const thread = heldThread();
    const blobs = blobsOn(hashOn(thread.start));
    const bytes = content(20 * MEBI);
    const writer = blobs.open("blob_one", LIMIT);
    const written = Promise.resolve(writer.write(bytes));
    await turnEventLoop();
    expect(thread.requests).toEqual([]);
    thread.ready();
    let most = 0;
    for (let done = 0; done < 20; done++) {
      await turnEventLoop(5);
      most = Math.max(most, thread.requests.length);
      thread.reply();
    }
    await written;
    const finished = writer.finish();
    await turnEventLoop(5);
    thread.reply();
    expect((await finished).sha256).toBe(digestOf(bytes));
    expect(most).toBeLessThanOrEqual(3);
  });

  it("is lost with the thread: the upload fails, and the next one gets another thread", async () => {
    const thread = heldThread();
    const blobs = blobsOn(hashOn(thread.start));
    const writer = blobs.open("blob_one", LIMIT);
    await writer.write(content(MEBI));
    await turnEventLoop(5);
    thread.ready();
    thread.fail();
    await expect(writer.finish()).rejects.toMatchObject({ code: "unavailable" });
    await writer.abort();

    const next = blobs.open("blob_two", LIMIT);
    await next.write(content(MEBI));
    await turnEventLoop(5);
    thread.ready();
    thread.reply();
    const finished = next.finish();
    await turnEventLoop(5);
    thread.reply();
    expect((await finished).sha256).toBe(digestOf(content(MEBI)));
    expect(thread.starts).toBe(2);
  });

  it("is computed here after three threads that failed without having ended a hash", async () => {
    const thread = heldThread();
    const blobs = blobsOn(hashOn(thread.start));
    for (let failure = 0; failure < 3; failure++) {
      const writer = blobs.open(`blob_${failure}`, LIMIT);
      await writer.write(content(MEBI));
      await turnEventLoop(5);
      thread.ready();
      thread.fail();
      await expect(writer.finish()).rejects.toMatchObject({ code: "unavailable" });
    }
    const writer = blobs.open("blob_last", LIMIT);
    await writer.write(content(MEBI));
    expect((await writer.finish()).sha256).toBe(digestOf(content(MEBI)));
    expect(thread.starts).toBe(3);
  });

  it("may come after an upload was paused, which loses nothing", async () => {
    const thread = heldThread();
    const blobs = blobsOn(hashOn(thread.start), blockDriver());
    const bytes = content(MEBI + 10);
    const writer = blobs.open("blob_one", LIMIT);
    await writer.write(bytes);
    const pausing = writer.pause();
    await turnEventLoop(5);
    thread.ready();
    thread.reply();
    const progress = await pausing;
    expect(progress).toMatchObject({ size: bytes.length, tail: expect.any(String) });
    const resumed = await blobs.resume(progress, LIMIT);
    const finishing = resumed.finish();
    for (let reply = 0; reply < 2; reply++) {
      await turnEventLoop(5);
      thread.reply();
    }
    expect(await finishing).toMatchObject({ size: bytes.length, sha256: digestOf(bytes) });
  });

  it("is computed again from the stored bytes if the thread of a paused upload is lost", async () => {
    const thread = heldThread();
    const blobs = blobsOn(hashOn(thread.start));
    const writer = blobs.open("blob_one", LIMIT);
    await writer.write(content(MEBI));
    await turnEventLoop(5);
    thread.ready();
    thread.reply();
    const progress = await writer.pause();
    thread.fail();

    const resumed = blobs.resume(progress, LIMIT);
    await turnEventLoop(5);
    thread.ready();
    thread.reply();
    const finished = (await resumed).finish();
    await turnEventLoop(5);
    thread.reply();
    expect((await finished).sha256).toBe(digestOf(content(MEBI)));
  });

  it("leaves nothing in the thread when an upload is aborted", async () => {
    const thread = heldThread();
    const writer = blobsOn(hashOn(thread.start)).open("blob_one", LIMIT);
    await writer.write(content(MEBI));
    await turnEventLoop(5);
    thread.ready();
    thread.reply();
    await writer.abort();
    expect(thread.requests).toEqual([{ hash: 1, block: null }]);
  });
});
