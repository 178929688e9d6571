/** A partial upload, as stored until it is complete, terminated, or its upload URL expires. */
import type { Expiring } from "../../documents/expiring-documents.ts";
import type { BlobProgress } from "../../ports/blobs.ts";
import type { Key } from "../../ports/store.ts";

/** Stored under the id of its upload URL and with the same `expires_at`. It refers to its bytes. */
export interface PartialUpload extends Expiring {
  readonly upload_id: string;
  readonly blob: BlobProgress;
  /** Size of the file in bytes; null while the client has not announced it. */
  readonly length: number | null;
  /** File name that the client sent. */
  readonly name: string | null;
  /** Media type that the client sent. */
  readonly type?: string;
  /** The `Upload-Metadata` header of the request that created it. */
  readonly metadata: string | null;
  /** ID of the partial upload in its URL. @default that of its first blob, while it has no other */
  readonly attempt?: string;
  /** In a cluster, the request that writes to the blob. Absent while none does. */
  readonly holder?: Holder;
  /** Set when another request waits for the holder to end. */
  readonly asked?: TakeoverReason;
  /**
   * Set when the process of a holder was lost. If it is only slow, it may still write to the blob behind the acknowledged bytes, so
   * nobody else does: the next request copies them to another blob.
   */
  readonly is_abandoned?: true;
}

export interface Holder {
  /** ID of the process in the cluster. */
  readonly worker: string;
  /** Random. Unique to the request. */
  readonly token: string;
}

/** Why a request must end: because a later one came, or because the upload URL is deleted. */
export type TakeoverReason = "replaced" | "deleted";

export const partialKey = (uploadId: string): Key => `partial:${uploadId}`;

/** The progress of a blob without bytes. */
export const emptyBlob = (id: string): BlobProgress => ({ id, size: 0, block_size: 0 });

export const attemptOf = ({ attempt, blob }: PartialUpload): string => attempt ?? blob.id;
