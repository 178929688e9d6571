/** On fs, the thread that hashes a large upload also writes it: its blocks stay in order, and no file of another gets them. */
import { createHash } from "node:crypto";
import { fstatSync, mkdtempSync, readFileSync, rmSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createBlockHash } from "../../adapters/crypto/block-hash.ts";
import {
  createHashThread,
  type HashReply,
  type HashRequest,
  type StartHashWorker,
} from "../../adapters/crypto/hash-thread.ts";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { startHashWorker } from "../../adapters/crypto/worker/worker-program.ts";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import { createFsGrowingFiles } from "../../adapters/storage/fs/growing-files.ts";
import type { Block } from "../../src/ports/hash.ts";
import { createBlobs } from "../../src/storage/blobs/blobs.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { createGate } from "../support/gate.ts";

const IS_LINUX = process.platform === "linux";
const MEBI = 2 ** 20;
const LIMIT = 100 * MEBI;

const content = (size: number): Block =>
  new Uint8Array(new Uint32Array(size / 4 + 1).map((_, index) => index * 2_654_435_761).buffer).slice(0, size);
const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stepwell-lent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A thread that shows what it is asked for. @param change Changes what it replies. */
function watchedThread(change: (reply: HashReply, request: HashRequest | undefined) => HashReply = (reply) => reply) {
  const requests: HashRequest[] = [];
  let replies = 0;
  const start: StartHashWorker = async (events) => {
    const onReply = (reply: HashReply) => events.onReply(change(reply, requests[replies++]));
    const worker = await startHashWorker({ ...events, onReply });
    const post = (request: HashRequest) => {
      requests.push(request);
      worker.post(request);
    };
    return { ...worker, post };
  };
  return { start, requests };
}

function blobsIn(folder: string, start: StartHashWorker) {
  const driver = fsDriver({ base: folder });
  onTestFinished(() => driver.dispose?.());
  const thread = createHashThread(start);
  return createBlobs({ driver, hash: { ...nodeHash, blocks: () => createBlockHash(thread) }, clock: systemClock });
}

/** As large as those that arrive over a network. */
async function writeIn(writer: { write(bytes: Uint8Array): void | Promise<void> }, bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 65_537) await writer.write(bytes.subarray(at, at + 65_537));
}

it.each([MEBI, 2 * MEBI, 3 * MEBI + 1, 9 * MEBI + 77])("%i bytes are stored in order", async (size) => {
  const { start, requests } = watchedThread();
  const blobs = blobsIn(newFolder(), start);
  const bytes = content(size);
  const writer = blobs.open("blob_one", LIMIT);
  await writeIn(writer, bytes);
  const blob = await writer.finish();
  expect(blob).toMatchObject({ size, sha256: digestOf(bytes) });
  expect(digestOf(new Uint8Array(await new Response(blobs.read(blob)).arrayBuffer()))).toBe(blob.sha256);
  // The first opens the file. Whether a disk is local is known on Linux only.
  const lent = requests.filter(({ file }) => file !== undefined);
  expect(lent.length).toBeGreaterThanOrEqual(IS_LINUX && size > 4 * MEBI ? 1 : 0);
  expect(lent.map(({ file }) => file?.position)).toEqual(
    lent.map((_, index) => (requests.length - 1 - lent.length + index) * MEBI),
  );
});

it("uploads at the same time that are paused at any byte are stored in order", async () => {
  const blobs = blobsIn(newFolder(), watchedThread().start);
  const hashes = await Promise.all(
    [5, 6, 7].map(async (count) => {
      const bytes = content(count * MEBI + count);
      let progress = await blobs.open(`blob_${count}`, LIMIT).pause();
      for (let at = 0; at < bytes.length; at += 2_500_001) {
        const writer = await blobs.resume(progress, LIMIT);
        await writeIn(writer, bytes.subarray(at, at + 2_500_001));
        progress = await writer.pause();
      }
      const blob = await (await blobs.resume(progress, LIMIT)).finish();
      const stored = new Uint8Array(await new Response(blobs.read(blob)).arrayBuffer());
      return blob.sha256 === digestOf(bytes) && digestOf(stored) === blob.sha256;
    }),
  );
  expect(hashes).toEqual([true, true, true]);
});

it.runIf(IS_LINUX)(
  "a full disk is named, and the hash is not lost for others (Linux only: others lend no file)",
  async () => {
    const full = { message: "ENOSPC: no space left on device, write", code: "ENOSPC" };
    let isFull = true;
    const { start } = watchedThread((reply, request) =>
      isFull && request?.file !== undefined ? { ...reply, failure: full } : reply,
    );
    const blobs = blobsIn(newFolder(), start);
    const writer = blobs.open("blob_one", LIMIT);
    await expect(writeIn(writer, content(9 * MEBI)).then(() => writer.finish())).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("the storage is full"),
    });
    await writer.abort();
    isFull = false;
    const next = blobs.open("blob_two", LIMIT);
    await writeIn(next, content(3 * MEBI));
    expect((await next.finish()).sha256).toBe(digestOf(content(3 * MEBI)));
  },
);

it.runIf(IS_LINUX)(
  "the thread says why the system refuses a write (Linux only: others have no /dev/full)",
  async () => {
    const hash = createBlockHash(createHashThread(startHashWorker));
    await hash.add(content(MEBI));
    expect(hash.writesFiles).toBe(true);
    const file = await open("/dev/full", "r+");
    onTestFinished(() => file.close());
    const lent = { descriptor: file.fd, position: 0 };
    await expect(hash.add(content(MEBI), lent)).rejects.toMatchObject({ code: "ENOSPC", message: /ENOSPC/ });
    expect(hash.isLost).toBe(false);
    expect(await hash.digest()).toBe(digestOf(new Uint8Array([...content(MEBI), ...content(MEBI)])));
  },
);

it("a file stays open until its borrowers are done", async () => {
  const path = join(newFolder(), "file");
  const growing = createFsGrowingFiles(
    false,
    () => true,
    (onEventLoop) => onEventLoop(),
  );
  const handle = await open(path, "wx+");
  const { fd } = handle;
  const item = growing.open(handle, 0);
  const gate = createGate();
  await item.write("one,");
  const lending = item.lend?.(4, async ({ descriptor, position }) => {
    await gate.released;
    return writeSync(descriptor, "two,", position);
  });
  await item.write("three");
  let isClosed = false;
  const closing = Promise.resolve(item.close()).then(() => {
    isClosed = true;
  });
  await turnEventLoop(5);
  expect(isClosed).toBe(false);
  expect(fstatSync(fd).isFile()).toBe(true);
  gate.release();
  expect(await lending).toBe(4);
  await closing;
  expect(readFileSync(path, "utf8")).toBe("one,two,three");
});

it.each([
  ["a disk that is flushed", true, true],
  ["a disk of another machine", false, false],
])("nobody gets a file of %s", async (_, sync, isLocal) => {
  const handle = await open(join(newFolder(), "file"), "wx+");
  const growing = createFsGrowingFiles(
    sync,
    () => isLocal,
    (_, onThread) => onThread(),
  );
  onTestFinished(() => growing.close());
  expect(growing.open(handle, 0).lend).toBeUndefined();
});
