/** Stores the text of an import as it arrives, as a blob in UTF-8. */

import { MEBIBYTE } from "../../encoding/bytes.ts";
import { StepwellError } from "../../errors.ts";
import type { OrphanBlobs } from "../../files/orphan-blobs.ts";
import type { StoreBlob } from "../../files/store-blob.ts";
import type { Blob } from "../../ports/blobs.ts";
import type { Change } from "../../ports/store.ts";
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

export function createStoreImport(parts: { storeBlob: StoreBlob; orphanBlobs: OrphanBlobs }): StoreImport {
  const { storeBlob, orphanBlobs } = parts;
  return ({ body, charset, signal }, use) =>
    storeBlob({
      maxSize: MAX_IMPORT_BYTES * MAX_GROWTH,
      async write(writer) {
        for await (const bytes of toUtf8(limited(body), charset)) {
          signal?.throwIfAborted();
          const pressure = writer.write(bytes);
          if (pressure !== undefined) await pressure;
        }
        signal?.throwIfAborted();
        return writer.finish();
      },
      async refer(blob, change) {
        const result = await use(blob, change);
        await orphanBlobs.discard(blob.id); // only if it was not needed
        return result;
      },
    });
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
