/** The files of one app behind the HTTP handler, with any driver. */

import memoryDriver from "unstorage/drivers/memory";
import { nodeHash } from "../../../adapters/crypto/node-hash.ts";
import { createDial } from "../../../adapters/net/node-dial.ts";
import { createApps } from "../../../src/apps/apps.ts";
import { createKeys } from "../../../src/apps/keys.ts";
import { noReceipt } from "../../../src/documents/receipt.ts";
import { createFileLinks } from "../../../src/files/file-links.ts";
import { createFiles } from "../../../src/files/files.ts";
import { createOrphanBlobs } from "../../../src/files/orphan-blobs.ts";
import { fileRoutes } from "../../../src/files/routes.ts";
import { createBlobStorer } from "../../../src/files/store-blob.ts";
import { createHandler } from "../../../src/http/handler.ts";
import { createIds } from "../../../src/ids.ts";
import { omitUndefined } from "../../../src/json.ts";
import { createGuardedFetch } from "../../../src/net/guarded-fetch.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Driver } from "../../../src/ports/driver.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Store } from "../../../src/ports/store.ts";
import { check } from "../../../src/schema.ts";
import { createBlobs } from "../../../src/storage/blobs/blobs.ts";
import { createDriverStore } from "../../../src/storage/store.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { createPartialUploads } from "../../../src/uploads/resumable/partial-uploads.ts";
import { createResumableUploads } from "../../../src/uploads/resumable/resumable-uploads.ts";
import type { OtherReceivers } from "../../../src/uploads/resumable/upload-turns.ts";
import { uploadRoutes } from "../../../src/uploads/routes.ts";
import { UploadCreate } from "../../../src/uploads/upload.ts";
import { createUploadUrls } from "../../../src/uploads/upload-urls.ts";
import { createUploads } from "../../../src/uploads/uploads.ts";

export const BASE = "https://stepwell.test/automation";
export const BLOCK = 64;

export interface Given {
  readonly entities?: Driver;
  /** A store in place of one on `entities`. */
  readonly store?: Store;
  /** Other services on the same store. */
  readonly receivers?: OtherReceivers;
  readonly blobs?: Driver;
  readonly allow?: readonly string[];
  readonly fileBytes?: number;
  readonly now?: () => number;
  readonly after?: Clock["after"];
  /** If it differs from `now`. */
  readonly elapsed?: () => number;
  readonly bodyIdleMs?: number;
  /** Milliseconds until a call of a driver counts as failed. */
  readonly timeoutMs?: number;
  readonly blockSize?: number;
  /** An app that an earlier service on the same drivers created. */
  readonly app?: { id: string; key: string };
}

export async function createService(given: Given = {}) {
  const clock: Clock = {
    now: given.now ?? Date.now,
    after: given.after ?? (() => () => undefined),
    ...omitUndefined({ elapsed: given.elapsed }),
  };
  const ids = createIds(clock);
  const errors: unknown[] = [];
  const logger: Logger = { debug() {}, info() {}, warn() {}, error: (...entry) => errors.push(entry) };
  const options = given.timeoutMs === undefined ? {} : { timeoutMs: given.timeoutMs };
  const entities = given.entities ?? memoryDriver();
  const store = given.store ?? createDriverStore({ driver: entities, clock, ids, logger, hash: nodeHash, options });
  const { receivers } = given;
  const driver: Driver = given.blobs ?? memoryDriver();
  const blockSize = given.blockSize ?? BLOCK;
  const blobs = createBlobs({ driver, hash: nodeHash, clock: systemClock, logger, blockSize, ...options });
  const orphanBlobs = createOrphanBlobs({ store, blobs, clock, ids, logger, isShared: receivers !== undefined });
  const apps = createApps({ store, clock, ids });
  const uploadUrls = createUploadUrls({ store, clock, getApp: apps.get });
  const partialUploads = createPartialUploads({ store, orphanBlobs, clock, ids, logger, receivers });
  const resumable = createResumableUploads({
    uploadUrls,
    partialUploads,
    blobs,
    ids,
    clock,
    hash: nodeHash,
    baseUrl: BASE,
  });
  const uploads = createUploads({
    store,
    storeBlob: createBlobStorer({ store, blobs, orphanBlobs, ids }).storeBlob,
    uploadUrls,
    partialUploads,
    clock,
    ids,
    getApp: apps.get,
    baseUrl: BASE,
    fileBytes: given.fileBytes ?? 5 * 1024 ** 3,
    fetch: createGuardedFetch({ dial: createDial(), allow: given.allow ?? [] }),
  });
  const files = createFiles({ store, blobs, orphanBlobs, clock });
  const fileLinks = createFileLinks({ store, clock, ids, hash: nodeHash, files, getApp: apps.get, baseUrl: BASE });
  const keys = createKeys({ store, clock, ids, hash: nodeHash });
  const app = given.app ?? (await newApp());
  const handler = createHandler({
    routes: [...Object.values(uploadRoutes), ...Object.values(fileRoutes)],
    slices: { apps, keys, uploads, resumable, files, fileLinks },
    baseUrl: BASE,
    adminKey: undefined,
    cors: undefined,
    bodyBytes: 1024 * 1024,
    bodyIdleMs: given.bodyIdleMs ?? 60_000,
    store,
    ids,
    clock,
    hash: nodeHash,
    logger,
  });

  async function newApp() {
    const { id } = await apps.create({ name: "Tests" }, noReceipt);
    return { id, key: (await keys.create(id, { name: "tests" }, noReceipt)).key };
  }

  const authorization = { authorization: `Bearer ${app.key}` };
  return {
    app,
    newApp,
    store,
    uploads,
    partialUploads,
    files,
    orphanBlobs,
    driver,
    /** Logged errors; none may be caused by a client. */
    errors,
    fetch: handler,
    /** Requests a path of the app with its key. */
    call: (path: string, init: RequestInit = {}) =>
      handler(
        new Request(`${BASE}/apps/${app.id}${path}`, { ...init, headers: { ...authorization, ...headersOf(init) } }),
      ),
    address: (input: UploadCreate = {}) => uploads.create(app.id, check(UploadCreate, input), noReceipt),
    /** How many raw items the driver holds: the blocks of all files. */
    blocks: async () => (await driver.getKeys("", {})).length,
  };
}

export type Service = Awaited<ReturnType<typeof createService>>;

function headersOf(init: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(init.headers));
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A body that arrives in exactly these pieces. */
export function streamOf(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const rest = pieces[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = rest.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

export const FORM = 'multipart/form-data; boundary="b"';

/** A multipart body with one part with the given headers. */
export function form(content: string, disposition = 'form-data; name="file"; filename="a.txt"', more = ""): string {
  return `--b\r\nContent-Disposition: ${disposition}\r\n${more}\r\n${content}\r\n--b--\r\n`;
}

export function post(
  { fetch }: Pick<Service, "fetch">,
  url: string,
  body: string | Uint8Array | ReadableStream<Uint8Array> | FormData,
  headers: Record<string, string> = { "content-type": FORM },
  signal?: AbortSignal,
): Promise<Response> {
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    body: body as BodyInit,
    headers,
    duplex: "half",
    ...(signal === undefined ? {} : { signal }),
  };
  return fetch(new Request(url, init));
}

/** The status and the error code of a response. */
export async function outcome(response: Response): Promise<string> {
  const answer = response.status < 300 ? {} : await response.json();
  return [response.status, answer.code].filter(Boolean).join(" ");
}
