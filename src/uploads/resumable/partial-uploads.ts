/** Uploads that came in part and may go on: what is stored of each, until it is whole, given up, or its address closes. */

import { rowIds } from "../../documents/documents.ts";
import type { Expiring } from "../../documents/expiring-documents.ts";
import { isStepwellError, notFound, StepwellError } from "../../errors.ts";
import type { OrphanBlobs } from "../../files/orphan-blobs.ts";
import type { BlobProgress } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Change, Key, RowChange, Store, Stored } from "../../ports/store.ts";
import { instant } from "../../time/iso.ts";
import { createTurns, type Turns } from "./upload-lock.ts";

/** As stored, under the id of its address. It owns its bytes; `expires_at` is when the address closes. */
export interface UnfinishedUpload extends Expiring {
  readonly upload_id: string;
  readonly blob: BlobProgress;
  /** Bytes that the file will have; null as long as its sender has not told. */
  readonly length: number | null;
  /** What its sender calls the file. */
  readonly name: string | null;
  /** `Upload-Metadata` as it was given. */
  readonly metadata: string | null;
}

export interface UnfinishedUploads {
  /** Everything below but {@link drop}, {@link discard} and {@link sweep} is for who has the turn of the upload. */
  readonly turns: Turns;
  find(uploadId: string): Promise<Stored<UnfinishedUpload> | null>;
  /** Starts an upload, in the place of what came before at the same address. */
  begin(upload: UnfinishedUpload, before: Stored<UnfinishedUpload> | null): Promise<Stored<UnfinishedUpload>>;
  /** Acknowledges what was stored. */
  save(found: Stored<UnfinishedUpload>): Promise<Stored<UnfinishedUpload>>;
  /** To be committed with the file that the bytes become. */
  finished(found: Stored<UnfinishedUpload>): Change;
  /** Removes the upload and its bytes. */
  remove(found: Stored<UnfinishedUpload>): Promise<void>;
  /** Removes what came at an address that is of no use any more; who is at it is asked to end. Never rejects. */
  drop(uploadId: string): Promise<void>;
  /** As {@link drop}, for an address that is gone: a request in progress ends with `not_found`. Rejects on failure. */
  discard(uploadId: string): Promise<void>;
  /** Removes what has expired. What is coming in right now may end. */
  sweep(isStopped?: () => boolean): Promise<void>;
  /** Ends the requests that are under way; what they brought is kept for the next process. */
  close(): Promise<void>;
}

const LIST = "uploads.unfinished";
const keyOf = (uploadId: string): Key => `unfinished:${uploadId}`;

export function createUnfinishedUploads(parts: {
  store: Store;
  loose: OrphanBlobs;
  clock: Clock;
  logger: Logger;
}): UnfinishedUploads {
  const { store, loose, clock, logger } = parts;
  const turns = createTurns();

  const find = (uploadId: string) => store.get<UnfinishedUpload>(keyOf(uploadId));

  function change(document: UnfinishedUpload, version: number | null, rows: readonly RowChange[]): Change {
    return { key: keyOf(document.upload_id), document, expected: version, rows };
  }

  function finished({ document: { upload_id }, version }: Stored<UnfinishedUpload>): Change {
    return { key: keyOf(upload_id), document: null, expected: version, rows: [{ list: LIST, take: upload_id }] };
  }

  async function remove(found: Stored<UnfinishedUpload>): Promise<void> {
    const { id } = found.document.blob;
    await store.commit([finished(found), loose.markOrphan(id)]);
    await loose.discard(id);
  }

  async function removeAt(uploadId: string): Promise<void> {
    const found = await find(uploadId);
    if (found !== null) await remove(found);
  }

  return {
    turns,
    find,

    async begin(document, before) {
      const row = { list: LIST, put: { id: document.upload_id, order: document.expires_at } };
      const changes = [change(document, before?.version ?? null, [row])];
      if (before !== null) changes.push(loose.markOrphan(before.document.blob.id));
      await store.commit(changes);
      if (before !== null) await loose.discard(before.document.blob.id);
      return { document, version: (before?.version ?? 0) + 1 };
    },

    async save({ document, version }) {
      await store.commit([change(document, version, [])]);
      return { document, version: version + 1 };
    },

    finished,
    remove,

    async drop(uploadId) {
      try {
        await turns.take(uploadId, () => removeAt(uploadId));
      } catch (error) {
        if (isStepwellError(error, "conflict")) return;
        logger.warn("an unfinished upload could not be removed; it goes when its address expires", { error });
      }
    },

    discard: (uploadId) => turns.take(uploadId, () => removeAt(uploadId), notFound("upload address", uploadId)),

    async sweep(isStopped = () => false) {
      for await (const uploadId of rowIds(store, LIST, { until: instant(clock.now()) })) {
        if (isStopped()) return;
        if (!turns.isTaken(uploadId)) await turns.take(uploadId, () => removeAt(uploadId));
      }
    },

    close: () => turns.end(new StepwellError("conflict", "The service is closing; this upload can go on later.")),
  };
}
