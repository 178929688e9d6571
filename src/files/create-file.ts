/** Creates files from bytes, such as an image of a document or the response of a server. */

import { isStepwellError } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import type { File, FileDocument } from "./file.ts";
import { toFile } from "./file.ts";
import { safeName } from "./file-name.ts";
import { fileKey, putFile } from "./files.ts";
import { declaredCharset, mediaType, typeOfName } from "./media-type.ts";
import type { StoreBlob } from "./store-blob.ts";

export interface NewFile extends Pick<File, "app_id" | "visibility"> {
  /** Idempotency key: the same key always returns the same file. */
  readonly key: string;
  /** Called unless the file exists. */
  open(): Promise<FileContent> | FileContent;
  /** Maximum number of bytes. */
  readonly maxSize: number;
}

export interface FileContent {
  readonly name: string;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Media type that the sender declared, used if neither the content nor the name shows one. */
  readonly type?: string | undefined;
}

/** @throws StepwellError `too_large`, `unavailable`, and as `open` and the body do */
export type StoreFile = (given: NewFile) => Promise<File>;

export function createStoreFile(parts: { store: Store; storeBlob: StoreBlob; clock: Clock; hash: Hash }): StoreFile {
  const { store, storeBlob, clock, hash } = parts;
  return async ({ key, app_id, visibility, open, maxSize }) => {
    const id = `afile_${hash.sha256(`${app_id}/${key}`).slice(0, 26)}`;
    const before = await store.get<FileDocument>(fileKey(id));
    if (before !== null) return toFile(before.document);

    const content = await open();
    const name = safeName(content.name);
    try {
      return await storeBlob({
        maxSize,
        async write(writer) {
          const { body } = content;
          for await (const bytes of body instanceof Uint8Array ? [body] : body) await writer.write(bytes);
          return { mime_type: await mediaType(writer.head(), name, content.type), blob: await writer.finish() };
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
            ...omitUndefined({ charset: declaredCharset(content.type, mime_type) }),
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
