/** Stores the text of an import as it arrives, as a blob in UTF-8. */

import { MEBIBYTE } from "../../encoding/bytes.ts";
import { isStepwellError, StepwellError } from "../../errors.ts";
import type { OrphanBlobs } from "../../files/orphan-blobs.ts";
import type { Blob, Blobs } from "../../ports/blobs.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Change, Store } from "../../ports/store.ts";
import { toUtf8 } from "./read-charset.ts";

export const MAX_IMPORT_BYTES = 100 * MEBIBYTE;
/** Bytes in UTF-8 for one byte in another encoding, at most. */
const MAX_GROWTH = 3;

export interface ImportText {
  readonly body: AsyncIterable<Uint8Array>;
  /** @default detected */
  readonly charset: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Stores the text, then calls `use`, which commits the change with the document that refers to the blob. If it commits
 * nothing, or anything fails, the blob is deleted.
 * @throws StepwellError `too_large`, and as {@link toUtf8}. Rejects with what the body throws.
 */
export type StoreImport = <Result>(
  text: ImportText,
  use: (blob: Blob, refer: Change) => Promise<Result>,
) => Promise<Result>;

export function createStoreImport(parts: {
  store: Store;
  blobs: Blobs;
  orphanBlobs: OrphanBlobs;
  ids: Ids;
}): StoreImport {
  const { store, blobs, orphanBlobs, ids } = parts;
  return async ({ body, charset, signal }, use) => {
    const blobId = ids.next("blob");
    await store.commit([orphanBlobs.markOrphan(blobId)]);
    const writer = blobs.open(blobId, MAX_IMPORT_BYTES * MAX_GROWTH);
    let isStored = false;
    try {
      for await (const bytes of toUtf8(limited(body), charset)) {
        signal?.throwIfAborted();
        const pressure = writer.write(bytes);
        if (pressure !== undefined) await pressure;
      }
      signal?.throwIfAborted();
      const blob = await writer.finish();
      isStored = true;
      const result = await use(blob, orphanBlobs.unmarkOrphan(blobId));
      await orphanBlobs.discard(blobId); // only if it was not needed
      return result;
    } catch (error) {
      const hasNoResponse = isStepwellError(error, "unavailable");
      // The commit may still take effect after a crash, so keep the bytes.
      if (isStored && hasNoResponse) void orphanBlobs.discardUnacknowledged(blobId);
      else {
        await writer.abort();
        await orphanBlobs.discard(blobId, hasNoResponse ? writer.size : undefined);
      }
      throw error;
    }
  };
}

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of body) {
    size += bytes.length;
    if (size > MAX_IMPORT_BYTES) throw tooLargeImport();
    yield bytes;
  }
}

export function tooLargeImport(): StepwellError {
  const limit = `The body exceeds the limit of ${MAX_IMPORT_BYTES / MEBIBYTE} MiB. Split it into several imports.`;
  return new StepwellError("too_large", limit);
}
