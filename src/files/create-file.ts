/** Creates files from bytes in memory, such as an image of a document. */

import { isStepwellError } from "../errors.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import type { File, FileDocument } from "./file.ts";
import { toFile } from "./file.ts";
import { safeName } from "./file-name.ts";
import { fileKey, putFile } from "./files.ts";
import { mediaType, typeOfName } from "./media-type.ts";
import type { OrphanBlobs } from "./orphan-blobs.ts";

export interface NewFile extends Pick<File, "app_id" | "visibility" | "name"> {
  /** Idempotency key: the same key always returns the same file. */
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** @throws StepwellError `unavailable` */
export type StoreFile = (given: NewFile) => Promise<File>;

export function createStoreFile(parts: {
  store: Store;
  blobs: Blobs;
  orphanBlobs: OrphanBlobs;
  clock: Clock;
  ids: Ids;
  hash: Hash;
}): StoreFile {
  const { store, blobs, orphanBlobs, clock, ids, hash } = parts;
  return async ({ key, app_id, visibility, name: given, bytes }) => {
    const id = `afile_${hash.sha256(`${app_id}/${key}`).slice(0, 26)}`;
    const before = await store.get<FileDocument>(fileKey(id));
    if (before !== null) return toFile(before.document);

    const name = safeName(given);
    const blobId = ids.next("blob");
    await store.commit([orphanBlobs.markOrphan(blobId)]);
    const writer = blobs.open(blobId, bytes.length);
    let isStored = false;
    try {
      await writer.write(bytes);
      const mime_type = await mediaType(writer.head(), name);
      const blob = await writer.finish();
      isStored = true;
      const { size, sha256 } = blob;
      const created_at = instant(clock.now());
      const properties = { id, app_id, name, size, mime_type, name_type: await typeOfName(name), sha256, visibility };
      const file: FileDocument = { ...properties, created_at, expires_at: null, blob };
      await store.commit([{ ...putFile(file), expected: null }, orphanBlobs.unmarkOrphan(blobId)]);
      return toFile(file);
    } catch (error) {
      const hasNoResponse = isStepwellError(error, "unavailable");
      // The commit may still take effect after a crash, so keep the bytes.
      if (isStored && hasNoResponse) void orphanBlobs.discardUnacknowledged(blobId);
      else {
        await writer.abort();
        await orphanBlobs.discard(blobId, hasNoResponse ? writer.size : undefined);
      }
      const concurrent = isStepwellError(error, "conflict") ? await store.get<FileDocument>(fileKey(id)) : null;
      if (concurrent === null) throw error;
      return toFile(concurrent.document); // a concurrent call created it
    }
  };
}
