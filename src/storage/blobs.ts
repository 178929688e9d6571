/** Blobs over any unstorage driver: chunks of a fixed size under `blob:<id>.<number>`. */
import type { Driver } from "unstorage";
import { systemClock } from "../clock.ts";
import { StepwellError } from "../errors.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import { readBlob } from "./blob-reader.ts";
import { createBlobWriter, MAX_UNDER_WAY } from "./blob-writer.ts";
import { createGuard, DEFAULT_TIMEOUT } from "./guard.ts";
import { parallel } from "./parallel.ts";
import { createRaw } from "./raw.ts";

export interface DriverBlobsOptions {
  /**
   * Bytes of a chunk. Blobs that were stored with another size stay readable.
   * @default 1 MiB
   */
  readonly chunkSize?: number;
  /**
   * Milliseconds after which a call of the driver counts as failed.
   * @default 30,000
   */
  readonly timeout?: number;
}

const MEBI = 1024 * 1024;
const ID = /^[a-z0-9][a-z0-9_-]{0,99}$/;

const keyOf = (id: string) => (index: number) => `blob:${id}.${index}`;

export function createBlobs(parts: { driver: Driver; hash: Hash; clock?: Clock } & DriverBlobsOptions): Blobs {
  const { driver, hash, clock = systemClock, chunkSize = MEBI, timeout = DEFAULT_TIMEOUT } = parts;
  const raw = createRaw(driver, createGuard(driver, clock, timeout));

  function checkId(id: string): void {
    if (!ID.test(id)) throw new StepwellError("internal", `${JSON.stringify(id)} cannot be the id of a blob.`);
  }

  return {
    open(id, limit) {
      checkId(id);
      return createBlobWriter({ raw, id, limit, chunkSize, hash: hash.stream(), keyOf: keyOf(id) });
    },

    read(blob, range = { start: 0, end: blob.size }) {
      const { start, end } = range;
      if (!(start >= 0 && start <= end && end <= blob.size)) {
        const message = `The range from ${start} to ${end} lies outside the ${blob.size} bytes of "${blob.id}".`;
        throw new StepwellError("range_not_satisfiable", message);
      }
      return readBlob({ raw, blob, start, end, keyOf: keyOf(blob.id) });
    },

    async remove(blob) {
      const key = keyOf(blob.id);
      const count = Math.ceil(blob.size / blob.chunk_size);
      await parallel(
        Array.from({ length: count }, (_, index) => key(index)),
        raw.remove,
      );
    },

    async sweep(id) {
      checkId(id);
      const key = keyOf(id);
      // Several chunks were under way at once, so that one may be there behind one that is not.
      let count = 0;
      for (let index = 0; index <= count + MAX_UNDER_WAY; index++) {
        if (await raw.has(key(index))) count = index + 1;
      }
      // The first ones last: when this is cut off, the next time still finds the way to the rest.
      for (let index = count - 1; index >= 0; index--) await raw.remove(key(index));
    },
  };
}
