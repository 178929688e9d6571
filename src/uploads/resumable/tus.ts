/** Resumable uploads over HTTP with tus 1.0.0 (https://tus.io/protocols/resumable-upload), at the upload URL itself. */
import { StepwellError } from "../../errors.ts";
import { declaredType } from "../../files/media-type.ts";
import { omitUndefined } from "../../json.ts";
import type { Chunk } from "./append-bytes.ts";
import type { Progress, ResumableUploads, Target } from "./resumable-uploads.ts";
import { announcedLength, byteCountIn, CHECKSUMS, checksumIn, invalidHeader, metadataIn } from "./tus-headers.ts";

const VERSION = "1.0.0";
const EXTENSIONS = [
  "creation",
  "creation-with-upload",
  "creation-defer-length",
  "checksum",
  "termination",
  "expiration",
];
/** Media type of a chunk. */
export const CHUNK_TYPE = "application/offset+octet-stream";
const TUS_HEADERS = { "tus-resumable": VERSION };

/** Headers of the response to OPTIONS. @param maxSize The limit of all upload URLs. One URL may accept less. */
export function tusDiscovery(maxSize: number): Readonly<Record<string, string>> {
  return {
    ...TUS_HEADERS,
    "tus-version": VERSION,
    "tus-extension": EXTENSIONS.join(","),
    "tus-checksum-algorithm": CHECKSUMS.join(","),
    "tus-max-size": String(maxSize),
  };
}

/** Whether a request uses tus: requests without this header don't. */
export function isTusRequest(request: Request): boolean {
  return request.headers.has("tus-resumable");
}

/** @throws StepwellError as ResumableUploads; `malformed`, `unsupported_media_type`, `unsupported_version` */
export async function handleTus(
  resumable: ResumableUploads,
  uploadId: string,
  request: Request,
  bytes: Chunk["bytes"],
): Promise<Response> {
  try {
    checkVersion(request);
    const target = { uploadId, attempt: new URL(request.url).searchParams.get("attempt") };
    return await dispatch(resumable, target, request, bytes);
  } catch (error) {
    if (!(error instanceof StepwellError)) throw error;
    const { code, message, publicDetail, errors, errors_truncated, headers } = error;
    throw new StepwellError(code, message, {
      errors,
      errors_truncated,
      publicDetail,
      headers: { ...headers, ...TUS_HEADERS },
      cause: error,
    });
  }
}

function checkVersion({ headers }: Request): void {
  if (headers.get("tus-resumable") === VERSION) return;
  const message = `Only tus ${VERSION} is supported. Send Tus-Resumable: ${VERSION}.`;
  throw new StepwellError("unsupported_version", message, { headers: { "tus-version": VERSION } });
}

async function dispatch(
  resumable: ResumableUploads,
  target: Target,
  request: Request,
  bytes: Chunk["bytes"],
): Promise<Response> {
  switch (methodOf(request)) {
    case "POST":
      return withFile(resumable, target, request, await create(resumable, target, request, bytes));
    case "PATCH":
      return withFile(resumable, target, request, await append(resumable, target, request, bytes));
    case "DELETE":
      await resumable.delete(target);
      return new Response(null, { status: 204, headers: TUS_HEADERS });
    default:
      return offsetResponse(await resumable.progress(target));
  }
}

/** The method, or that of `X-HTTP-Method-Override`, for proxies that only allow GET and POST. */
function methodOf({ method, headers }: Request): string {
  return method === "POST" ? (headers.get("x-http-method-override")?.toUpperCase() ?? method) : method;
}

/** The response to a chunk: where the upload is, and the headers that say so. */
interface Appended {
  readonly status: number;
  readonly progress: Progress;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `Prefer: return=representation` (RFC 7240 §4.2). */
const REPRESENTATION = /(?:^|,)\s*return\s*=\s*"?representation"?\s*(?:[,;]|$)/i;

/**
 * With `Prefer: return=representation`, the response that completes the file contains it, as that to a form does. So does
 * the response to a repeat of the last chunk, for a client that lost it.
 */
async function withFile(
  resumable: ResumableUploads,
  target: Target,
  request: Request,
  { status, progress, headers }: Appended,
): Promise<Response> {
  const isComplete = progress.expires_at === null;
  if (!isComplete || !REPRESENTATION.test(request.headers.get("prefer") ?? "")) {
    return progressResponse(status, progress, headers);
  }
  const file = await resumable.file(target);
  const { headers: all } = progressResponse(200, progress, headers);
  all.delete("content-length");
  all.set("preference-applied", "return=representation");
  all.set("content-type", "application/json");
  return new Response(JSON.stringify(file), { status: status === 204 ? 200 : status, headers: all });
}

async function create(
  resumable: ResumableUploads,
  { uploadId }: Target,
  request: Request,
  bytes: Chunk["bytes"],
): Promise<Appended> {
  const { headers } = request;
  if (headers.has("upload-concat"))
    throw invalidHeader("Upload-Concat", "Must be omitted: the concatenation extension is not supported.");
  const metadata = metadataIn(headers);
  const announced = {
    length: announcedLength(headers),
    name: metadata.get("filename") ?? metadata.get("name") ?? null,
    ...omitUndefined({
      type: declaredType(metadata.get("filetype")) === undefined ? undefined : metadata.get("filetype"),
    }),
    metadata: headers.get("upload-metadata"),
  };
  const chunk = headers.get("content-type") === CHUNK_TYPE ? chunkOf(request, bytes) : null;
  const progress = await resumable.create(uploadId, announced, chunk);
  return { status: 201, progress, headers: { location: progress.url } };
}

async function append(
  resumable: ResumableUploads,
  target: Target,
  request: Request,
  bytes: Chunk["bytes"],
): Promise<Appended> {
  const { headers } = request;
  if (headers.get("content-type") !== CHUNK_TYPE) {
    throw new StepwellError("unsupported_media_type", `The Content-Type must be ${CHUNK_TYPE}.`);
  }
  const offset = byteCountIn(headers, "Upload-Offset");
  if (offset === null) throw invalidHeader("Upload-Offset", "Must be the number of bytes already stored.");
  const progress = await resumable.append(
    target,
    offset,
    byteCountIn(headers, "Upload-Length"),
    chunkOf(request, bytes),
  );
  return { status: 204, progress };
}

function chunkOf(request: Request, bytes: Chunk["bytes"]): Chunk {
  return {
    bytes,
    announced: byteCountIn(request.headers, "Content-Length"),
    checksum: checksumIn(request.headers),
  };
}

/** Adds the URL of this partial upload, so that a client that continues there never mixes two files. */
function offsetResponse(progress: Progress): Response {
  return progressResponse(200, progress, { "content-location": progress.url });
}

function progressResponse(status: number, progress: Progress, more: Readonly<Record<string, string>> = {}): Response {
  const { offset, length, metadata, max_size, expires_at } = progress;
  const headers = {
    ...TUS_HEADERS,
    "upload-offset": String(offset),
    ...(length === null ? { "upload-defer-length": "1" } : { "upload-length": String(length) }),
    "upload-metadata": metadata ?? undefined,
    "upload-expires": expires_at === null ? undefined : new Date(expires_at).toUTCString(),
    "tus-max-size": String(max_size),
    // Without a length, Node.js closes the connection after the response.
    "content-length": status === 204 ? undefined : "0",
    ...more,
  };
  return new Response(null, { status, headers: omitUndefined(headers) });
}
