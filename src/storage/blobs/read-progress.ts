/** Reads the bytes of an incomplete blob. */
import { type BlobProgress, LostBytesError } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Driver } from "../../ports/driver.ts";
import { createBinaryItems } from "../driver/binary-items.ts";
import { createCallDriver, DEFAULT_TIMEOUT_MS } from "../driver/driver-timeout.ts";
import { WHOLE } from "./sink.ts";

/** Bytes of a growing item that are read at once. */
const READ_BYTES = 1024 * 1024;

/** Reading fails with {@link LostBytesError} if bytes are missing, and with `unavailable` if the driver fails. */
export type ReadProgress = (progress: BlobProgress) => AsyncGenerator<Uint8Array, void>;

export function createReadProgress({ driver, clock }: { driver: Driver; clock: Clock }): ReadProgress {
  const items = createBinaryItems(driver, createCallDriver(driver, clock, DEFAULT_TIMEOUT_MS));

  async function* readItem(key: string, length: number): AsyncGenerator<Uint8Array, void> {
    for (let start = 0; start < length; start += READ_BYTES) {
      const end = Math.min(length, start + READ_BYTES);
      const bytes = items.canGrow
        ? await items.read(key, { start, end, size: length })
        : ((await items.readStart(key, end))?.subarray(start) ?? null);
      if (bytes?.length !== end - start) throw new LostBytesError(`"${key}" is missing or too short.`);
      yield bytes;
    }
  }

  return async function* read({ id, size, block_size: blockSize, tail }) {
    if (size === 0) return;
    if (blockSize === WHOLE) {
      yield* readItem(`blob:${id}.0`, size);
      return;
    }
    const blocks = Math.floor(size / blockSize);
    for (let index = 0; index < blocks; index++) yield* readItem(`blob:${id}.${index}`, blockSize);
    const rest = size % blockSize;
    if (rest > 0) yield* readItem(`blob:${id}.${tail ?? blocks}`, rest);
  };
}
