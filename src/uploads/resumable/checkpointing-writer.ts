/** Writes to a partial upload with a checkpoint every second, so that a crash loses little. */
import { MEBIBYTE } from "../../encoding/bytes.ts";
import type { Blob, Blobs } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Stored } from "../../ports/store.ts";
import type { PartialUpload } from "./partial-upload.ts";
import type { PartialUploads } from "./partial-uploads.ts";

export interface CheckpointingWriter {
  /** Like `write` of a BlobWriter. @throws StepwellError `too_large`, `unavailable` */
  write(bytes: Uint8Array): Promise<void>;
  head(): Uint8Array;
  readonly size: number;
  /** The partial upload as of the last checkpoint. */
  readonly partial: Stored<PartialUpload>;
  /** Stores and acknowledges what has arrived. Must be the last call. */
  checkpoint(): Promise<void>;
  /** Acknowledges nothing more. Settles when no write is pending. Never rejects. Must be the last call. */
  abandon(): Promise<void>;
  /** Stores the rest. Must be the last call. */
  finish(): Promise<Blob>;
}

/** After a crash, the client sends the bytes since the last checkpoint again, which takes about as long. */
const CHECKPOINT_INTERVAL_MS = 1_000;
/** Fast uploads are checkpointed at block boundaries, so that no incomplete block is stored. */
const BOUNDARY_BYTES = MEBIBYTE;

/** @param isAtomic Whether to acknowledge all bytes or none. */
export async function createCheckpointingWriter(parts: {
  blobs: Blobs;
  partialUploads: PartialUploads;
  clock: Clock;
  partial: Stored<PartialUpload>;
  limit: number;
  isAtomic: boolean;
}): Promise<CheckpointingWriter> {
  const { blobs, partialUploads, clock, limit, isAtomic } = parts;
  let { partial } = parts;
  let writer = await blobs.resume(partial.document.blob, limit);
  let checkpointedAt = clock.now();
  /** Cancels the timer that checkpoints a slow upload. */
  let cancelTimer: (() => void) | null = null;
  /** Whether a timer skipped a checkpoint of a fast upload, which the next boundary makes up for. */
  let hasSkippedTimer = false;
  /** The last operation on the writer, which runs one at a time. Rejects once one has failed. */
  let last: Promise<unknown> = Promise.resolve();

  function enqueue<T>(act: () => Promise<T>): Promise<T> {
    const next = last.then(act);
    last = next;
    // The caller receives the error, and so does every later caller.
    next.catch(() => undefined);
    return next;
  }

  function stopTimer(): void {
    cancelTimer?.();
    cancelTimer = null;
  }

  function startTimer(): void {
    if (isAtomic || cancelTimer !== null) return;
    cancelTimer = clock.after(CHECKPOINT_INTERVAL_MS, () => {
      cancelTimer = null;
      enqueue(onTimer).catch(() => undefined);
    });
  }

  async function onTimer(): Promise<void> {
    const unsavedBytes = writer.size - partial.document.blob.size;
    // Another timer or a boundary came first.
    if (unsavedBytes === 0 || cancelTimer !== null) return;
    if (unsavedBytes < BOUNDARY_BYTES || hasSkippedTimer) return checkpointAndResume();
    hasSkippedTimer = true;
    startTimer();
  }

  async function checkpoint(isLast: boolean): Promise<void> {
    stopTimer();
    const blob = await writer.pause();
    try {
      partial = await partialUploads.save({ ...partial, document: { ...partial.document, blob } }, isLast);
    } catch (error) {
      blobs.forget(blob.id);
      throw error;
    }
    checkpointedAt = clock.now();
    hasSkippedTimer = false;
  }

  async function checkpointAndResume(): Promise<void> {
    await checkpoint(false);
    writer = await blobs.resume(partial.document.blob, limit);
  }

  async function write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const next = bytes.subarray(at, at + BOUNDARY_BYTES - (writer.size % BOUNDARY_BYTES));
      at += next.length;
      const pressure = writer.write(next);
      if (pressure !== undefined) await pressure;
      const isDue = writer.size % BOUNDARY_BYTES === 0 && clock.now() - checkpointedAt >= CHECKPOINT_INTERVAL_MS;
      if (isDue && !isAtomic) await checkpointAndResume();
    }
    if (writer.size > partial.document.blob.size) startTimer();
  }

  return {
    write: (bytes) => enqueue(() => write(bytes)),
    head: () => writer.head(),
    get size() {
      return writer.size;
    },
    get partial() {
      return partial;
    },
    async checkpoint() {
      // Also after a failure, no write may be pending.
      await last.catch(() => undefined);
      await checkpoint(true);
    },
    async abandon() {
      stopTimer();
      await last.catch(() => undefined);
      await writer.pause().catch(() => undefined);
      blobs.forget(partial.document.blob.id);
    },
    finish() {
      stopTimer();
      return enqueue(() => writer.finish());
    },
  };
}
