/** Goes on with a partial upload whose blob another process may still be writing. */
import type { Blobs } from "../../ports/blobs.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Stored } from "../../ports/store.ts";
import { emptyBlob, type PartialUpload } from "./partial-upload.ts";
import type { PartialUploads } from "./partial-uploads.ts";

/**
 * Copies the acknowledged bytes to a blob of its own, if the one that has them is abandoned. So a blob never has two writers.
 * Not aborted by later requests: each of them would have to begin again.
 * @throws LostBytesError, StepwellError `unavailable`, `conflict` if another request has taken the turn
 */
export type LeaveAbandonedBlob = (partial: Stored<PartialUpload>, limit: number) => Promise<Stored<PartialUpload>>;

export function createLeaveAbandonedBlob(parts: {
  partialUploads: PartialUploads;
  blobs: Blobs;
  ids: Ids;
}): LeaveAbandonedBlob {
  const { partialUploads, blobs, ids } = parts;

  return async (partial, limit) => {
    const { blob, is_abandoned } = partial.document;
    if (is_abandoned !== true) return partial;
    const id = ids.next("blob");
    if (blob.size === 0) return partialUploads.moveTo(partial, emptyBlob(id));
    await partialUploads.recordBlob(id);
    try {
      const writer = await blobs.copy(blob, id, limit);
      return await partialUploads.moveTo(partial, await writer.pause());
    } catch (error) {
      blobs.forget(id);
      await partialUploads.discardBlob(id);
      throw error;
    }
  };
}
