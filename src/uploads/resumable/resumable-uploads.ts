/**
 * Resumable uploads: a file that arrives in chunks, over connections that break. The rules, without the protocol.
 *
 * Acknowledged bytes are stored. The bytes of a request are kept however it ends, unless they can never become the file,
 * because it is too large or its type is not allowed. Then all of them are deleted, and the upload URL is open again.
 */
import { StepwellError } from "../../errors.ts";
import type { File } from "../../files/file.ts";
import type { Blobs } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Stored } from "../../ports/store.ts";
import type { FinishedUpload, UploadDocument } from "../upload.ts";
import { type UploadUrls, uploadPath } from "../upload-urls.ts";
import { type AppendChunk, type Chunk, createAppendChunk, isEmpty } from "./append-bytes.ts";
import { attemptOf, emptyBlob, type PartialUpload } from "./partial-upload.ts";
import type { PartialUploads } from "./partial-uploads.ts";

/** The partial upload that a request is for. An upload URL can have several, of which only the last is valid. */
export interface Target {
  readonly uploadId: string;
  /** As in {@link Progress.url}; null for the valid one. */
  readonly attempt: string | null;
}

export interface Progress {
  /** URL for the next chunk: the upload URL with the id of this partial upload, so that two files never mix. */
  readonly url: string;
  /** Number of stored bytes. */
  readonly offset: number;
  /** Size of the file in bytes; null while the client has not announced it. */
  readonly length: number | null;
  readonly metadata: string | null;
  readonly max_size: number;
  /** When the upload URL expires; null once the file exists. */
  readonly expires_at: string | null;
}

/** What a client announces about a file. */
export interface Announcement {
  readonly length: number | null;
  /** File name that the client sent. */
  readonly name: string | null;
  /** Media type that the client sent. */
  readonly type?: string;
  readonly metadata: string | null;
}

/**
 * Of several requests for one upload, the last wins: it ends the earlier ones and keeps their bytes, at whichever process of a
 * cluster they arrive. If it cannot end one of another process, it rejects with `unavailable` after 20 seconds.
 *
 * All functions throw StepwellError `not_found`, `upload_used` and `upload_expired`. Those that receive bytes also throw
 * `too_large`, `unsupported_media_type`, `checksum_mismatch`, `unavailable`, and `conflict` if a later request took over.
 */
export interface ResumableUploads {
  /** Starts an upload. Deletes an earlier partial upload. */
  create(uploadId: string, announced: Announcement, chunk: Chunk | null): Promise<Progress>;
  /** Returns the number of stored bytes, 0 at first. */
  progress(target: Target): Promise<Progress>;
  /**
   * Appends a chunk. The last byte creates the file. A completed upload accepts an empty chunk at its end.
   * @param length Size of the file, if the client had not announced it before.
   * @throws StepwellError `conflict` if the number of stored bytes is not `offset`, or if the storage has lost some of
   * them: then the upload starts again at offset 0
   */
  append(target: Target, offset: number, length: number | null, chunk: Chunk): Promise<Progress>;
  /** Returns the file of a completed upload. @throws StepwellError `not_found`, also if the app has deleted the file */
  file(target: Target): Promise<File>;
  /** Deletes the partial upload. The upload URL is open again. */
  delete(target: Target): Promise<void>;
}

export function createResumableUploads(parts: {
  uploadUrls: UploadUrls;
  partialUploads: PartialUploads;
  blobs: Blobs;
  ids: Ids;
  clock: Clock;
  hash: Hash;
  /** Without a trailing slash. */
  baseUrl: string;
}): ResumableUploads {
  const { uploadUrls, partialUploads, ids, hash, baseUrl } = parts;
  const { runExclusive } = partialUploads;
  const appendChunk = createAppendChunk(parts);

  const urlOf = (uploadId: string, attempt: string) => `${baseUrl}${uploadPath(uploadId)}?attempt=${attempt}`;

  function emptyProgress({ id, max_size, url_expires_at }: UploadDocument): Progress {
    const url = baseUrl + uploadPath(id);
    return { url, offset: 0, length: null, metadata: null, max_size, expires_at: url_expires_at };
  }

  function partialProgress(upload: UploadDocument, partial: PartialUpload): Progress {
    const { blob, length, metadata } = partial;
    const url = urlOf(upload.id, attemptOf(partial));
    return { ...emptyProgress(upload), url, offset: blob.size, length, metadata };
  }

  function finishedProgress(upload: UploadDocument, { attempt, size, metadata }: FinishedUpload): Progress {
    const url = urlOf(upload.id, attempt);
    return { ...emptyProgress(upload), url, offset: size, length: size, metadata, expires_at: null };
  }

  /** The completed upload, if the request is for it. */
  function finishedAt({ finished_upload: finished }: UploadDocument, { attempt }: Target): FinishedUpload | null {
    return finished !== undefined && (attempt ?? finished.attempt) === finished.attempt ? finished : null;
  }

  async function find({ uploadId, attempt }: Target): Promise<Stored<PartialUpload> | null> {
    const found = await partialUploads.find(uploadId);
    if (attempt === null || (found !== null && attempt === attemptOf(found.document))) return found;
    throw new StepwellError("not_found", "This upload was terminated, or replaced by another upload to the same URL.");
  }

  function begin(
    { id, url_expires_at }: UploadDocument,
    announced: Announcement,
    before: Stored<PartialUpload> | null,
  ) {
    const blob = emptyBlob(ids.next("blob"));
    return partialUploads.begin({ upload_id: id, blob, expires_at: url_expires_at, ...announced }, before);
  }

  return {
    create: (uploadId, announced, chunk) =>
      runExclusive(uploadId, async (signal, abort) => {
        const upload = await uploadUrls.findOpen(uploadId);
        const { document } = upload;
        checkSize(announced.length ?? 0, document.max_size);
        checkSize(chunk?.announced ?? 0, announced.length ?? document.max_size);
        const partial = await begin(document, announced, await partialUploads.find(uploadId));
        if (chunk === null && announced.length !== 0) return partialProgress(document, partial.document);
        return append(upload, partial, chunk ?? EMPTY_CHUNK, signal, abort);
      }),

    progress: (target) =>
      runExclusive(target.uploadId, async () => {
        const upload = await uploadUrls.find(target.uploadId);
        const { document } = upload;
        const finished = finishedAt(document, target);
        if (finished !== null) return finishedProgress(document, finished);
        uploadUrls.checkOpen(upload);
        const partial = await find(target);
        return partial === null ? emptyProgress(document) : partialProgress(document, partial.document);
      }),

    append: (target, offset, length, chunk) =>
      runExclusive(target.uploadId, async (signal, abort) => {
        const upload = await uploadUrls.find(target.uploadId);
        const { document } = upload;
        const finished = finishedAt(document, target);
        if (finished?.size === offset && (await isEmpty(chunk, hash, signal))) {
          resolveLength(finished.size, length, offset);
          return finishedProgress(document, finished);
        }
        uploadUrls.checkOpen(upload);
        const before = await find(target);
        checkOffset(offset, before?.document.blob.size ?? 0);
        const known = resolveLength(before?.document.length ?? null, length, offset);
        checkSize(known ?? 0, document.max_size);
        checkSize(offset + (chunk.announced ?? 0), known ?? document.max_size);
        const partial = before ?? (await begin(document, { length: known, name: null, metadata: null }, null));
        return append(upload, { ...partial, document: { ...partial.document, length: known } }, chunk, signal, abort);
      }),

    async file(target) {
      const upload = await uploadUrls.find(target.uploadId);
      if (finishedAt(upload.document, target) === null) uploadUrls.checkOpen(upload);
      return uploadUrls.receivedFile(upload);
    },

    delete: (target) =>
      runExclusive(target.uploadId, async () => {
        await uploadUrls.findOpen(target.uploadId);
        const found = await find(target);
        if (found !== null) await partialUploads.delete(found);
      }),
  };

  async function append(...[upload, ...chunk]: Parameters<AppendChunk>): Promise<Progress> {
    const { finished, partial: current } = await appendChunk(upload, ...chunk);
    return finished === null
      ? partialProgress(upload.document, current.document)
      : finishedProgress(upload.document, finished);
  }
}

const EMPTY_CHUNK: Chunk = { bytes: async function* () {}, announced: 0, checksum: null };

function checkOffset(offset: number, stored: number): void {
  if (offset === stored) return;
  const headers = { "upload-offset": String(stored) };
  throw new StepwellError(
    "conflict",
    `Upload-Offset is ${offset}, but ${stored} bytes are stored. Send a HEAD request to get the offset.`,
    { headers },
  );
}

function checkSize(size: number, limit: number): void {
  if (size <= limit) return;
  throw new StepwellError("too_large", `The upload would have ${size} bytes. The limit is ${limit}.`);
}

/** The announced length, which cannot change. */
function resolveLength(before: number | null, given: number | null, offset: number): number | null {
  if (given === null || given === before) return before;
  if (before !== null) {
    throw new StepwellError("conflict", `Upload-Length was set to ${before} and cannot change to ${given}.`);
  }
  if (given >= offset) return given;
  throw new StepwellError("malformed", `Upload-Length is ${given}, but ${offset} bytes are stored already.`);
}
