/** Reads the one part named `file` out of a multipart body, as it comes. RFC 7578. */
import { type MultipartError, make, type PartInfo } from "multipasta";
import { isStepwellError, StepwellError } from "../errors.ts";
import { headerParameters, namedIn } from "./file-name.ts";
import { createMultipartPieces } from "./multipart-pieces.ts";

/** A file on its way in. */
export interface Incoming {
  /** As the sender gave it. */
  readonly name: string | undefined;
  /** Ends when everything has come and was right; throws StepwellError otherwise. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Bytes that a body may have besides the file: boundaries, headers, preamble and epilogue. */
export const MAX_OVERHEAD = 64 * 1024;

const PART = "file";

/** Comes back as soon as the head of the part is read; what stands behind the file is checked before its body ends. */
export async function readMultipart(contentType: string, source: AsyncIterable<Uint8Array>): Promise<Incoming> {
  const parts = parser(contentType);
  const bytes = source[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await bytes.next();
    if (done === true) parts.end();
    else parts.write(value);
    if (parts.name !== null) return { name: parts.name.given, body: rest(parts, bytes, done === true) };
  }
}

async function* rest(parts: Parser, bytes: AsyncIterator<Uint8Array>, ended: boolean): AsyncGenerator<Uint8Array> {
  try {
    yield* parts.take();
    let done = ended;
    while (!done) {
      const next = await bytes.next();
      done = next.done === true;
      if (next.done === true) parts.end();
      else parts.write(next.value);
      yield* parts.take();
    }
  } finally {
    await bytes.return?.();
  }
}

interface Parser {
  /** Set when the head of the part was read. */
  readonly name: { readonly given: string | undefined } | null;
  write(bytes: Uint8Array): void;
  /** @throws StepwellError unless the body was whole. */
  end(): void;
  /** Gives the bytes of the file that were found since it was last asked. */
  take(): readonly Uint8Array[];
}

/** multipasta behind errors of ours. It pushes while it is written to; what it finds is kept until it is taken. */
function parser(contentType: string): Parser {
  const boundary = headerParameters(contentType).get("boundary") ?? "";
  if (boundary === "") throw malformed("its Content-Type names no boundary");
  if (/["\\]/.test(boundary)) throw malformed("its boundary holds characters that RFC 2046 does not allow");
  const pieces = createMultipartPieces(boundary);
  let name: Parser["name"] = null;
  let found: Uint8Array[] = [];
  let wrong: StepwellError | undefined;
  let whole = false;
  let overhead = 0;

  const fail = (error: StepwellError) => {
    wrong ??= error;
  };
  const parse = make({
    headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
    isFile: () => true, // fields are refused, not collected
    onField: () => undefined,
    onFile: (info) => {
      if (whole) return () => undefined;
      const refusal = partProblem(info, name !== null);
      if (refusal === null) name = { given: namedIn(dispositionOf(info)) };
      else fail(malformed(refusal));
      return (bytes) => {
        if (bytes === null || wrong !== undefined) return;
        found.push(bytes);
        overhead -= bytes.byteLength;
      };
    },
    onError: (error) => {
      if (!whole) fail(malformed(reasonOf(error)));
    },
    onDone: () => {
      whole = true; // what stands behind the last boundary has no meaning
    },
  });

  function push(bytes: Uint8Array): void {
    try {
      if (bytes.byteLength > 0) parse.write(bytes);
    } catch (cause) {
      fail(isStepwellError(cause) ? cause : malformed("a header of a part cannot be decoded", cause));
    }
    if (overhead > MAX_OVERHEAD) fail(malformed(`there are more than ${MAX_OVERHEAD} bytes besides the file`));
    if (wrong !== undefined) throw wrong;
  }

  return {
    get name() {
      return name;
    },
    write(bytes) {
      overhead += bytes.byteLength;
      push(pieces.add(bytes));
    },
    end() {
      push(pieces.rest());
      parse.end();
      if (!whole)
        fail(malformed(name === null ? `no part named "${PART}" was found` : "it ends before its last boundary"));
      else if (name === null) fail(malformed(`it has no part named "${PART}"`));
      if (wrong !== undefined) throw wrong;
    },
    take() {
      const taken = found;
      found = [];
      return taken;
    },
  };
}

function partProblem(info: PartInfo, second: boolean): string | null {
  const partName = headerParameters(dispositionOf(info)).get("name");
  if (partName !== PART) {
    return `a part named ${JSON.stringify(partName?.slice(0, 100) ?? "")} is not taken, only one named "${PART}"`;
  }
  if (second) return `there is more than one part named "${PART}"`;
  const encoding = info.headers["content-transfer-encoding"];
  if (encoding === undefined || /^(binary|8bit|7bit)$/i.test(String(encoding).trim())) return null;
  return "a Content-Transfer-Encoding is not taken (RFC 7578 section 4.7), send the bytes as they are";
}

/** multipasta's own reading of it gives up on names beyond Latin-1. */
function dispositionOf(info: PartInfo): string {
  return String(info.headers["content-disposition"] ?? "");
}

function reasonOf(error: MultipartError): string {
  switch (error._tag) {
    case "BadHeaders":
      return `the headers of a part cannot be read (${error.error.reason})`;
    case "InvalidDisposition":
      return "a part has no name in its Content-Disposition";
    case "EndNotReached":
      return "it ends before its last boundary";
    case "InvalidBoundary":
      return "its Content-Type names no boundary";
    case "ReachedLimit":
      return "it is too large";
  }
}

function malformed(reason: string, cause?: unknown): StepwellError {
  return new StepwellError("malformed", `The multipart body cannot be read: ${reason}.`, { cause });
}
