/** Writes to an unfinished upload, and acknowledges what is stored every so often, so that little is lost by a crash. */
import { MEBIBYTE } from "../../encoding/bytes.ts";
import type { Blob, Blobs } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Stored } from "../../ports/store.ts";
import type { UnfinishedUpload, UnfinishedUploads } from "./partial-uploads.ts";

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

/** Milliseconds: a sender has to send again what came since then, which takes about as long. */
const KEEP_INTERVAL_MS = 1_000;
/** On a fast line, where that leaves no chunk in two halves: a multiple of the sizes that chunks have. */
const BOUNDARY = MEBIBYTE;

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
  /** Cancels the timer that keeps what came on a slow line. */
  let cancelTimer: (() => void) | null = null;
  /** Whether a timer found a fast line, which was to reach the next boundary. */
  let isPassedOver = false;
  /** What is done with the writer, one after the other; rejects once something of it has failed. */
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const next = last.then(act);
    last = next;
    // Its caller hears of a failure, and whoever comes next.
    next.catch(() => undefined);
    return next;
  }

  function disarm(): void {
    cancelTimer?.();
    cancelTimer = null;
  }

  function arm(): void {
    if (isAllOrNothing || cancelTimer !== null) return;
    cancelTimer = clock.after(KEEP_INTERVAL_MS, () => {
      cancelTimer = null;
      inTurn(keepOnTime).catch(() => undefined);
    });
  }

  async function keepOnTime(): Promise<void> {
    const came = writer.size - upload.document.blob.size;
    // Another timer or a boundary was first.
    if (came === 0 || cancelTimer !== null) return;
    if (came < BOUNDARY || isPassedOver) return keepAndGoOn();
    isPassedOver = true;
    arm();
  }

  async function keep(): Promise<void> {
    disarm();
    const blob = await writer.pause();
    upload = await unfinished.save({ ...upload, document: { ...upload.document, blob } });
    keptAt = clock.now();
    isPassedOver = false;
  }

  async function keepAndGoOn(): Promise<void> {
    await keep();
    writer = await blobs.resume(upload.document.blob, limit);
  }

  async function write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + BOUNDARY - (writer.size % BOUNDARY));
      at += part.length;
      const pressure = writer.write(part);
      if (pressure !== undefined) await pressure;
      const isDue = writer.size % BOUNDARY === 0 && clock.now() - keptAt >= KEEP_INTERVAL_MS;
      if (isDue && !isAllOrNothing) await keepAndGoOn();
    }
    if (writer.size > upload.document.blob.size) arm();
  }

  return {
    write: (bytes) => inTurn(() => write(bytes)),
    head: () => writer.head(),
    get size() {
      return writer.size;
    },
    get upload() {
      return upload;
    },
    async keep() {
      // Also after a failure: nothing may be on its way to the storage any more.
      await last.catch(() => undefined);
      await keep();
    },
    async leave() {
      disarm();
      await last.catch(() => undefined);
      await writer.pause().catch(() => undefined);
    },
    finish() {
      disarm();
      return inTurn(() => writer.finish());
    },
  };
}
