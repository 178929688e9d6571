/** Bytes of files in blocks of a fixed size, so that files of any size are stored on any driver in constant memory. */
import { StepwellError } from "../errors.ts";

/** Number of first bytes that a writer keeps: enough to detect a file's type from its content. */
export const HEAD_BYTES = 4_100;

/** Describes stored bytes. Part of the document that refers to them. */
export interface Blob {
  /** Generated ID (`blob_…`), never chosen by a user. */
  readonly id: string;
  readonly size: number;
  /** Size of all blocks except the last, in bytes. A smaller blob has one block. */
  readonly block_size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** What is needed to resume an incomplete blob. */
export interface BlobProgress extends Omit<Blob, "sha256"> {
  /**
   * Which of two items holds the bytes of the last, incomplete block. Absent if there is none, or if the blob is one
   * growing item.
   */
  readonly tail?: TailItem;
}

/** The two items for incomplete blocks. They alternate, so that a torn write never damages acknowledged bytes. */
export const TAIL_ITEMS = ["a", "b"] as const;
export type TailItem = (typeof TAIL_ITEMS)[number];

/** The storage has lost bytes of a blob. Another attempt does not succeed. */
export class LostBytesError extends StepwellError {
  constructor(message: string) {
    super("unavailable", message);
  }
}

export interface BlobWriter {
  /**
   * Writes the next bytes. The caller may reuse the buffer once this has settled. For backpressure, await the returned
   * promise, if any, before the next call.
   * @throws StepwellError `too_large` if the limit is exceeded, `unavailable` if the driver fails.
   */
  write(bytes: Uint8Array): Promise<void> | void;
  /** Returns the first bytes written so far, up to {@link HEAD_BYTES}. */
  head(): Uint8Array;
  /** Number of bytes written so far. */
  readonly size: number;
  /** Stores the rest. The blob becomes readable only when this resolves. */
  finish(): Promise<Blob>;
  /**
   * Stores the bytes so far, so that this or another process can `resume`. After a failed write it rejects with that
   * error, once no write is in progress.
   */
  pause(): Promise<BlobProgress>;
  /** Deletes what was stored. Never rejects. May be called at any time, even after a failed write, and repeatedly. */
  abort(): Promise<void>;
}

export interface Blobs {
  /** Starts a blob. @param limit Maximum size in bytes. */
  open(id: string, limit: number): BlobWriter;
  /**
   * Resumes a paused blob. Bytes written since the pause are discarded. Only one writer at a time may resume a blob.
   * @throws LostBytesError if the storage has lost bytes of it. StepwellError `unavailable` if the driver fails.
   */
  resume(progress: BlobProgress, limit: number): Promise<BlobWriter>;
  /**
   * Starts a blob with the bytes of a paused one, which another process may still be writing after its pause. Reads and writes
   * all of them.
   * @throws LostBytesError if the storage has lost bytes of it. StepwellError `unavailable` if the driver fails.
   */
  copy(progress: BlobProgress, id: string, limit: number): Promise<BlobWriter>;
  /**
   * Drops what is kept in memory to resume a paused blob faster. Call it if its last pause was not acknowledged, because another
   * process may write other bytes there.
   */
  forget(id: string): void;
  /**
   * Reads the bytes from `start` up to, but not including, `end`. Reads only the blocks that contain them, on demand. A
   * blob that is read whole is verified: if the digest doesn't match, the stream fails with `unavailable` before the
   * last bytes. A partial read is not verified.
   */
  read(blob: Blob, range?: { readonly start: number; readonly end: number }): ReadableStream<Uint8Array>;
  /**
   * Deletes what was stored only to resume a blob. Call it when a document refers to the finished blob. If it rejects, `sweep`
   * deletes the rest.
   */
  deleteTails(blob: Blob): Promise<void>;
  /**
   * Deletes a blob. Only its ID needs to be known, because its writer's process may have crashed: it deletes blocks until
   * one is missing.
   * @param size Number of bytes that may have been written. All blocks up to there are checked, even if some are
   * missing. Default: 0.
   */
  sweep(id: string, size?: number): Promise<void>;
}
