/** Reads the one part named `file` of a multipart body as it arrives. RFC 7578. */
import { make } from "multipasta";
import { boundaryOf, malformed } from "../../encoding/multipart/boundary.ts";
import { readPartHeaders } from "../../encoding/multipart/part-headers.ts";
import type { StepwellError } from "../../errors.ts";
import { fileNameIn } from "../../files/file-name.ts";
import { concat, createMultipartSplitter, MAX_OVERHEAD_BYTES } from "./splitter.ts";

/** The name that the part must have. */
const PART_NAME = "file";

/** What the headers of the part say about the file. */
interface FileHeaders {
  readonly name: string | undefined;
  /** `Content-Type` of the part. */
  readonly type: string | undefined;
}

/** A file whose bytes are still arriving. */
export interface IncomingFile {
  /** The file name in the headers of the part. */
  readonly name: string | undefined;
  /** `Content-Type` of the part. */
  readonly type: string | undefined;
  /** Ends when the whole body has arrived and is valid. Throws a StepwellError otherwise. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Resolves when the headers of the part have been read. The end of the body reports errors after the file. */
export async function readMultipart(contentType: string, source: AsyncIterable<Uint8Array>): Promise<IncomingFile> {
  const parts = parser(contentType);
  const bytes = source[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await bytes.next();
    if (done === true) parts.end();
    else parts.write(value);
    if (parts.headers !== null) return { ...parts.headers, body: rest(parts, bytes, done === true) };
  }
}

async function* rest(parts: Parser, bytes: AsyncIterator<Uint8Array>, isEnded: boolean): AsyncGenerator<Uint8Array> {
  try {
    for (const piece of parts.take()) yield piece;
    let done = isEnded;
    while (!done) {
      const next = await bytes.next();
      done = next.done === true;
      if (next.done === true) parts.end();
      else parts.write(next.value);
      for (const piece of parts.take()) yield piece;
    }
  } finally {
    await bytes.return?.();
  }
}

interface Parser {
  /** Null until the headers of the part have been read. */
  readonly headers: FileHeaders | null;
  write(bytes: Uint8Array): void;
  /** @throws StepwellError if the body is incomplete or invalid */
  end(): void;
  /** Returns the bytes of the file since the last call. */
  take(): readonly Uint8Array[];
}

/** A header for multipasta, in place of the headers that `readPartHeaders` has read. */
const PART_HEADER = new TextEncoder().encode(`Content-Disposition: form-data; name="${PART_NAME}"\r\n`);
const NONE = new Uint8Array(0);

/**
 * Wraps multipasta, with Stepwell's errors and without its header parser, which accepts ambiguous headers and rejects some
 * valid ones. multipasta pushes results while it is written to; they are kept until the caller takes them.
 */
function parser(contentType: string): Parser {
  const boundary = boundaryOf(contentType);
  const splitter = createMultipartSplitter(boundary);
  let headers: FileHeaders | null = null;
  let fileBytes: Uint8Array[] = [];
  let error: StepwellError | undefined;
  let isComplete = false;
  /** Bytes besides the headers and the file. */
  let overhead = 0;
  let before = concat(new TextEncoder().encode(`--${boundary}\r\n`), PART_HEADER);

  const parse = make({
    headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
    maxParts: 1,
    isFile: () => true, // rejects fields instead of collecting them
    onField: () => undefined,
    onFile: () => (bytes) => {
      if (bytes === null || error !== undefined || isComplete) return;
      fileBytes.push(bytes);
      overhead -= bytes.byteLength;
    },
    onError: ({ _tag }) => {
      if (isComplete) return; // ignores what follows the last boundary
      const isTruncated = _tag === "EndNotReached";
      error ??= malformed(
        isTruncated ? TRUNCATED : `it continues after the part "${PART_NAME}", which must be the only one`,
      );
    },
    onDone: () => {
      isComplete = true;
    },
  });

  function push(bytes: Uint8Array): void {
    if (bytes.length > 0) {
      overhead += bytes.length;
      parse.write(before.length === 0 ? bytes : concat(before, bytes));
      before = NONE;
    }
    if (splitter.headerBytes + overhead > MAX_OVERHEAD_BYTES) error ??= overheadError();
    if (error !== undefined) throw error;
  }

  return {
    get headers() {
      return headers;
    },
    write(bytes) {
      const safe = splitter.add(bytes);
      if (splitter.headerBytes > MAX_OVERHEAD_BYTES) throw overheadError();
      if (splitter.head !== null) headers ??= fileHeaders(splitter.head);
      push(safe);
    },
    end() {
      push(splitter.rest());
      if (headers === null) throw malformed(`it has no part named "${PART_NAME}"`);
      parse.end();
      if (!isComplete) error ??= malformed(TRUNCATED);
      if (error !== undefined) throw error;
    },
    take() {
      const taken = fileBytes;
      fileBytes = [];
      return taken;
    },
  };
}

const TRUNCATED = "it ends before its last boundary";

const overheadError = () => malformed(`it has more than ${MAX_OVERHEAD_BYTES} bytes besides the file`);

/** The file name in the headers of the part, which must be the one that an upload takes. */
function fileHeaders(head: Uint8Array): FileHeaders {
  const { name, disposition, type } = readPartHeaders(head);
  if (name === PART_NAME) return { name: fileNameIn(disposition), type };
  const shown = JSON.stringify(name.slice(0, 100));
  throw malformed(`a part is named ${shown}, but only one part named "${PART_NAME}" is accepted`);
}
