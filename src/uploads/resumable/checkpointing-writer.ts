/** Writes to a partial upload with a checkpoint every second, so that a crash loses little. */
import { MEBIBYTE } from "../../encoding/bytes.ts";
import type { Blob, Blobs } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Stored } from "../../ports/store.ts";
import type { PartialUpload, PartialUploads } from "./partial-uploads.ts";

export interface CheckpointingWriter {
  /** As that of a BlobWriter. @throws StepwellError `too_large`, `unavailable` */
  write(bytes: Uint8Array): Promise<void>;
  head(): Uint8Array;
  readonly size: number;
  /** The partial upload as of the last checkpoint. */
  readonly partial: Stored<PartialUpload>;
  /** The last call: stores and acknowledges what has arrived. */
  checkpoint(): Promise<void>;
  /** The last call: acknowledges nothing more. Settles when nothing is on its way to the storage. Never rejects. */
  abandon(): Promise<void>;
  /** The last call: stores the rest. */
  finish(): Promise<Blob>;
}

/** After a crash the sender repeats what arrived since the last checkpoint, which takes about as long. */
const CHECKPOINT_INTERVAL_MS = 1_000;
/** A fast upload is checkpointed where no stored piece is left half full: a multiple of the sizes that pieces have. */
const BOUNDARY_BYTES = MEBIBYTE;

/** @param isAllOrNothing Whether nothing may be acknowledged before the end. */
export async function createCheckpointingWriter(parts: {
  blobs: Blobs;
  partialUploads: PartialUploads;
  clock: Clock;
  partial: Stored<PartialUpload>;
  limit: number;
  isAllOrNothing: boolean;
}): Promise<CheckpointingWriter> {
  const { blobs, partialUploads, clock, limit, isAllOrNothing } = parts;
  let { partial } = parts;
  let writer = await blobs.resume(partial.document.blob, limit);
  let checkpointedAt = clock.now();
  /** Cancels the timer that checkpoints a slow upload. */
  let cancelTimer: (() => void) | null = null;
  /** Whether a timer left the checkpoint of a fast upload to the next boundary. */
  let hasSkippedTimer = false;
  /** The last operation on the writer: one runs at a time. Rejects once one has failed. */
  let last: Promise<unknown> = Promise.resolve();

  function enqueue<T>(act: () => Promise<T>): Promise<T> {
    const next = last.then(act);
    last = next;
    // Its caller receives the error, and so does every later one.
    next.catch(() => undefined);
    return next;
  }

  function stopTimer(): void {
    cancelTimer?.();
    cancelTimer = null;
  }

  function startTimer(): void {
    if (isAllOrNothing || cancelTimer !== null) return;
    cancelTimer = clock.after(CHECKPOINT_INTERVAL_MS, () => {
      cancelTimer = null;
      enqueue(onTimer).catch(() => undefined);
    });
  }

  async function onTimer(): Promise<void> {
    const arrived = writer.size - partial.document.blob.size;
    // Another timer or a boundary was first.
    if (arrived === 0 || cancelTimer !== null) return;
    if (arrived < BOUNDARY_BYTES || hasSkippedTimer) return checkpointAndResume();
    hasSkippedTimer = true;
    startTimer();
  }

  async function checkpoint(): Promise<void> {
    stopTimer();
    const blob = await writer.pause();
    partial = await partialUploads.save({ ...partial, document: { ...partial.document, blob } });
    checkpointedAt = clock.now();
    hasSkippedTimer = false;
  }

  async function checkpointAndResume(): Promise<void> {
    await checkpoint();
    writer = await blobs.resume(partial.document.blob, limit);
  }

  async function write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + BOUNDARY_BYTES - (writer.size % BOUNDARY_BYTES));
      at += piece.length;
      const pressure = writer.write(piece);
      if (pressure !== undefined) await pressure;
      const isDue = writer.size % BOUNDARY_BYTES === 0 && clock.now() - checkpointedAt >= CHECKPOINT_INTERVAL_MS;
      if (isDue && !isAllOrNothing) await checkpointAndResume();
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
      // Also after a failure: nothing may be on its way to the storage any more.
      await last.catch(() => undefined);
      await checkpoint();
    },
    async abandon() {
      stopTimer();
      await last.catch(() => undefined);
      await writer.pause().catch(() => undefined);
    },
    finish() {
      stopTimer();
      return enqueue(() => writer.finish());
    },
  };
}
