/** Pre-signed uploads: an address made for one file, and the receiving of that file. */

import { type Expiring, expiringRow } from "../documents/expiring-documents.ts";
import type { Receipt } from "../documents/receipt.ts";
import { isStepwellError, type StepwellError } from "../errors.ts";
import type { File } from "../files/file.ts";
import { safeName } from "../files/file-name.ts";
import { allowedType, HEAD_BYTES } from "../files/media-type.ts";
import type { OrphanBlobs } from "../files/orphan-blobs.ts";
import type { Blobs, BlobWriter } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import type { Ids } from "../ports/ids.ts";
import type { Key, Store } from "../ports/store.ts";
import { invalid, isSignal, NO_SIGNAL } from "../schema.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS } from "../time/units.ts";
import { openRemote } from "./fetch-from-url.ts";
import type { UnfinishedUploads } from "./resumable/partial-uploads.ts";
import type { Upload, UploadCreate, UploadDocument, UploadStatus } from "./upload.ts";
import { type UploadAddresses, uploadKey, uploadPath, type Written } from "./upload-urls.ts";

/** What comes in under an upload address. */
export interface Content {
  /** As its sender calls it; made safe here. */
  readonly name?: string | undefined;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
}

export type ContentSource = (upload: UploadDocument) => Promise<Content>;

export interface Uploads {
  /** Bytes that no address takes more of. */
  readonly maxSize: number;
  /** Until when a file of the app with this id may still come; null when none is expected. */
  expected(appId: string, fileId: string): Promise<string | null>;
  create(appId: string, input: UploadCreate, receipt: Receipt): Promise<Upload>;
  /** @throws StepwellError `not_found` */
  status(uploadId: string): Promise<UploadStatus>;
  /**
   * What may be received now.
   * @throws StepwellError `not_found`, `upload_used`, `upload_expired`
   */
  open(uploadId: string): Promise<UploadDocument>;
  /**
   * Stores a file as it comes. Of several at once one wins, the one that ends first; a failed one leaves nothing behind
   * and the address usable. An upload that began in time may end later.
   *
   * @throws StepwellError as {@link open}; `too_large`; `unsupported_media_type` when the content is not of a type that
   * is allowed; `unavailable` when the storage fails; what the body throws.
   */
  receive(uploadId: string, content: Content): Promise<File>;
  /** As {@link receive}, for a content that needs time until it begins: asked for once the address was found open. */
  receiveWhenOpen(uploadId: string, source: ContentSource): Promise<File>;
  /**
   * Fetches a file from an address and stores it as {@link receive} does.
   * @throws StepwellError also `address_refused`, `fetch_failed`
   */
  receiveFrom(uploadId: string, address: string, signal?: AbortSignal): Promise<File>;
}

interface Future extends Expiring {
  readonly upload_id: string;
}

const SECRET_LENGTH = 32;
/** How long an address lives, unless told otherwise. */
const DEFAULT_LIFETIME_MS = DAY_MS;
/** How often an upload in progress looks whether its address is still there. */
const CHECK_INTERVAL_MS = 1_000;
/** How long a closed address can still say why it is closed. */
const REMEMBERED = 30 * DEFAULT_LIFETIME_MS;

/** Leads from the id of a file that is to come to the address that it will come to. */
export const futureKey = (fileId: string): Key => `future:${fileId}`;

export function createUploads(parts: {
  store: Store;
  blobs: Blobs;
  loose: OrphanBlobs;
  addresses: UploadAddresses;
  unfinished: UnfinishedUploads;
  clock: Clock;
  ids: Ids;
  fetch: GuardedFetch;
  /** What `upload_url` starts with, without a slash at its end. */
  baseUrl: string;
  /** Bytes of a file at the most. */
  fileLimit: number;
}): Uploads {
  const { store, blobs, loose, addresses, unfinished, clock, ids, fetch, baseUrl, fileLimit } = parts;

  /** The content, cut off when its address goes, as that of a removed app does. */
  function watched({ body, ...content }: Content, uploadId: string): Content {
    return body instanceof Uint8Array ? { ...content, body } : { ...content, body: whileThere(body, uploadId) };
  }

  async function* whileThere(body: AsyncIterable<Uint8Array>, uploadId: string): AsyncGenerator<Uint8Array, void> {
    let checkedAt = clock.now();
    for await (const bytes of body) {
      if (clock.now() - checkedAt >= CHECK_INTERVAL_MS) {
        await addresses.find(uploadId);
        checkedAt = clock.now();
      }
      yield bytes;
    }
  }

  async function receiveWhenOpen(uploadId: string, source: ContentSource): Promise<File> {
    const upload = await addresses.findOpen(uploadId);
    const { document } = upload;
    const content = await source(document);
    const name = document.file_name ?? safeName(content.name);
    const blobId = ids.next("blob");
    await store.commit([loose.markOrphan(blobId)]);
    const writer = blobs.open(blobId, document.max_size);
    const discard = async (error: unknown) => {
      await writer.abort();
      await loose.discard(blobId, isStepwellError(error, "unavailable") ? writer.size : undefined);
    };
    let written: Written;
    try {
      written = await writeAll(writer, watched(content, uploadId), name, document.allowed_types);
    } catch (error) {
      await discard(error);
      throw error;
    }
    try {
      const file = await addresses.settle(upload, written, name, [loose.adopt(blobId)]);
      void unfinished.drop(uploadId); // what came in parts lost against this one
      return file;
    } catch (error) {
      // When the storage did not answer, a crash right now could still bring the file into being: no byte may go yet.
      if (isStepwellError(error, "unavailable")) void loose.giveUp(blobId);
      else await discard(error);
      throw error;
    }
  }

  return {
    maxSize: fileLimit,
    async create(appId, input, receipt) {
      const { max_size = fileLimit } = input;
      if (max_size > fileLimit) {
        throw invalid([{ pointer: "/max_size", message: `Must be at most ${fileLimit}, the limit of this service.` }]);
      }
      const now = clock.now();
      const closes = now + (input.expires_in === undefined ? DEFAULT_LIFETIME_MS : input.expires_in * 1_000);
      const upload: UploadDocument = {
        id: `fupl_${ids.random(SECRET_LENGTH)}`,
        app_id: appId,
        file_id: ids.next("afile"),
        used: false,
        max_size,
        allowed_types: input.allowed_types ?? null,
        file_name: input.file_name === undefined ? null : safeName(input.file_name),
        visibility: input.visibility ?? "PRIVATE",
        file_expires_in: input.file_expires_in ?? null,
        closes_at: instant(closes),
        expires_at: instant(closes + REMEMBERED),
      };
      const answer: Upload = {
        upload_url: baseUrl + uploadPath(upload.id),
        future_file_id: upload.file_id,
        expires_at: upload.closes_at,
      };
      const key = uploadKey(upload.id);
      const future: Future = { upload_id: upload.id, expires_at: upload.expires_at };
      const futureAt = futureKey(upload.file_id);
      await store.commit([
        { key, document: upload, rows: [expiringRow(key, upload, appId)] },
        { key: futureAt, document: future, rows: [expiringRow(futureAt, future)] },
        ...receipt(answer),
      ]);
      return answer;
    },

    async expected(appId, fileId) {
      const future = await store.get<Future>(futureKey(fileId));
      const upload = future === null ? null : await store.get<UploadDocument>(uploadKey(future.document.upload_id));
      if (upload === null || upload.document.app_id !== appId || upload.document.used) return null;
      const { closes_at } = upload.document;
      return closes_at > instant(clock.now()) ? closes_at : null;
    },

    async status(uploadId) {
      const { used, closes_at, max_size, allowed_types } = (await addresses.find(uploadId)).document;
      const status = used ? "used" : closes_at <= instant(clock.now()) ? "expired" : "open";
      return { status, expires_at: closes_at, max_size, allowed_types: allowed_types?.slice() ?? null };
    },

    open: async (uploadId) => (await addresses.findOpen(uploadId)).document,

    receive: (uploadId, content) => receiveWhenOpen(uploadId, async () => checked(content)),

    receiveWhenOpen,

    receiveFrom: (uploadId, address, signal) =>
      receiveWhenOpen(uploadId, ({ max_size }) => openRemote(fetch, address, max_size, signal)),
  };
}

/** Writes a content to its end, and tells its type on the way: as soon as enough is there to refuse it. */
async function writeAll(
  writer: BlobWriter,
  content: Content,
  name: string,
  allowed: readonly string[] | null,
): Promise<Written> {
  const { body, signal } = content;
  let type: string | undefined;
  for await (const bytes of body instanceof Uint8Array ? [body] : body) {
    signal?.throwIfAborted();
    if (!(bytes instanceof Uint8Array)) throw notBytes(bytes);
    const pressure = writer.write(bytes);
    if (pressure !== undefined) await pressure;
    if (type === undefined && writer.size >= HEAD_BYTES) type = await allowedType(writer.head(), name, allowed);
  }
  signal?.throwIfAborted();
  type ??= await allowedType(writer.head(), name, allowed);
  return { blob: await writer.finish(), type, inParts: null };
}

/** What a program gives may be anything, whatever the types say. */
function checked(content: Content): Content {
  const { name, body, signal }: { readonly [Field in keyof Content]?: unknown } = content ?? {};
  if (signal !== undefined && !isSignal(signal)) throw invalid([{ pointer: "/signal", message: NO_SIGNAL }]);
  if (name !== undefined && typeof name !== "string") {
    throw invalid([{ pointer: "/name", message: `Must be a string, not ${typeof name}.` }]);
  }
  const isStream =
    typeof body === "object" &&
    body !== null &&
    Symbol.asyncIterator in body &&
    typeof body[Symbol.asyncIterator] === "function";
  if (!isStream && !(body instanceof Uint8Array)) throw notBytes(body);
  return content;
}

function notBytes(value: unknown): StepwellError {
  const kind = typeof value === "object" ? (value?.constructor?.name ?? "null") : typeof value;
  const message = `Must be a Uint8Array, or a stream of them such as the stream() of a Blob; is ${kind}.`;
  return invalid([{ pointer: "/body", message }]);
}
