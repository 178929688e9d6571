/**
 * Sends a file to an upload URL in chunks (tus 1.0.0, https://tus.io/protocols/resumable-upload). After a lost
 * connection, it continues with what the server has stored.
 */
import { StepwellError } from "../errors.ts";
import type { File } from "../files/file.ts";
import { unlessAborted } from "../time/unless-aborted.ts";
import { anySignal } from "./backoff.ts";
import { byteSource } from "./byte-source.ts";
import type { SentContent } from "./client.ts";
import type { Connection, Outgoing } from "./connection.ts";
import { readJson } from "./response-body.ts";

/** Small, so that the server can reject the type of the file early. Chunks grow with what has arrived. */
const FIRST_CHUNK_BYTES = 256 * 1024;
/** In memory, for a stream. Less than proxies accept in one request. */
const MAX_CHUNK_BYTES = 8 * 1024 * 1024;
/** For one chunk, so 27 KB per second at least. */
const CHUNK_TIMEOUT_MS = 300_000;

const PROTOCOL = { "tus-resumable": "1.0.0" };
const CHUNK = {
  ...PROTOCOL,
  "content-type": "application/offset+octet-stream",
  // The response to the last chunk contains the file.
  prefer: "return=representation",
};

/** What the server has of a file. */
interface Stored {
  readonly offset: number;
  readonly length: number | null;
  readonly metadata: string | null;
  /** Query of the URL for this upload, so that two uploads never mix. */
  readonly search: string;
  /** Null until the upload is complete. */
  readonly file: File | null;
}

const NOTHING: Stored = { offset: 0, length: null, metadata: null, search: "", file: null };

export type SendFile = (uploadUrl: string, content: SentContent) => Promise<File>;

export function createSendFile(connection: Connection): SendFile {
  const attempt = (outgoing: Outgoing): Promise<Stored | StepwellError> =>
    // Repeats have no further effect: the server refuses bytes at a wrong offset (409), or while it has not finished an
    // earlier request (423).
    connection.attempt(
      { timeoutMs: CHUNK_TIMEOUT_MS, isRepeatable: true, transient: [423], ...outgoing },
      async (response) => {
        const { headers, status } = response;
        const place = headers.get("location") ?? headers.get("content-location");
        const length = headers.get("upload-length");
        const isFile = status !== 204 && /json/.test(headers.get("content-type") ?? "");
        return {
          offset: Number(headers.get("upload-offset")),
          length: length === null ? null : Number(length),
          metadata: headers.get("upload-metadata"),
          search: place === null ? "" : new URL(place, outgoing.path).search,
          file: isFile ? ((await readJson(response, connection.maxResponseBytes)) as File) : null, // by the route
        };
      },
    );

  return async (uploadUrl, { name = "file", type, body, signal, onProgress, resume = false }) => {
    const source = byteSource(body);
    const metadata = `filename ${base64(name)}${type === undefined ? "" : `,filetype ${base64(type)}`}`;
    const aborting = anySignal(connection.signal, signal);
    let target = uploadUrl;
    /** Where the next chunk begins; null if the upload has to be created. */
    let offset: number | null = null;
    let mustAsk = resume;
    let failures = 0;
    /** The farthest offset. Only what is beyond it is progress: a gateway may forget the upload again and again. */
    let reached = 0;

    /** Whether the server has a part of this file, and not of another. */
    const isThis = (stored: Stored) =>
      stored.metadata === metadata && (stored.length === null || source.size === null || stored.length === source.size);

    async function ask(): Promise<Stored | StepwellError> {
      try {
        return await attempt({ method: "HEAD", path: uploadUrl, headers: PROTOCOL, signal });
      } catch (error) {
        // A response to HEAD says nothing else. At the beginning, the attempt to create the upload shows why it is refused.
        if (offset !== null || !(error instanceof StepwellError)) throw error;
        return NOTHING;
      }
    }

    async function send(): Promise<Stored | StepwellError> {
      const from = offset ?? 0;
      const maxBytes = Math.min(MAX_CHUNK_BYTES, Math.max(FIRST_CHUNK_BYTES, from));
      const { bytes, end, total } = await unlessAborted(source.read(from, maxBytes), aborting);
      const headers: Record<string, string> = { ...CHUNK };
      if (offset === null) headers["upload-metadata"] = metadata;
      else headers["upload-offset"] = String(offset);
      if (total !== null) headers["upload-length"] = String(total);
      else if (offset === null) headers["upload-defer-length"] = "1";
      const method = offset === null ? "POST" : "PATCH";
      const stored = await attempt({ method, path: target, headers, body: bytes, signal });
      if (stored instanceof StepwellError || stored.file !== null) return stored;
      // An upload URL has stored the whole chunk, and after the last one, the file.
      if (end !== total && end === stored.offset) return stored;
      if (offset === null) throw new StepwellError("unavailable", "This is no upload URL.");
      // It was one before: a proxy has responded instead. How far the upload has come can be asked for.
      return new StepwellError("unavailable", "A chunk got a response that is not Stepwell's.");
    }

    try {
      for (;;) {
        const stored = await (mustAsk ? ask() : send().catch(behind));
        if (stored instanceof StepwellError) {
          await connection.pause(++failures, stored, signal);
          mustAsk = true;
          continue;
        }
        if (stored.file !== null) {
          onProgress?.({ sent: stored.file.size, total: stored.file.size });
          return stored.file;
        }
        if (mustAsk && !isThis(stored)) {
          // Of another file, or none: this one replaces it.
          offset = null;
        } else {
          if (stored.search !== "") target = new URL(stored.search, uploadUrl).href;
          if (stored.offset > reached) {
            failures = 0;
            reached = stored.offset;
          }
          offset = stored.offset;
          onProgress?.({ sent: offset, total: source.size ?? stored.length });
        }
        mustAsk = false;
      }
    } finally {
      // Not awaited: a stream that hangs may not end.
      source.close().catch(() => undefined);
    }
  };
}

/** The server has another offset: the upload continues there. */
function behind(error: unknown): StepwellError {
  if (error instanceof StepwellError && error.headers["upload-offset"] !== undefined) return error;
  throw error;
}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}
