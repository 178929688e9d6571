/**
 * Resumable uploads: a file that comes to its address in parts, over lines that break. The rules, without the protocol.
 *
 * What is acknowledged is stored. What was received is kept, however its request ended, unless it turned out to be of no
 * use: too large, or of a type that does not fit. Then all of it goes and the address is as if never used.
 */
import { StepwellError } from "../../errors.ts";
import type { Blobs } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Stored } from "../../ports/store.ts";
import type { FinishedUpload, UploadDocument } from "../upload.ts";
import { type UploadAddresses, uploadPath } from "../upload-urls.ts";
import { createTakePart, isEmpty, type Part } from "./append-bytes.ts";
import type { UnfinishedUpload, UnfinishedUploads } from "./partial-uploads.ts";

/** Which upload is meant: an address can see several, of which the last counts. */
export interface Target {
  readonly uploadId: string;
  /** As in {@link Progress.address}; null for the one that counts. */
  readonly attempt: string | null;
}

export interface Progress {
  /** Where this upload goes on: the address, and which of its uploads this is, lest two files are ever mixed. */
  readonly address: string;
  /** Bytes that are stored. */
  readonly offset: number;
  /** Bytes that the file will have; null as long as that was not told. */
  readonly length: number | null;
  readonly metadata: string | null;
  readonly max_size: number;
  /** When the address closes; null when the file is there. */
  readonly expires_at: string | null;
}

/** What is told of a file before it comes. */
export interface Announcement {
  readonly length: number | null;
  /** What its sender calls it. */
  readonly name: string | null;
  readonly metadata: string | null;
}

/**
 * Of several requests for one upload the last counts: those before it end, and what they brought is kept.
 *
 * All throw StepwellError `not_found`, `upload_used`, `upload_expired`; what takes bytes also `too_large`,
 * `unsupported_media_type`, `checksum_mismatch`, `unavailable`, and `conflict` when a later request took over.
 */
export interface Resumable {
  /** Starts from the beginning; what came in parts before goes. */
  create(uploadId: string, announced: Announcement, part: Part | null): Promise<Progress>;
  /** How far it is. An address to which nothing came yet is at 0. */
  progress(target: Target): Promise<Progress>;
  /**
   * Goes on. When the last byte has come, the file is there. A finished upload accepts a part without bytes at its end.
   * @param length Of the file, where it was not told before.
   * @throws StepwellError `conflict` when another number of bytes is stored than `offset`
   */
  append(target: Target, offset: number, length: number | null, part: Part): Promise<Progress>;
  /** Gives up; the address is open again. */
  remove(target: Target): Promise<void>;
}

export function createResumable(parts: {
  addresses: UploadAddresses;
  unfinished: UnfinishedUploads;
  blobs: Blobs;
  ids: Ids;
  clock: Clock;
  hash: Hash;
  /** Without a slash at its end. */
  baseUrl: string;
}): Resumable {
  const { addresses, unfinished, ids, hash, baseUrl } = parts;
  const { turns } = unfinished;
  const takePart = createTakePart(parts);

  const addressOf = (uploadId: string, attempt: string) => `${baseUrl}${uploadPath(uploadId)}?attempt=${attempt}`;

  function untouched({ id, max_size, closes_at }: UploadDocument): Progress {
    const address = baseUrl + uploadPath(id);
    return { address, offset: 0, length: null, metadata: null, max_size, expires_at: closes_at };
  }

  function underWay(upload: UploadDocument, { blob, length, metadata }: UnfinishedUpload): Progress {
    return { ...untouched(upload), address: addressOf(upload.id, blob.id), offset: blob.size, length, metadata };
  }

  function ended(upload: UploadDocument, { blob_id, size, metadata }: FinishedUpload): Progress {
    const address = addressOf(upload.id, blob_id);
    return { ...untouched(upload), address, offset: size, length: size, metadata, expires_at: null };
  }

  /** The upload that became the file, where that is the one that is meant. */
  function finishedAt({ came_in_parts: finished }: UploadDocument, { attempt }: Target): FinishedUpload | null {
    return finished !== undefined && (attempt ?? finished.blob_id) === finished.blob_id ? finished : null;
  }

  async function find({ uploadId, attempt }: Target): Promise<Stored<UnfinishedUpload> | null> {
    const found = await unfinished.find(uploadId);
    if (attempt === null || attempt === found?.document.blob.id) return found;
    throw new StepwellError("not_found", "This upload was given up, or another one was started at the same address.");
  }

  function begin({ id, closes_at }: UploadDocument, announced: Announcement, before: Stored<UnfinishedUpload> | null) {
    const blob = { id: ids.next("blob"), size: 0, chunk_size: 0 };
    return unfinished.begin({ upload_id: id, blob, expires_at: closes_at, ...announced }, before);
  }

  async function take(...[address, upload, part, signal]: Parameters<typeof takePart>): Promise<Progress> {
    const taken = await takePart(address, upload, part, signal);
    return taken.finished === null
      ? underWay(address.document, taken.unfinished.document)
      : ended(address.document, taken.finished);
  }

  return {
    create: (uploadId, announced, part) =>
      turns.take(uploadId, async (signal) => {
        const address = await addresses.findOpen(uploadId);
        checkFits(announced.length ?? 0, address.document.max_size);
        checkFits(part?.announced ?? 0, announced.length ?? address.document.max_size);
        const upload = await begin(address.document, announced, await unfinished.find(uploadId));
        if (part === null && announced.length !== 0) return underWay(address.document, upload.document);
        return take(address, upload, part ?? NOTHING, signal);
      }),

    progress: (target) =>
      turns.take(target.uploadId, async () => {
        const { document } = await addresses.find(target.uploadId);
        const finished = finishedAt(document, target);
        if (finished !== null) return ended(document, finished);
        await addresses.findOpen(target.uploadId);
        const upload = await find(target);
        return upload === null ? untouched(document) : underWay(document, upload.document);
      }),

    append: (target, offset, length, part) =>
      turns.take(target.uploadId, async (signal) => {
        const { document } = await addresses.find(target.uploadId);
        const finished = finishedAt(document, target);
        if (finished?.size === offset && (await isEmpty(part, hash, signal))) {
          knownLength(finished.size, length, offset);
          return ended(document, finished);
        }
        const address = await addresses.findOpen(target.uploadId);
        const { max_size } = address.document;
        const before = await find(target);
        checkOffset(offset, before?.document.blob.size ?? 0);
        const known = knownLength(before?.document.length ?? null, length, offset);
        checkFits(known ?? 0, max_size);
        checkFits(offset + (part.announced ?? 0), known ?? max_size);
        const upload = before ?? (await begin(address.document, { length: known, name: null, metadata: null }, null));
        return take(address, { ...upload, document: { ...upload.document, length: known } }, part, signal);
      }),

    remove: (target) =>
      turns.take(target.uploadId, async () => {
        await addresses.findOpen(target.uploadId);
        const found = await find(target);
        if (found !== null) await unfinished.remove(found);
      }),
  };
}

const NOTHING: Part = { bytes: async function* () {}, announced: 0, checksum: null };

function checkOffset(offset: number, stored: number): void {
  if (offset === stored) return;
  const headers = { "upload-offset": String(stored) };
  throw new StepwellError("conflict", `Upload-Offset is ${offset}, but ${stored} bytes are stored.`, { headers });
}

function checkFits(size: number, limit: number): void {
  if (size <= limit) return;
  throw new StepwellError("too_large", `There would be ${size} bytes, where ${limit} are allowed.`);
}

/** A length that was told stays. */
function knownLength(before: number | null, given: number | null, offset: number): number | null {
  if (given === null || given === before) return before;
  if (before !== null) {
    throw new StepwellError("conflict", `Upload-Length was ${before} before and cannot become ${given}.`);
  }
  if (given >= offset) return given;
  throw new StepwellError("malformed", `Upload-Length is ${given}, but ${offset} bytes are stored already.`);
}
