/** Reads a submitted form as it arrives: values of fields are collected, files are stored at once. RFC 7578. */
import { make, type PartInfo } from "multipasta";
import { headerParameters } from "../encoding/header-parameters.ts";
import { utf8 } from "../encoding/utf8.ts";
import { StepwellError } from "../errors.ts";

export interface FormFile {
  /** Name of the form field. */
  readonly field: string;
  readonly name: string;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface FormLimits {
  /** Bytes of all values together. */
  readonly valueBytes: number;
  readonly parts: number;
}

type Piece =
  | { readonly kind: "file"; readonly info: PartInfo }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "end" };

/**
 * @param onFile Must read the whole body of each file.
 * @returns The values of the fields that are not files, in order.
 * @throws StepwellError `malformed`, `too_large`
 */
export async function readMultipartForm(
  contentType: string,
  source: AsyncIterable<Uint8Array>,
  limits: FormLimits,
  onFile: (file: FormFile) => Promise<void>,
): Promise<readonly (readonly [name: string, value: string])[]> {
  const values: [string, Uint8Array][] = [];
  const pieces: Piece[] = [];
  let error: StepwellError | undefined;
  let isDone = false;
  let isEnded = false;
  let valueBytes = 0;
  const parser = make({
    headers: { "content-type": `multipart/form-data; boundary="${boundaryOf(contentType)}"` },
    maxParts: limits.parts,
    maxFieldSize: limits.valueBytes,
    isFile: ({ filename }) => filename !== undefined,
    onField(info, value) {
      valueBytes += value.byteLength;
      if (valueBytes > limits.valueBytes) error ??= tooLarge(limits);
      else values.push([info.name, value]);
    },
    onFile(info) {
      pieces.push({ kind: "file", info });
      return (bytes) => void pieces.push(bytes === null ? { kind: "end" } : { kind: "bytes", bytes });
    },
    onError(given) {
      const isTooLarge = given._tag === "ReachedLimit" && given.limit !== "MaxParts";
      if (!isDone) error ??= isTooLarge ? tooLarge(limits) : malformed(given._tag, limits);
    },
    onDone() {
      isDone = true;
    },
  });

  const bytes = source[Symbol.asyncIterator]();

  /** The next piece of a file, as soon as it has arrived; null at the end of the form. */
  async function next(): Promise<Piece | null> {
    while (pieces.length === 0) {
      const { done, value } = await bytes.next();
      if (done === true) {
        if (!isEnded) parser.end();
        isEnded = true;
      } else parser.write(value);
      if (error !== undefined) throw error;
      if (done === true && pieces.length === 0) return null;
    }
    return pieces.shift() ?? null;
  }

  async function* body(): AsyncGenerator<Uint8Array, void> {
    for (let piece = await next(); piece?.kind !== "end"; piece = await next()) {
      if (piece === null) throw malformed("EndNotReached", limits);
      if (piece.kind === "bytes") yield piece.bytes;
    }
  }

  try {
    for (let piece = await next(); piece !== null; piece = await next()) {
      if (piece.kind !== "file") continue;
      const { name, filename = "" } = piece.info;
      await onFile({ field: name, name: filename, body: body() });
    }
  } finally {
    await bytes.return?.();
  }
  if (!isDone) throw malformed("EndNotReached", limits);
  return values.map(([name, value]) => [name, utf8(value, "A field of the form")]);
}

function boundaryOf(contentType: string): string {
  const boundary = headerParameters(contentType).get("boundary") ?? "";
  if (boundary === "" || /["\\]/.test(boundary)) {
    throw new StepwellError("malformed", "The form is invalid: its Content-Type has no valid boundary.");
  }
  return boundary;
}

const tooLarge = ({ valueBytes }: FormLimits) =>
  new StepwellError("too_large", `The values of the form exceed the limit of ${valueBytes} bytes.`);

function malformed(reason: string, { parts }: FormLimits): StepwellError {
  const why =
    reason === "ReachedLimit"
      ? `it has more than ${parts} parts`
      : reason === "EndNotReached"
        ? "it is incomplete"
        : "it is not valid multipart/form-data";
  return new StepwellError("malformed", `The form is invalid: ${why}.`);
}
