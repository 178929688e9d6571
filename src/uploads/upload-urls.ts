/** Upload URLs: looks one up for each request, and marks it as used when its file has arrived. */

import { isStepwellError, notFound, StepwellError } from "../errors.ts";
import { type File, type FileDocument, toFile } from "../files/file.ts";
import { fileKey, putFile } from "../files/files.ts";
import { typeOfName } from "../files/media-type.ts";
import { omitUndefined } from "../json.ts";
import type { Blob } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Change, Key, Store, Stored } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import type { FinishedUpload, UploadDocument } from "./upload.ts";

export interface UploadUrls {
  /** @throws StepwellError `not_found`, including if its app was deleted */
  find(uploadId: string): Promise<Stored<UploadDocument>>;
  /** @throws StepwellError `not_found`, `upload_used`, `upload_expired` */
  findOpen(uploadId: string): Promise<Stored<UploadDocument>>;
  /** Returns the file that an upload URL has received. @throws StepwellError `not_found` without one */
  receivedFile(upload: Stored<UploadDocument>): Promise<File>;
  /** @throws StepwellError `upload_used`, `upload_expired` */
  checkOpen(upload: Stored<UploadDocument>): void;
  /**
   * Call it before storing anything for an upload that was looked up earlier: its app may have been deleted.
   * @throws StepwellError `not_found`
   */
  checkApp(upload: Stored<UploadDocument>): Promise<void>;
  /**
   * Creates the file and marks the upload URL as used, in one commit. The commit expects the upload unchanged, so one of
   * several concurrent files wins.
   * @param changes Further changes of the commit, which remove the document that referred to the bytes before.
   * @throws StepwellError `upload_used` if another file arrived first; `not_found` if the app was deleted meanwhile
   */
  consume(
    upload: Stored<UploadDocument>,
    written: WrittenContent,
    name: string,
    changes: readonly Change[],
  ): Promise<File>;
}

/** Content that is completely stored. */
export interface WrittenContent {
  readonly blob: Blob;
  readonly type: string;
  /** Encoding that the sender declared; undefined for none. */
  readonly charset: string | undefined;
  /** `Upload-Metadata` of a resumable upload; null for a file that arrived in one request. */
  readonly resumable: Pick<FinishedUpload, "attempt" | "metadata"> | null;
}

const UPLOAD_ID = /^fupl_[0-9a-z]{32}$/;

export const uploadKey = (uploadId: string): Key => `upload:${uploadId}`;
export const isUploadKey = (key: Key): boolean => key.startsWith("upload:");
/** The path of an upload URL below the base URL. */
export const uploadPath = (uploadId: string) => `/public/apps/files/uploads/${uploadId}`;

export function createUploadUrls(parts: {
  store: Store;
  clock: Clock;
  /** @throws StepwellError `not_found` */
  getApp(appId: string): Promise<unknown>;
  /** Called with each received file. */
  onFileReceived?: (file: File) => void;
}): UploadUrls {
  const { store, clock, getApp, onFileReceived } = parts;

  async function find(uploadId: string): Promise<Stored<UploadDocument>> {
    const found = UPLOAD_ID.test(uploadId) ? await store.get<UploadDocument>(uploadKey(uploadId)) : null;
    if (found === null) throw notFound("upload URL", uploadId);
    await checkApp(found);
    return found;
  }

  async function checkApp({ document }: Stored<UploadDocument>): Promise<void> {
    try {
      await getApp(document.app_id);
    } catch (error) {
      // The holder of an upload URL must not learn which app it belonged to.
      throw isStepwellError(error, "not_found") ? notFound("upload URL", document.id) : error;
    }
  }

  function checkOpen({ document: { used, url_expires_at } }: Stored<UploadDocument>): void {
    if (used) throw uploadUsedError();
    if (url_expires_at <= instant(clock.now())) {
      throw new StepwellError("upload_expired", `This upload URL expired at ${url_expires_at}. Request a new one.`);
    }
  }

  return {
    find,
    checkOpen,
    checkApp,

    async receivedFile({ document: { file_id } }) {
      const found = await store.get<FileDocument>(fileKey(file_id));
      if (found === null) throw notFound("file", file_id);
      return toFile(found.document);
    },

    async findOpen(uploadId) {
      const found = await find(uploadId);
      checkOpen(found);
      return found;
    },

    async consume(upload, { blob, type, charset, resumable }, name, changes) {
      const { document, version } = upload;
      const now = clock.now();
      const { file_expires_in: lifetimeSeconds } = document;
      const file: FileDocument = {
        id: document.file_id,
        app_id: document.app_id,
        name,
        size: blob.size,
        mime_type: type,
        ...omitUndefined({ charset }),
        name_type: await typeOfName(name),
        sha256: blob.sha256,
        visibility: document.visibility,
        created_at: instant(now),
        expires_at: lifetimeSeconds === null ? null : instant(now + lifetimeSeconds * 1_000),
        blob,
      };
      const key = uploadKey(document.id);
      const finished = resumable && { finished_upload: { ...resumable, size: blob.size } };
      const used: UploadDocument = { ...document, used: true, ...finished };
      await checkApp(upload); // it may have been deleted meanwhile
      try {
        await store.commit([{ key, document: used, expected: version }, putFile(file), ...changes]);
      } catch (error) {
        if (!isStepwellError(error, "conflict") || error.key !== key) throw error;
        await find(document.id);
        throw uploadUsedError();
      }
      onFileReceived?.(toFile(file));
      return toFile(file);
    },
  };
}

function uploadUsedError(): StepwellError {
  return new StepwellError("upload_used", "This upload URL was already used. Request a new one.");
}
