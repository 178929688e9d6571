/** Takes the next part of an unfinished upload; with the last one the file comes into being. */
import { StepwellError } from "../../errors.ts";
import { safeName } from "../../files/file-name.ts";
import { allowedType, HEAD_BYTES } from "../../files/media-type.ts";
import type { Blobs } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DigestAlgorithm, Hash } from "../../ports/hash.ts";
import type { Stored } from "../../ports/store.ts";
import type { FinishedUpload, UploadDocument } from "../upload.ts";
import type { UploadAddresses } from "../upload-urls.ts";
import { createKeptWriter, type KeptWriter } from "./checkpointing-writer.ts";
import type { UnfinishedUpload, UnfinishedUploads } from "./partial-uploads.ts";

export interface Part {
  /** The bytes; by the signal they end early. */
  bytes(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** How many there will be, where that is known. */
  readonly announced: number | null;
  /** What they must come to; none of them counts otherwise. The digest in hex. */
  readonly checksum: { readonly algorithm: DigestAlgorithm; readonly digest: string } | null;
}

/** What a part came to: the upload as it is now, or what it was when it became the file. */
export type Taken =
  | { readonly unfinished: Stored<UnfinishedUpload>; readonly finished: null }
  | { readonly unfinished: null; readonly finished: FinishedUpload };

export type TakePart = (
  address: Stored<UploadDocument>,
  upload: Stored<UnfinishedUpload>,
  part: Part,
  signal: AbortSignal,
) => Promise<Taken>;

/** After these, what has come can never become the file. */
const HOPELESS: ReadonlySet<string> = new Set(["too_large", "unsupported_media_type", "upload_used", "not_found"]);

export function createTakePart(parts: {
  addresses: UploadAddresses;
  unfinished: UnfinishedUploads;
  blobs: Blobs;
  clock: Clock;
  hash: Hash;
}): TakePart {
  const { addresses, unfinished, blobs, clock, hash } = parts;

  /** Writes to the end of the part; refuses the type of the file as soon as enough is there to tell. */
  async function writeAll(address: UploadDocument, part: Part, writer: KeptWriter, signal: AbortSignal): Promise<void> {
    const digest = part.checksum === null ? null : hash.stream(part.checksum.algorithm);
    let isChecked = false;
    for await (const bytes of part.bytes(signal)) {
      digest?.update(bytes);
      await writer.write(bytes);
      if (!isChecked && writer.size >= HEAD_BYTES) {
        await typeOf(address, writer);
        isChecked = true;
      }
    }
    if (digest !== null) checkDigest(digest.digest(), part);
  }

  async function finish(address: Stored<UploadDocument>, writer: KeptWriter): Promise<Taken> {
    const type = await typeOf(address.document, writer);
    const blob = await writer.finish();
    const changes = [unfinished.finished(writer.upload)];
    const { metadata } = writer.upload.document;
    await addresses.settle(address, { blob, type, inParts: { metadata } }, nameOf(address.document, writer), changes);
    return { unfinished: null, finished: { blob_id: blob.id, size: blob.size, metadata } };
  }

  /** Keeps what came in a request that failed, unless it is of no use. */
  async function settleAfter(error: unknown, writer: KeptWriter, isAllOrNothing: boolean): Promise<void> {
    const isHopeless = error instanceof StepwellError && HOPELESS.has(error.code);
    if (!isHopeless && !isAllOrNothing) return writer.keep().catch(() => undefined);
    await writer.leave();
    // What cannot be removed now goes with the next upload to the address, or when it expires.
    if (isHopeless) await unfinished.remove(writer.upload).catch(() => undefined);
  }

  return async (address, upload, part, signal) => {
    const { length } = upload.document;
    const limit = length ?? address.document.max_size;
    const isAllOrNothing = part.checksum !== null;
    const writer = await createKeptWriter({ blobs, unfinished, clock, upload, limit, isAllOrNothing });
    try {
      await writeAll(address.document, part, writer, signal);
      if (writer.size === length) return await finish(address, writer);
      await addresses.find(address.document.id); // the app may have been removed while the bytes came in
      await writer.keep();
      return { unfinished: writer.upload, finished: null };
    } catch (error) {
      await settleAfter(error, writer, isAllOrNothing);
      throw error;
    }
  };
}

/**
 * Whether a part turns out to have no bytes; stops reading at the first one.
 * @throws StepwellError `checksum_mismatch` when it has none, and its checksum is not that of nothing
 */
export async function isEmpty(part: Part, hash: Hash, signal: AbortSignal): Promise<boolean> {
  if ((part.announced ?? 0) > 0) return false;
  for await (const bytes of part.bytes(signal)) if (bytes.length > 0) return false;
  if (part.checksum !== null) checkDigest(hash.stream(part.checksum.algorithm).digest(), part);
  return true;
}

function checkDigest(digest: string, { checksum }: Part): void {
  if (digest === checksum?.digest) return;
  const message = `The bytes do not have the ${checksum?.algorithm} that Upload-Checksum says; none was taken.`;
  throw new StepwellError("checksum_mismatch", message);
}

function nameOf({ file_name }: UploadDocument, { upload }: KeptWriter): string {
  return file_name ?? safeName(upload.document.name ?? undefined);
}

function typeOf(address: UploadDocument, writer: KeptWriter): Promise<string> {
  return allowedType(writer.head(), nameOf(address, writer), address.allowed_types);
}
