/** Creates files from bytes in memory, such as an image of a document. */

import { isStepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import type { File, FileDocument } from "./file.ts";
import { toFile } from "./file.ts";
import { safeName } from "./file-name.ts";
import { fileKey, putFile } from "./files.ts";
import { mediaType, typeOfName } from "./media-type.ts";
import type { StoreBlob } from "./store-blob.ts";

export interface NewFile extends Pick<File, "app_id" | "visibility" | "name"> {
  /** Idempotency key: the same key always returns the same file. */
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** @throws StepwellError `unavailable` */
export type StoreFile = (given: NewFile) => Promise<File>;

export function createStoreFile(parts: { store: Store; storeBlob: StoreBlob; clock: Clock; hash: Hash }): StoreFile {
  const { store, storeBlob, clock, hash } = parts;
  return async ({ key, app_id, visibility, name: given, bytes }) => {
    const id = `afile_${hash.sha256(`${app_id}/${key}`).slice(0, 26)}`;
    const before = await store.get<FileDocument>(fileKey(id));
    if (before !== null) return toFile(before.document);

    const name = safeName(given);
    try {
      return await storeBlob({
        maxSize: bytes.length,
        async write(writer) {
          await writer.write(bytes);
          return { mime_type: await mediaType(writer.head(), name), blob: await writer.finish() };
        },
        async refer({ mime_type, blob }, change) {
          const { size, sha256 } = blob;
          const created_at = instant(clock.now());
          const properties = {
            id,
            app_id,
            name,
            size,
            mime_type,
            name_type: await typeOfName(name),
            sha256,
            visibility,
          };
          const file: FileDocument = { ...properties, created_at, expires_at: null, blob };
          await store.commit([{ ...putFile(file), expected: null }, change]);
          return toFile(file);
        },
      });
    } catch (error) {
      const concurrent = isStepwellError(error, "conflict") ? await store.get<FileDocument>(fileKey(id)) : null;
      if (concurrent === null) throw error;
      return toFile(concurrent.document); // a concurrent call created it
    }
  };
}
