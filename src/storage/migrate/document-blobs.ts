/** Copies the bytes to which documents refer. Each driver has its own layout of bytes, so a document may change. */
import { isStepwellError, StepwellError } from "../../errors.ts";
import { type Blob, type BlobProgress, type Blobs, type BlobWriter, LostBytesError } from "../../ports/blobs.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Document, Key } from "../../ports/store.ts";

/** Bytes to which a document refers. */
export interface DocumentBlob {
  readonly blob: Blob | BlobProgress;
  /** Returns the document with these instead. */
  replace(blob: object): Document;
}

/** Bytes that an earlier batch has copied are not in the target. */
export class LostCopyError extends StepwellError {
  /** Key of the document that refers to them. */
  readonly document: Key;

  constructor(key: Key, cause: unknown) {
    const why = "If an earlier attempt had other blobs, pass those. Otherwise empty the target, and begin again.";
    super("unavailable", `The bytes of "${key}" were copied, but the blobs of the target do not have them. ${why}`, {
      cause,
    });
    this.document = key;
  }
}

/** Returns null for a document without bytes. */
export type FindBlob = (key: Key, document: Document) => DocumentBlob | null;

/** The bytes of one side. */
export interface BlobSide {
  readonly blobs: Blobs;
  readonly readProgress: (progress: BlobProgress) => AsyncIterable<Uint8Array>;
}

const isWhole = (blob: Blob | BlobProgress): blob is Blob => "sha256" in blob;

/** The bytes of a file, whose digest is verified, or those of a partial upload. */
export function bytesOf({ blobs, readProgress }: BlobSide, blob: Blob | BlobProgress): AsyncIterable<Uint8Array> {
  return isWhole(blob) ? blobs.read(blob) : readProgress(blob);
}

/**
 * Copies bytes.
 * @param mayExist Whether a part of it may have been copied before.
 * @param onBytes Called with the number of bytes of each part.
 * @returns What the target's document has to refer to.
 * @throws StepwellError `unavailable` that names the document
 */
export async function copyBlob(
  key: Key,
  blob: Blob | BlobProgress,
  { from, to, mayExist, onBytes }: { from: BlobSide; to: BlobSide; mayExist: boolean; onBytes: (size: number) => void },
): Promise<Blob | BlobProgress> {
  if (mayExist) await to.blobs.sweep(blob.id, blob.size);
  const writer = to.blobs.open(blob.id, blob.size);
  try {
    await pipe(bytesOf(from, blob), writer, onBytes);
    if (!isWhole(blob)) return await writer.pause();
    const copied = await writer.finish();
    if (copied.sha256 === blob.sha256) return copied;
    throw new StepwellError("unavailable", `The bytes of "${blob.id}" have another SHA-256 than the file.`);
  } catch (error) {
    await writer.abort();
    throw failureOf(key, error);
  }
}

async function pipe(bytes: AsyncIterable<Uint8Array>, writer: BlobWriter, onBytes: (size: number) => void) {
  for await (const part of bytes) {
    await writer.write(part);
    onBytes(part.length);
  }
}

/** @throws StepwellError `unavailable` if the bytes on both sides differ, or cannot be read */
export async function checkBlob(
  key: Key,
  { source, target }: { source: Blob | BlobProgress; target: Blob | BlobProgress },
  { from, to, hash }: { from: BlobSide; to: BlobSide; hash: Hash },
): Promise<void> {
  try {
    const expected = isWhole(source) ? source.sha256 : await digestOf(bytesOf(from, source), hash);
    const found = await digestOf(bytesOf(to, target), hash).catch((cause: unknown) => {
      throw cause instanceof LostBytesError ? new LostCopyError(key, cause) : cause;
    });
    if (found !== expected) throw new StepwellError("unavailable", `The copy of "${source.id}" is not the same.`);
  } catch (error) {
    throw error instanceof LostCopyError ? error : failureOf(key, error);
  }
}

/** Reads bytes that stay where they are. @throws StepwellError `unavailable` if they are missing or damaged */
export async function verifyBlob(key: Key, blob: Blob | BlobProgress, side: BlobSide): Promise<void> {
  try {
    for await (const _ of bytesOf(side, blob)) {
      // Reading them to their end verifies their size, and the digest of a file.
    }
  } catch (error) {
    throw failureOf(key, error, "read");
  }
}

async function digestOf(bytes: AsyncIterable<Uint8Array>, hash: Hash): Promise<string> {
  const stream = hash.stream();
  for await (const part of bytes) stream.update(part);
  return stream.digest();
}

function failureOf(key: Key, cause: unknown, action = "copied"): StepwellError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const code = isStepwellError(cause) ? cause.code : "unavailable";
  return new StepwellError(code, `The bytes of "${key}" could not be ${action}: ${reason}`, { cause });
}
