/** Bytes of files, in chunks, so that any size passes through any driver in constant memory. */

/** First bytes of a blob that a writer keeps: enough to tell the type of a file by its content. */
export const HEAD_BYTES = 4_100;

/** What is known of stored bytes; kept in the document of whatever owns them. */
export interface Blob {
  /** Generated (`blob_…`), never a user's. */
  readonly id: string;
  readonly size: number;
  /** Bytes in every chunk but the last; a blob that is smaller is one chunk. */
  readonly chunk_size: number;
  /** Hex. */
  readonly sha256: string;
}

/** Of a blob that is not whole yet, what is needed to go on with it. */
export type BlobProgress = Omit<Blob, "sha256">;

export interface BlobWriter {
  /**
   * Takes the next bytes; they may be reused by the caller once this has settled. Await what it gives, if anything,
   * before the next call: that is the backpressure.
   * @throws StepwellError `too_large` past the limit, `unavailable` when the driver fails.
   */
  write(bytes: Uint8Array): Promise<void> | void;
  /** The first bytes written so far, up to {@link HEAD_BYTES}. */
  head(): Uint8Array;
  /** Bytes written so far. */
  readonly size: number;
  /** Stores the rest. Nothing is readable before; everything is after. */
  finish(): Promise<Blob>;
  /**
   * Stores what has come so far, for `resume` to go on with, in this process or another. Also after a failed write: it
   * rejects with that then, once nothing is on its way to the driver any more.
   */
  pause(): Promise<BlobProgress>;
  /** Removes what was stored. Never rejects; may be called at any time, also after a failed write, and twice. */
  abort(): Promise<void>;
}

export interface Blobs {
  /** Starts a blob. @param limit Bytes allowed at the most. */
  open(id: string, limit: number): BlobWriter;
  /**
   * Goes on with a blob that was paused; what was written since is cut off. One writer at a time goes on with a blob.
   * @throws StepwellError `unavailable` when the storage has lost bytes of it.
   */
  resume(progress: BlobProgress, limit: number): Promise<BlobWriter>;
  /**
   * The bytes from `start` up to, not including, `end`; reads only the chunks they lie in, as they are asked for. A blob
   * that is read whole is verified: where its bytes do not have its digest, the stream fails with `unavailable` before the
   * last of them. A part of it is not verified.
   */
  read(blob: Blob, range?: { readonly start: number; readonly end: number }): ReadableStream<Uint8Array>;
  remove(blob: Blob): Promise<void>;
  /**
   * Removes a blob of which only the id is known (its writer's process died): chunk by chunk until one is missing.
   * @param size Bytes that may have been written; so far it looks in any case. Default 0.
   */
  sweep(id: string, size?: number): Promise<void>;
}
