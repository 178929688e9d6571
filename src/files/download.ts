/** Answers with the bytes of a file: ranges, conditions (RFC 9110 sections 13 and 14), and never as active content. */
import { StepwellError } from "../errors.ts";
import type { File } from "./file.ts";
import { attachment } from "./file-name.ts";
import type { FileContent } from "./files.ts";
import { type ByteRange, requestedRange } from "./range.ts";

/** @param read Opens the bytes; not called when none are sent. */
export async function download(
  request: Request,
  file: File,
  read: (range: ByteRange) => Promise<FileContent>,
): Promise<Response> {
  const etag = `"${file.sha256}"`;
  const headers = new Headers({
    "accept-ranges": "bytes",
    // The id of a file never stands for other bytes, but it can be removed.
    "cache-control": `${file.visibility === "PUBLIC" ? "public" : "private"}, no-cache`,
    etag,
  });
  if (matches(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });

  const range = rangeOf(request, etag, file.size);
  if (range === "unsatisfiable") {
    throw new StepwellError("range_not_satisfiable", `The file has ${file.size} bytes; the range lies behind them.`, {
      headers: { "content-range": `bytes */${file.size}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: file.size };
  headers.set("content-length", String(end - start));
  headers.set("content-type", file.mime_type);
  headers.set("content-disposition", attachment(file.name));
  headers.set("x-content-type-options", "nosniff");
  headers.set("content-security-policy", "sandbox; default-src 'none'");
  if (range !== null) headers.set("content-range", `bytes ${start}-${end - 1}/${file.size}`);
  const body = request.method === "HEAD" || start === end ? null : (await read({ start, end })).body;
  return new Response(body, { status: range === null ? 200 : 206, headers });
}

/** A Range counts only for GET, and only while `If-Range` names what is here; dates are never exact enough for that. */
function rangeOf(request: Request, etag: string, size: number): ByteRange | "unsatisfiable" | null {
  const condition = request.headers.get("if-range");
  const counts = request.method === "GET" && (condition === null || condition.trim() === etag);
  return counts ? requestedRange(request.headers.get("range"), size) : null;
}

function matches(header: string | null, etag: string): boolean {
  return (header ?? "").split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
