/** Reads the one part named `file` out of a multipart body, as it comes. RFC 7578. */
import { make } from "multipasta";
import { headerParameters } from "../../encoding/header-parameters.ts";
import type { StepwellError } from "../../errors.ts";
import { MAX_OVERHEAD, malformed, PART, readHead } from "./part-headers.ts";
import { concat, createMultipartPieces } from "./splitter.ts";

/** A file on its way in. */
export interface Incoming {
  /** As the sender gave it. */
  readonly name: string | undefined;
  /** Ends when everything has come and was right; throws StepwellError otherwise. */
  readonly body: AsyncIterable<Uint8Array>;
}

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

/** What multipasta reads in the place of the head that was read here. */
const HEAD = new TextEncoder().encode(`Content-Disposition: form-data; name="${PART}"\r\n`);
const NONE = new Uint8Array(0);

/**
 * multipasta behind errors of ours, for all but the head: it takes heads that can be read in two ways, and gives up on
 * some that are right. It pushes while it is written to; what it finds is kept until it is taken.
 */
function parser(contentType: string): Parser {
  const boundary = boundaryOf(contentType);
  const pieces = createMultipartPieces(boundary);
  let name: Parser["name"] = null;
  let found: Uint8Array[] = [];
  let wrong: StepwellError | undefined;
  let whole = false;
  /** Bytes behind the head that are not the file's. */
  let overhead = 0;
  let before = concat(new TextEncoder().encode(`--${boundary}\r\n`), HEAD);

  const parse = make({
    headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
    maxParts: 1,
    isFile: () => true, // fields are refused, not collected
    onField: () => undefined,
    onFile: () => (bytes) => {
      if (bytes === null || wrong !== undefined || whole) return;
      found.push(bytes);
      overhead -= bytes.byteLength;
    },
    onError: ({ _tag }) => {
      if (whole) return; // what stands behind the last boundary has no meaning
      const isCut = _tag === "EndNotReached";
      wrong ??= malformed(
        isCut ? CUT : `something comes behind the file, where only one part named "${PART}" is taken`,
      );
    },
    onDone: () => {
      whole = true;
    },
  });

  function push(bytes: Uint8Array): void {
    if (bytes.length > 0) {
      overhead += bytes.length;
      parse.write(before.length === 0 ? bytes : concat(before, bytes));
      before = NONE;
    }
    if (pieces.opening + overhead > MAX_OVERHEAD) wrong ??= tooMuch();
    if (wrong !== undefined) throw wrong;
  }

  return {
    get name() {
      return name;
    },
    write(bytes) {
      const safe = pieces.add(bytes);
      if (pieces.opening > MAX_OVERHEAD) throw tooMuch();
      if (pieces.head !== null) name ??= { given: readHead(pieces.head) };
      push(safe);
    },
    end() {
      push(pieces.rest());
      if (name === null) throw malformed(`no part named "${PART}" was found`);
      parse.end();
      if (!whole) wrong ??= malformed(CUT);
      if (wrong !== undefined) throw wrong;
    },
    take() {
      const taken = found;
      found = [];
      return taken;
    },
  };
}

const CUT = "it ends before its last boundary";

const tooMuch = () => malformed(`there are more than ${MAX_OVERHEAD} bytes besides the file`);

function boundaryOf(contentType: string): string {
  const boundary = headerParameters(contentType).get("boundary") ?? "";
  if (boundary === "") throw malformed("its Content-Type names no boundary");
  if (/["\\]/.test(boundary)) throw malformed("its boundary holds characters that RFC 2046 does not allow");
  return boundary;
}
