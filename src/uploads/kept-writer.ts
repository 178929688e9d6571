/** Writes to an unfinished upload, and acknowledges what is stored every so often, so that little is lost by a crash. */
import type { Blob, Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Stored } from "../ports/store.ts";
import type { UnfinishedUpload, UnfinishedUploads } from "./unfinished.ts";

export interface KeptWriter {
  /** As that of a BlobWriter. @throws StepwellError `too_large`, `unavailable` */
  write(bytes: Uint8Array): Promise<void>;
  head(): Uint8Array;
  readonly size: number;
  /** The upload as it was last acknowledged. */
  readonly upload: Stored<UnfinishedUpload>;
  /** The last call: stores and acknowledges what has come. */
  keep(): Promise<void>;
  /** The last call: acknowledges nothing more. Settles when nothing is on its way to the storage. Never rejects. */
  leave(): Promise<void>;
  /** The last call: stores the rest. */
  finish(): Promise<Blob>;
}

/** Milliseconds: who has to send again what came since then, needs about as long for it. */
const OFTEN = 1_000;
/** Where that leaves no chunk in two halves: a multiple of the sizes that chunks have. */
const BOUNDARY = 1024 * 1024;
/** Milliseconds after which it happens anywhere, on a line that is slow. */
const AT_LEAST = 5_000;

/** @param isAllOrNothing Whether nothing may be acknowledged before the end. */
export async function createKeptWriter(parts: {
  blobs: Blobs;
  unfinished: UnfinishedUploads;
  clock: Clock;
  upload: Stored<UnfinishedUpload>;
  limit: number;
  isAllOrNothing: boolean;
}): Promise<KeptWriter> {
  const { blobs, unfinished, clock, limit, isAllOrNothing } = parts;
  let { upload } = parts;
  let writer = await blobs.resume(upload.document.blob, limit);
  let keptAt = clock.now();

  async function keep(): Promise<void> {
    const blob = await writer.pause();
    upload = await unfinished.save({ ...upload, document: { ...upload.document, blob } });
    keptAt = clock.now();
  }

  async function keepAndGoOn(): Promise<void> {
    await keep();
    writer = await blobs.resume(upload.document.blob, limit);
  }

  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + BOUNDARY - (writer.size % BOUNDARY));
        at += part.length;
        const pressure = writer.write(part);
        if (pressure !== undefined) await pressure;
        const passed = clock.now() - keptAt;
        const isDue = passed >= (writer.size % BOUNDARY === 0 ? OFTEN : AT_LEAST);
        if (isDue && !isAllOrNothing) await keepAndGoOn();
      }
    },
    head: () => writer.head(),
    get size() {
      return writer.size;
    },
    get upload() {
      return upload;
    },
    keep,
    async leave() {
      await writer.pause().catch(() => undefined);
    },
    finish: () => writer.finish(),
  };
}
