/** Responds with the bytes of a file: with ranges and conditions (RFC 9110 §13 and §14), never as active content. */
import { namesTag } from "../encoding/entity-tags.ts";
import { StepwellError } from "../errors.ts";
import { contentTypeOf, type File } from "./file.ts";
import { attachment } from "./file-name.ts";
import type { FileContent } from "./files.ts";
import { byteRanges } from "./multipart-byteranges.ts";
import { type ByteRange, parseRanges } from "./parse-range.ts";

/** @param read Opens the bytes. Not called if the response has none. */
export async function download(
  request: Request,
  file: File,
  read: (range: ByteRange) => Promise<FileContent>,
): Promise<Response> {
  const etag = `"${file.sha256}"`;
  const headers = new Headers({
    "accept-ranges": "bytes",
    // The bytes of a file never change, but the file can be deleted.
    "cache-control": `${file.visibility === "PUBLIC" ? "public" : "private"}, no-cache`,
    etag,
    "last-modified": new Date(file.created_at).toUTCString(),
  });
  const { headers: requestHeaders } = request;
  const modified = Math.floor(Date.parse(file.created_at) / 1_000) * 1_000; // HTTP dates have no milliseconds
  checkUnchanged(requestHeaders, etag, modified);
  if (isUnmodified(requestHeaders, etag, modified)) return new Response(null, { status: 304, headers });

  const ranges = rangesOf(request, etag, file.size);
  if (ranges === "unsatisfiable") {
    throw new StepwellError(
      "range_not_satisfiable",
      `The range starts after the end of the file, which has ${file.size} bytes.`,
      {
        headers: { "content-range": `bytes */${file.size}` },
      },
    );
  }
  headers.set("content-type", contentTypeOf(file));
  headers.set("content-disposition", attachment(file.name));
  headers.set("x-content-type-options", "nosniff");
  headers.set("content-security-policy", "sandbox; default-src 'none'");
  const isHead = request.method === "HEAD";
  if (ranges !== null && ranges.length > 1) {
    const { boundary, length, body } = byteRanges(ranges, file, async (range) => (await read(range)).body);
    headers.set("content-type", `multipart/byteranges; boundary=${boundary}`);
    headers.set("content-length", String(length));
    return new Response(isHead ? null : body(), { status: 206, headers });
  }
  const [range] = ranges ?? [];
  const { start, end } = range ?? { start: 0, end: file.size };
  headers.set("content-length", String(end - start));
  if (range !== undefined) headers.set("content-range", `bytes ${start}-${end - 1}/${file.size}`);
  const body = isHead || start === end ? null : await awaitFirstBytes((await read({ start, end })).body);
  return new Response(body, { status: range === undefined ? 200 : 206, headers });
}

/** Waits for the first bytes, so that damage becomes an error response instead of a broken one. */
async function awaitFirstBytes(body: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = body.getReader();
  let first: ReadableStreamReadResult<Uint8Array> | null = await reader.read();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await reader.read());
        first = null;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Ranges apply only to GET, and only if `If-Range` matches the ETag. Dates are not exact enough. */
function rangesOf(request: Request, etag: string, size: number): ReturnType<typeof parseRanges> {
  const condition = request.headers.get("if-range");
  const isRangeRequest = request.method === "GET" && (condition === null || condition.trim() === etag);
  return isRangeRequest ? parseRanges(request.headers.get("range"), size) : null;
}

/**
 * Evaluates `If-Match` and `If-Unmodified-Since`; a tag takes precedence (RFC 9110 §13.2.2).
 * @throws StepwellError `precondition_failed`
 */
function checkUnchanged(requestHeaders: Headers, etag: string, modified: number): void {
  const tags = requestHeaders.get("if-match");
  // A weak tag never matches here (RFC 9110 §13.1.1).
  if (tags !== null && !tags.split(",").some((tag) => tag.trim() === "*" || tag.trim() === etag)) {
    throw new StepwellError("precondition_failed", `If-Match does not match the ETag of the file, which is ${etag}.`);
  }
  if (tags === null && modified > Date.parse(requestHeaders.get("if-unmodified-since") ?? "")) {
    const date = new Date(modified).toUTCString();
    throw new StepwellError("precondition_failed", `The file was modified after If-Unmodified-Since, at ${date}.`);
  }
}

/** Evaluates `If-None-Match` and `If-Modified-Since`; a tag takes precedence and may be weak. */
function isUnmodified(requestHeaders: Headers, etag: string, modified: number): boolean {
  const tags = requestHeaders.get("if-none-match");
  if (tags !== null) return namesTag(tags, etag);
  return modified <= Date.parse(requestHeaders.get("if-modified-since") ?? "");
}
