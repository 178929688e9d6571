/** Appends a chunk to a partial upload. The last chunk creates the file. */
import { StepwellError } from "../../errors.ts";
import { safeName } from "../../files/file-name.ts";
import { allowedType, declaredCharset } from "../../files/media-type.ts";
import { type Blobs, HEAD_BYTES, LostBytesError } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DigestAlgorithm, Hash } from "../../ports/hash.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Stored } from "../../ports/store.ts";
import type { FinishedUpload, UploadDocument } from "../upload.ts";
import type { UploadUrls } from "../upload-urls.ts";
import { type CheckpointingWriter, createCheckpointingWriter } from "./checkpointing-writer.ts";
import { createLeaveAbandonedBlob } from "./leave-abandoned-blob.ts";
import { attemptOf, emptyBlob, type PartialUpload } from "./partial-upload.ts";
import type { PartialUploads } from "./partial-uploads.ts";
import type { HeldAct } from "./upload-lock.ts";

export interface Chunk {
  /** The bytes of the chunk. The signal aborts reading. */
  bytes(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Number of bytes, if the request announced it. */
  readonly announced: number | null;
  /** Digest that the bytes must have, in hex. If it does not match, the chunk is discarded. */
  readonly checksum: { readonly algorithm: DigestAlgorithm; readonly digest: string } | null;
}

/** The result of a chunk: the partial upload, or the upload that became a file. */
export type AppendResult =
  | { readonly partial: Stored<PartialUpload>; readonly finished: null }
  | { readonly partial: null; readonly finished: FinishedUpload };

export type AppendChunk = (
  upload: Stored<UploadDocument>,
  partial: Stored<PartialUpload>,
  chunk: Chunk,
  ...request: Parameters<HeldAct<never>>
) => Promise<AppendResult>;

/** Codes of errors after which the partial upload can never become a file. */
const PERMANENT_ERROR_CODES: ReadonlySet<string> = new Set([
  "too_large",
  "unsupported_media_type",
  "upload_used",
  "not_found",
]);

export function createAppendChunk(parts: {
  uploadUrls: UploadUrls;
  partialUploads: PartialUploads;
  blobs: Blobs;
  ids: Ids;
  clock: Clock;
  hash: Hash;
}): AppendChunk {
  const { uploadUrls, partialUploads, blobs, clock, hash } = parts;
  const leaveAbandonedBlob = createLeaveAbandonedBlob(parts);

  /** Writes the whole chunk. Rejects the type of the file as soon as enough bytes have arrived to detect it. */
  async function writeAll(
    upload: UploadDocument,
    chunk: Chunk,
    writer: CheckpointingWriter,
    signal: AbortSignal,
  ): Promise<void> {
    const digest = chunk.checksum === null ? null : hash.stream(chunk.checksum.algorithm);
    let isTypeChecked = false;
    for await (const bytes of chunk.bytes(signal)) {
      digest?.update(bytes);
      await writer.write(bytes);
      if (!isTypeChecked && writer.size >= HEAD_BYTES) {
        await typeOf(upload, writer);
        isTypeChecked = true;
      }
    }
    if (digest !== null) checkDigest(digest.digest(), chunk);
  }

  async function finish(upload: Stored<UploadDocument>, writer: CheckpointingWriter): Promise<AppendResult> {
    const type = await typeOf(upload.document, writer);
    const blob = await writer.finish();
    const { metadata, type: declared } = writer.partial.document;
    const attempt = attemptOf(writer.partial.document);
    const written = { blob, type, charset: declaredCharset(declared, type), resumable: { attempt, metadata } };
    const name = nameOf(upload.document, writer);
    await partialUploads.complete(writer.partial, (deletion) => uploadUrls.consume(upload, written, name, [deletion]));
    // If this fails, they are deleted with the file.
    if (writer.partial.document.blob.size > 0) await blobs.deleteTails(blob).catch(() => undefined);
    return { partial: null, finished: { attempt, size: blob.size, metadata } };
  }

  /** Opens the writer. If acknowledged bytes are lost, starts the upload again, because no request could finish it. */
  async function openWriter(taken: Stored<PartialUpload>, limit: number, isAtomic: boolean) {
    let partial = taken;
    try {
      partial = await leaveAbandonedBlob(taken, limit);
      return await createCheckpointingWriter({ blobs, partialUploads, clock, partial, limit, isAtomic });
    } catch (error) {
      if (!(error instanceof LostBytesError)) throw error;
      await restart(partial);
      const message = "The storage has lost bytes of this upload. Send it again from offset 0.";
      throw new StepwellError("conflict", message, { headers: { "upload-offset": "0" }, cause: error });
    }
  }

  /** Other processes may keep a digest of the bytes, so new ones get another blob. */
  async function restart(partial: Stored<PartialUpload>): Promise<void> {
    if (partial.document.holder !== undefined) {
      await partialUploads.moveTo(partial, emptyBlob(parts.ids.next("blob")));
      return;
    }
    const { id, size } = partial.document.blob;
    await blobs.sweep(id, size);
    await partialUploads.save({ ...partial, document: { ...partial.document, blob: emptyBlob(id) } }, true);
  }

  /** Keeps the bytes of a failed request, unless they can never become the file. */
  async function keepOrRemove(error: unknown, writer: CheckpointingWriter, isAtomic: boolean): Promise<void> {
    const isPermanent = error instanceof StepwellError && PERMANENT_ERROR_CODES.has(error.code);
    if (!isPermanent && !isAtomic) return writer.checkpoint().catch(() => undefined);
    await writer.abandon();
    // If this fails, the next upload to the same URL deletes it, or its expiry.
    if (isPermanent) await partialUploads.delete(writer.partial).catch(() => undefined);
  }

  return async (upload, partial, chunk, signal, abort) => {
    const { length } = partial.document;
    const limit = length ?? upload.document.max_size;
    const isAtomic = chunk.checksum !== null;
    const writer = await openWriter(await partialUploads.take(partial, abort), limit, isAtomic);
    try {
      await writeAll(upload.document, chunk, writer, signal);
      if (writer.size === length) return await finish(upload, writer);
      await uploadUrls.checkApp(upload); // it may have been deleted while the bytes arrived
      await writer.checkpoint();
      return { partial: writer.partial, finished: null };
    } catch (error) {
      await keepOrRemove(error, writer, isAtomic);
      throw error;
    }
  };
}

/**
 * Whether a chunk has no bytes. Stops reading at the first one.
 * @throws StepwellError `checksum_mismatch` if it has none, and its checksum is not that of an empty chunk
 */
export async function isEmpty(chunk: Chunk, hash: Hash, signal: AbortSignal): Promise<boolean> {
  if ((chunk.announced ?? 0) > 0) return false;
  for await (const bytes of chunk.bytes(signal)) if (bytes.length > 0) return false;
  if (chunk.checksum !== null) checkDigest(hash.stream(chunk.checksum.algorithm).digest(), chunk);
  return true;
}

function checkDigest(digest: string, { checksum }: Chunk): void {
  if (digest === checksum?.digest) return;
  const message = `The chunk does not match the ${checksum?.algorithm} in Upload-Checksum and was discarded. Send it again.`;
  throw new StepwellError("checksum_mismatch", message);
}

function nameOf({ file_name }: UploadDocument, { partial }: CheckpointingWriter): string {
  return file_name ?? safeName(partial.document.name ?? undefined);
}

function typeOf(upload: UploadDocument, writer: CheckpointingWriter): Promise<string> {
  const { type } = writer.partial.document;
  return allowedType(writer.head(), { name: nameOf(upload, writer), type }, upload.allowed_types);
}
