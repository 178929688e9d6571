/** Compares the stored bytes of a blob with its size and digest. */
import { isStepwellError } from "../../errors.ts";
import type { Blob } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Driver } from "../../ports/driver.ts";
import type { Hash } from "../../ports/hash.ts";
import { createBinaryItems } from "../driver/binary-items.ts";
import { createCallDriver, DEFAULT_TIMEOUT_MS } from "../driver/driver-timeout.ts";
import { createBlobs } from "./blobs.ts";
import { WHOLE } from "./sink.ts";

/** Returns what is wrong with a blob, or null if it is intact. */
export type CheckBlob = (blob: Blob) => Promise<string | null>;

/** The result rejects with `unavailable` if the driver fails. */
export function createCheckBlob(parts: { driver: Driver; clock: Clock; hash: Hash }): CheckBlob {
  const { driver, clock } = parts;
  const damage: string[] = [];
  const logger = { error: (message: string) => void damage.push(message) };
  const blobs = createBlobs({ ...parts, logger });
  const items = createBinaryItems(driver, createCallDriver(driver, clock, DEFAULT_TIMEOUT_MS));

  /** Bytes beyond the end of a growing item, which no reader sees. */
  async function isLonger({ id, size, block_size }: Blob): Promise<boolean> {
    if (block_size !== WHOLE || size === 0 || !items.canGrow) return false;
    const beyond = await items.read(`blob:${id}.0`, { start: size, end: size + 1, size: size + 1 });
    return beyond !== null && beyond.length > 0;
  }

  return async (blob) => {
    damage.length = 0;
    try {
      for await (const _ of blobs.read(blob)) {
        // Reading the blob to its end verifies its digest.
      }
    } catch (error) {
      const [found] = damage;
      if (found === undefined || !isStepwellError(error)) throw error;
      return found;
    }
    return (await isLonger(blob)) ? `"blob:${blob.id}.0" has more than ${blob.size} bytes.` : null;
  };
}
