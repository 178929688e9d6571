/** Reads a submitted form as it arrives: values of fields are collected, files are stored at once. RFC 7578. */
import { concatBytes } from "../encoding/bytes.ts";
import { requireFields } from "../encoding/form-urlencoded.ts";
import { type IncomingPart, readParts } from "../encoding/multipart/read-parts.ts";
import { requireUtf8, utf8 } from "../encoding/utf8.ts";
import { StepwellError } from "../errors.ts";
import { fileNameIn } from "../files/file-name.ts";

export interface FormFile {
  /** Name of the form field. */
  readonly field: string;
  readonly name: string;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface PartLimits {
  /** Bytes of all values together. */
  readonly valueBytes: number;
  readonly parts: number;
}

/**
 * @param onFile Must read the whole body of each file.
 * @returns The values of the fields that are not files, in order.
 * @throws StepwellError `malformed`, `too_large`, `unsupported_media_type`
 */
export async function readFormParts(
  contentType: string,
  source: AsyncIterable<Uint8Array>,
  { valueBytes, parts }: PartLimits,
  onFile: (file: FormFile) => Promise<void>,
): Promise<readonly (readonly [name: string, value: string])[]> {
  const values: [string, string][] = [];
  let count = 0;
  let bytesLeft = valueBytes;
  for await (const part of readParts(contentType, source)) {
    requireFields(++count, parts);
    const fileName = fileNameIn(part.disposition);
    if (fileName !== undefined) await onFile({ field: part.name, name: fileName, body: part.body });
    else {
      requireUtf8(part.type ?? "", "A field of the form");
      const value = await collect(part, bytesLeft);
      if (value === null) throw tooLarge(valueBytes);
      bytesLeft -= value.length;
      values.push([part.name, utf8(value, "A field of the form")]);
    }
  }
  return values;
}

/** Null for more bytes than the limit. */
async function collect({ body }: IncomingPart, limit: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of body) {
    length += bytes.length;
    if (length > limit) return null;
    pieces.push(bytes.slice());
  }
  return concatBytes(pieces);
}

const tooLarge = (limit: number) =>
  new StepwellError("too_large", `The values of the form exceed the limit of ${limit} bytes.`);
