/**
 * Blobs over any unstorage driver. If the driver supports appending, a blob is one growing item, `blob:<id>.0`.
 * Otherwise it is split into blocks of a fixed size, `blob:<id>.<number>`. While it is paused, the incomplete block is in
 * `blob:<id>.a` or `blob:<id>.b`, as its progress says.
 */
import { LRUCache } from "lru-cache";
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { StepwellError } from "../../errors.ts";
import { type BlobProgress, type Blobs, type BlobWriter, LostBytesError, TAIL_ITEMS } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Driver } from "../../ports/driver.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Logger } from "../../ports/logger.ts";
import { createBinaryItems } from "../driver/binary-items.ts";
import { createCallDriver, DEFAULT_TIMEOUT_MS } from "../driver/driver-timeout.ts";
import type { Ownership } from "../driver/ownership.ts";
import { forEachParallel } from "../driver/parallel.ts";
import { type BlobDigest, createBlobDigest } from "./digest.ts";
import { readBlob } from "./reader.ts";
import { type BlobKeys, type BlobSink, createBlockSink, createItemSink, WHOLE } from "./sink.ts";
import { createBlobWriter } from "./writer.ts";

export interface DriverBlobsOptions {
  /**
   * Size in bytes of a block, or of one append to a growing item. Blobs stored with another size stay readable.
   * @default 1 MiB
   */
  readonly blockSize?: number;
  /**
   * Milliseconds after which a driver call fails.
   * @default 30,000
   */
  readonly timeoutMs?: number;
}

/** Number of missing blocks after which a later block may still exist, because blocks are written concurrently. */
const MAX_GAP_BLOCKS = 2;
/** Deleted blobs of which it is known that their missing bytes are no damage. */
const MAX_DELETED_BLOBS = 10_000;
/** Maximum number of paused blobs whose hash state is kept in memory. */
const MAX_PAUSED_BLOBS = 1_000;
const ID = /^[a-z0-9][a-z0-9_-]{0,99}$/;

const keysOf = (id: string): BlobKeys => ({
  block: (index) => `blob:${id}.${index}`,
  tail: (slot) => `blob:${id}.${slot}`,
});

export function createBlobs(
  parts: {
    driver: Driver;
    /** Ownership of the store that references the blobs. A process that lost it doesn't delete bytes. */
    ownership?: Pick<Ownership, "verify">;
    hash: Hash;
    clock: Clock;
    /** Receives an error for each damaged blob that is read. */
    logger?: Pick<Logger, "error">;
  } & DriverBlobsOptions,
): Blobs {
  const { driver, ownership, hash, clock, logger, blockSize = MEBIBYTE, timeoutMs = DEFAULT_TIMEOUT_MS } = parts;
  const items = createBinaryItems(driver, createCallDriver(driver, clock, timeoutMs));

  function checkId(id: string): void {
    if (!ID.test(id)) throw new StepwellError("internal", `${JSON.stringify(id)} is not a valid blob id.`);
  }

  const deleted = new LRUCache<string, true>({ max: MAX_DELETED_BLOBS });
  const pausedDigests = new LRUCache<string, BlobDigest>({
    max: MAX_PAUSED_BLOBS,
    dispose: (digest, _, reason) => {
      if (reason !== "delete") digest.discard();
    },
  });

  function takePausedDigest(id: string): BlobDigest | undefined {
    const digest = pausedDigests.get(id);
    pausedDigests.delete(id);
    return digest;
  }

  function read(blob: BlobProgress, { start, end }: { start: number; end: number }, sha256: string | null) {
    return readBlob({
      ...{ items, blob, start, end, maxReadBytes: blockSize, keyOf: keysOf(blob.id).block },
      expected: sha256 === null ? null : { sha256, stream: hash.stream() },
      isDeleted: () => deleted.has(blob.id),
      onDamage: (error) => logger?.error(error.message, { blob: blob.id }),
    });
  }

  /**
   * Returns the digest of the stored bytes up to `end`: the one kept when the blob was paused, continued with what another
   * process has stored since, or a new one from reading them again.
   */
  async function digestOf(progress: BlobProgress, end: number): Promise<BlobDigest> {
    const known = takePausedDigest(progress.id);
    const isUsable = known !== undefined && !known.isLost && known.size <= end;
    if (!isUsable) known?.discard();
    const digest = isUsable ? known : createBlobDigest(hash.blocks());
    if (digest.size === end) return digest;
    try {
      const stored = read(progress, { start: digest.size, end }, null);
      for await (const bytes of stored) await digest.add(new Uint8Array(bytes));
      return digest;
    } catch (error) {
      digest.discard();
      throw error;
    }
  }

  /** Reads the stored bytes of the last, incomplete block. */
  async function tailOf({ id, size, block_size, tail }: BlobProgress): Promise<Uint8Array> {
    const keys = keysOf(id);
    if (block_size === WHOLE) {
      const key = keys.block(0);
      const last = await items.read(key, { start: size - 1, end: size, size });
      if (last?.length !== 1) throw lostBytes(id, key);
      return NO_BYTES;
    }
    const length = size % block_size;
    if (length === 0) return NO_BYTES;
    const key = tail === undefined ? keys.block(Math.floor(size / block_size)) : keys.tail(tail);
    const bytes = await items.readStart(key, length);
    if (bytes === null) throw lostBytes(id, key);
    return bytes;
  }

  function lostBytes(id: string, key: string): LostBytesError {
    const error = new LostBytesError(`The storage has lost bytes of "${id}": "${key}" is missing or too short.`);
    logger?.error(error.message, { blob: id });
    return error;
  }

  function open(id: string, limit: number): BlobWriter {
    const keys = keysOf(id);
    const sink = items.canGrow
      ? createItemSink(items, keys.block(0), 0)
      : createBlockSink(items, keys, blockSize, { size: 0 });
    return writer(id, limit, sink, createBlobDigest(hash.blocks()), NO_BYTES);
  }

  function writer(id: string, limit: number, sink: BlobSink, digest: BlobDigest, tail: Uint8Array) {
    return createBlobWriter({
      ...{ id, limit, sink, digest, tail },
      blockSize: sink.blockSize === WHOLE ? blockSize : sink.blockSize,
      canReuseBuffers: items.copiesBytes,
      onPause: () => pausedDigests.set(id, digest),
      discard: () => sweep(id).catch(() => undefined), // a later sweep of the same ID deletes the rest
    });
  }

  async function deleteTails(id: string): Promise<void> {
    await forEachParallel(TAIL_ITEMS.map(keysOf(id).tail), async (key) => {
      if (await items.has(key)) await items.remove(key);
    });
  }

  async function sweep(id: string, size = 0): Promise<void> {
    await ownership?.verify();
    await deleteTails(id);
    const key = keysOf(id).block;
    let count = 0;
    for (let index = 0; index <= count + MAX_GAP_BLOCKS || index * blockSize < size; index++) {
      if (await items.has(key(index))) count = index + 1;
    }
    // Delete the first blocks last. If the sweep is interrupted, the next one then still finds the rest.
    for (let index = count - 1; index >= 0; index--) await items.remove(key(index));
  }

  return {
    open(id, limit) {
      checkId(id);
      deleted.delete(id);
      return open(id, limit);
    },

    async resume(progress, limit) {
      const { id, size, block_size } = progress;
      checkId(id);
      deleted.delete(id);
      if (size === 0) {
        // Bytes in the storage were never acknowledged.
        await sweep(id);
        return open(id, limit);
      }
      const tail = await tailOf(progress);
      const digest = await digestOf(progress, size - tail.length);
      const keys = keysOf(id);
      const isWhole = block_size === WHOLE;
      const sink = isWhole
        ? createItemSink(items, keys.block(0), size)
        : createBlockSink(items, keys, block_size, progress);
      return writer(id, limit, sink, digest, tail);
    },

    async copy(progress, id, limit) {
      checkId(id);
      const writer = open(id, limit);
      try {
        const tail = await tailOf(progress);
        const stored = { start: 0, end: progress.size - tail.length };
        for await (const bytes of read(progress, stored, null)) await writer.write(bytes);
        await writer.write(tail);
      } catch (error) {
        await writer.abort();
        throw error;
      }
      return writer;
    },

    forget: (id) => takePausedDigest(id)?.discard(),

    read(blob, range = { start: 0, end: blob.size }) {
      const { start, end } = range;
      if (!(start >= 0 && start <= end && end <= blob.size)) {
        const message = `The range from ${start} to ${end} is outside the ${blob.size} bytes of "${blob.id}".`;
        throw new StepwellError("range_not_satisfiable", message);
      }
      return read(blob, range, end - start === blob.size ? blob.sha256 : null);
    },

    async deleteTails({ id, block_size }) {
      if (block_size === WHOLE) return;
      await ownership?.verify();
      await deleteTails(id);
    },

    async sweep(id, size) {
      checkId(id);
      deleted.set(id, true);
      takePausedDigest(id)?.discard();
      await sweep(id, size);
    },
  };
}

const NO_BYTES = new Uint8Array(0);
