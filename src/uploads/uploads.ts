/** Upload URLs, each for one file, and receiving that file. */

import { type Expiring, expiringRow } from "../documents/expiring-documents.ts";
import type { Receipt } from "../documents/receipt.ts";
import { isStream, notBytesError } from "../files/byte-stream.ts";
import { fetchRemoteFile } from "../files/fetch-remote-file.ts";
import type { File } from "../files/file.ts";
import { safeName } from "../files/file-name.ts";
import { allowedType, declaredCharset } from "../files/media-type.ts";
import type { StoreBlob } from "../files/store-blob.ts";
import { invalid } from "../messages/field-errors.ts";
import { groupedDigits } from "../messages/grouped-digits.ts";
import { type BlobWriter, HEAD_BYTES } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import type { Ids } from "../ports/ids.ts";
import type { Key, Store, Stored } from "../ports/store.ts";
import { isSignal, NO_SIGNAL } from "../schema.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS } from "../time/units.ts";
import type { PartialUploads } from "./resumable/partial-uploads.ts";
import type { Upload, UploadCreate, UploadDocument, UploadStatus } from "./upload.ts";
import { type UploadUrls, uploadKey, uploadPath, type WrittenContent } from "./upload-urls.ts";

/** The content of a file for `files.receive`. */
export interface Content {
  /** File name. Unsafe characters are replaced. @default "file" */
  readonly name?: string | undefined;
  /**
   * Media type that the sender declares, such as `text/csv; charset=iso-8859-5`. Its encoding is kept; its type counts where neither
   * content nor name shows one. @default none
   */
  readonly type?: string | undefined;
  /** The bytes, or a stream of them such as `blob.stream()`. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Aborts the upload. An aborted upload doesn't use the URL up. */
  readonly signal?: AbortSignal | undefined;
}

/** The app that asks for the file. */
export interface UploadSender {
  readonly name: string;
  /** Color of its web pages; null for the color of Stepwell. */
  readonly color: string | null;
}

export interface Uploads {
  /** Maximum bytes of a file at any upload URL. */
  readonly maxSize: number;
  /** When the upload URL of the file with this id expires; null if no upload URL of the app will create it. */
  expected(appId: string, fileId: string): Promise<string | null>;
  /** Whether an upload URL of the app has created the file with this id, or will. False 30 days after the URL has expired. */
  isOfUploadUrl(appId: string, fileId: string): Promise<boolean>;
  create(appId: string, input: UploadCreate, receipt: Receipt): Promise<Upload>;
  /** @throws StepwellError `not_found` */
  status(uploadId: string): Promise<UploadStatus>;
  /** The status with the app whose URL it is. @throws StepwellError `not_found` */
  show(uploadId: string): Promise<{ readonly status: UploadStatus; readonly sender: UploadSender }>;
  /**
   * Looks up the upload URL of a request, if it still accepts a file.
   * @throws StepwellError `not_found`, `upload_used`, `upload_expired`
   */
  open(uploadId: string): Promise<Stored<UploadDocument>>;
  /**
   * Stores the file of an open upload as it arrives. Of several concurrent files, the first to end wins. A failed
   * upload leaves nothing behind and does not use up the URL. An upload that began in time may end later.
   *
   * @throws StepwellError `upload_used`; `not_found` if the app was deleted meanwhile; `too_large`;
   * `unsupported_media_type` if the type of the content is not allowed; `unavailable` if the storage fails. Rejects
   * with whatever the body throws.
   */
  store(upload: Stored<UploadDocument>, content: Content): Promise<File>;
  /**
   * Fetches a file from a URL and stores it like {@link store}.
   * @throws StepwellError also `address_refused`, `fetch_failed`
   */
  storeFrom(upload: Stored<UploadDocument>, url: string, signal?: AbortSignal): Promise<File>;
  /**
   * Opens an upload and stores content that a program passes.
   * @throws StepwellError as {@link open} and {@link store}; `invalid` for invalid content
   */
  receive(uploadId: string, content: Content): Promise<File>;
}

interface FutureFile extends Expiring {
  readonly upload_id: string;
}

const SECRET_CHARS = 32;
/** The default of `expires_in`. */
const DEFAULT_LIFETIME_MS = DAY_MS;
/** How often an upload in progress checks that its URL still exists. */
const CHECK_INTERVAL_MS = 1_000;
/** How long a used or expired URL is remembered as such. */
const CLOSED_RETENTION_MS = 30 * DEFAULT_LIFETIME_MS;

/** Key of the document that finds an upload URL by the id of its future file. */
export const futureFileKey = (fileId: string): Key => `future:${fileId}`;

export function createUploads(parts: {
  store: Store;
  storeBlob: StoreBlob;
  uploadUrls: UploadUrls;
  partialUploads: PartialUploads;
  clock: Clock;
  ids: Ids;
  fetch: GuardedFetch;
  /** @throws StepwellError `not_found` */
  getApp(appId: string): Promise<UploadSender>;
  /** Start of `upload_url`, without a trailing slash. */
  baseUrl: string;
  /** Maximum bytes of a file. */
  fileBytes: number;
}): Uploads {
  const { store, storeBlob, uploadUrls, partialUploads, clock, ids, fetch, getApp, baseUrl, fileBytes } = parts;

  /** The upload URL that has created a file of the app, or will. */
  async function findByFile(appId: string, fileId: string): Promise<UploadDocument | null> {
    const future = await store.get<FutureFile>(futureFileKey(fileId));
    const upload = future === null ? null : await store.get<UploadDocument>(uploadKey(future.document.upload_id));
    return upload?.document.app_id === appId ? upload.document : null;
  }

  function statusOf({ used, url_expires_at, max_size, allowed_types }: UploadDocument): UploadStatus {
    const status = used ? "used" : url_expires_at <= instant(clock.now()) ? "expired" : "open";
    return { status, expires_at: url_expires_at, max_size, allowed_types: allowed_types?.slice() ?? null };
  }

  /** Called for each piece of a body: rejects if the upload URL was deleted meanwhile, such as with its app. */
  function deletionCheck(uploadId: string): () => Promise<unknown> | undefined {
    let checkedAt = clock.now();
    return () => {
      if (clock.now() - checkedAt < CHECK_INTERVAL_MS) return undefined;
      checkedAt = clock.now();
      return uploadUrls.find(uploadId);
    };
  }

  async function storeFile(upload: Stored<UploadDocument>, content: Content): Promise<File> {
    const { document } = upload;
    const name = document.file_name ?? safeName(content.name);
    return storeBlob({
      maxSize: document.max_size,
      write: (writer) => writeAll(writer, { ...content, name }, document.allowed_types, deletionCheck(document.id)),
      async refer(written, change) {
        const file = await uploadUrls.consume(upload, written, name, [change]);
        void partialUploads.drop(document.id); // this file won
        return file;
      },
    });
  }

  return {
    maxSize: fileBytes,
    async create(appId, input, receipt) {
      const { max_size = fileBytes } = input;
      if (max_size > fileBytes) {
        const message = `Must be at most ${groupedDigits(fileBytes)} bytes, the configured file limit.`;
        throw invalid([{ pointer: "/max_size", message }]);
      }
      const now = clock.now();
      const closes = now + (input.expires_in === undefined ? DEFAULT_LIFETIME_MS : input.expires_in * 1_000);
      const upload: UploadDocument = {
        id: `fupl_${ids.random(SECRET_CHARS)}`,
        app_id: appId,
        file_id: ids.next("afile"),
        used: false,
        max_size,
        allowed_types: input.allowed_types ?? null,
        file_name: input.file_name === undefined ? null : safeName(input.file_name),
        visibility: input.visibility ?? "PRIVATE",
        file_expires_in: input.file_expires_in ?? null,
        url_expires_at: instant(closes),
        expires_at: instant(closes + CLOSED_RETENTION_MS),
      };
      const answer: Upload = {
        upload_url: baseUrl + uploadPath(upload.id),
        future_file_id: upload.file_id,
        expires_at: upload.url_expires_at,
      };
      const key = uploadKey(upload.id);
      const future: FutureFile = { upload_id: upload.id, expires_at: upload.expires_at };
      const futureKey = futureFileKey(upload.file_id);
      await store.commit([
        { key, document: upload, rows: [expiringRow(key, upload, appId)] },
        { key: futureKey, document: future, rows: [expiringRow(futureKey, future)] },
        ...receipt(answer),
      ]);
      return answer;
    },

    async expected(appId, fileId) {
      const upload = await findByFile(appId, fileId);
      if (upload === null || upload.used) return null;
      const { url_expires_at } = upload;
      return url_expires_at > instant(clock.now()) ? url_expires_at : null;
    },

    isOfUploadUrl: async (appId, fileId) => (await findByFile(appId, fileId)) !== null,

    status: async (uploadId) => statusOf((await uploadUrls.find(uploadId)).document),

    async show(uploadId) {
      const { document } = await uploadUrls.find(uploadId);
      const { name, color } = await getApp(document.app_id);
      return { status: statusOf(document), sender: { name, color } };
    },

    open: uploadUrls.findOpen,

    store: storeFile,

    storeFrom: async (upload, url, signal) =>
      storeFile(upload, await fetchRemoteFile(fetch, url, upload.document.max_size, signal)),

    receive: async (uploadId, content) => storeFile(await uploadUrls.findOpen(uploadId), checkedContent(content)),
  };
}

/** Writes the whole content. Detects its type as soon as enough bytes have arrived, to reject it early. */
async function writeAll(
  writer: BlobWriter,
  content: Content & { readonly name: string },
  allowed: readonly string[] | null,
  checkDeletion: () => Promise<unknown> | undefined,
): Promise<WrittenContent> {
  const { body, signal } = content;
  let type: string | undefined;
  for await (const bytes of body instanceof Uint8Array ? [body] : body) {
    signal?.throwIfAborted();
    if (!(bytes instanceof Uint8Array)) throw notBytesError(bytes);
    const pressure = writer.write(bytes);
    if (pressure !== undefined) await pressure;
    const checking = checkDeletion();
    if (checking !== undefined) await checking;
    if (type === undefined && writer.size >= HEAD_BYTES) type = await allowedType(writer.head(), content, allowed);
  }
  signal?.throwIfAborted();
  type ??= await allowedType(writer.head(), content, allowed);
  return { blob: await writer.finish(), type, charset: declaredCharset(content.type, type), resumable: null };
}

/** Validates content from a program, which may not be type-checked. */
function checkedContent(content: Content): Content {
  const { name, type, body, signal }: { readonly [Field in keyof Content]?: unknown } = content ?? {};
  if (signal !== undefined && !isSignal(signal)) throw invalid([{ pointer: "/signal", message: NO_SIGNAL }]);
  if (name !== undefined && typeof name !== "string") {
    throw invalid([{ pointer: "/name", message: `Must be a string, not ${typeof name}.` }]);
  }
  if (type !== undefined && typeof type !== "string") {
    throw invalid([{ pointer: "/type", message: `Must be a string, not ${typeof type}.` }]);
  }
  if (!isStream(body) && !(body instanceof Uint8Array)) throw notBytesError(body);
  return content;
}
