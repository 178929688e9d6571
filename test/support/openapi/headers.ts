/** The headers that rows name, as components of the document. */
import type { JsonObject } from "../../../src/json.ts";

interface Header {
  readonly description: string;
  readonly schema: JsonObject;
}

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

const ETAG = "Version of the resource in quotes. For a download, a digest of its bytes.";

export const REQUEST_HEADERS: Readonly<Record<string, Header>> = {
  "Idempotency-Key": {
    description: "Identifies the request for 24 hours: a repeat with the same key and body gets the first response.",
    schema: { type: "string", pattern: "^[\\x20-\\x7e]{1,255}$" },
  },
  "If-Match": {
    description: "ETags in quotes, or `*`. The response is 412 unless the resource has one of them.",
    schema: text,
  },
  "If-None-Match": {
    description: "ETags in quotes. The response is 304 if the resource has one of them.",
    schema: text,
  },
  "If-Modified-Since": { description: "HTTP date. The response is 304 if the file is not newer.", schema: text },
  "If-Unmodified-Since": { description: "HTTP date. The response is 412 if the file is newer.", schema: text },
  "If-Range": { description: "ETag in quotes. `Range` is ignored if it doesn't match.", schema: text },
  Range: { description: "Bytes to return, such as `bytes=0-1023`.", schema: text },
  Prefer: {
    description:
      "`wait=N` delays the response by up to N seconds, until the work has ended. For resumable uploads, `return=representation` asks for the file.",
    schema: { type: "string", examples: ["wait=30"] },
  },
  "Last-Event-ID": {
    description: "Id of the last event that you received. The stream continues after it.",
    schema: text,
  },
  "Accept-Encoding": { description: "With `gzip`, the response is compressed.", schema: text },
  "Stepwell-Console": {
    description: "`1`. Only with it does the cookie of a session count: other sites cannot send it.",
    schema: { type: "string", const: "1" },
  },
  "MCP-Protocol-Version": { description: "Revision of the protocol.", schema: text },
  "Mcp-Method": { description: "Method of the message, since the revision 2026-07-28.", schema: text },
  "Mcp-Name": { description: "Name of the tool or resource, since the revision 2026-07-28.", schema: text },
  "Tus-Resumable": { description: "Version of the tus protocol. Required for resumable uploads.", schema: text },
  "Upload-Length": { description: "Bytes of the whole file.", schema: count },
  "Upload-Defer-Length": { description: "`1` if a later request contains the length.", schema: text },
  "Upload-Offset": { description: "Number of bytes already stored.", schema: count },
  "Upload-Metadata": { description: "`filename` and `filetype`, each followed by its value in base64.", schema: text },
  "Upload-Checksum": { description: "Checksum algorithm, and the checksum of the chunk in base64.", schema: text },
};

export const RESPONSE_HEADERS: Readonly<Record<string, Header>> = {
  Location: { description: "URL of the resource.", schema: { type: "string", format: "uri-reference" } },
  ETag: { description: ETAG, schema: text },
  Link: {
    description: "Links to the `first`, `prev`, `next` and `last` page (RFC 8288), as far as the list has them.",
    schema: text,
  },
  "X-Total-Count": { description: "Number of items on all pages. Absent for searches.", schema: count },
  "X-Next-Page-Token": {
    description: "Value of `page_token` for the next page. Absent on the last page.",
    schema: text,
  },
  "X-Incomplete": {
    description: "Whether the page is shorter because Stepwell had read too many items.",
    schema: { type: "boolean" },
  },
  "Set-Cookie": { description: "The cookie of the session.", schema: text },
  "Last-Modified": { description: "When the file was created, as an HTTP date.", schema: text },
  "Accept-Ranges": { description: "Always `bytes`.", schema: text },
  "Content-Range": { description: "Which bytes the response contains.", schema: text },
  "Content-Disposition": { description: "Name of the file.", schema: text },
  "Content-Location": { description: "URL of the partial upload.", schema: text },
  "Tus-Resumable": { description: "Version of the tus protocol.", schema: text },
  "Upload-Offset": { description: "Number of bytes already stored.", schema: count },
  "Upload-Length": { description: "Bytes of the whole file.", schema: count },
  "Upload-Metadata": { description: "The metadata of the request that created the upload.", schema: text },
  "Upload-Expires": { description: "When the partial upload expires, as an HTTP date.", schema: text },
};
