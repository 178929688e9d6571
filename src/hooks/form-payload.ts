/** The fields of a form, in the encoding of its sender. */
import { toBase64 } from "../encoding/base64.ts";
import { charsetOf } from "../encoding/declared-encoding.ts";
import { decodeAllAs, decodeText, hasControlCharacters } from "../encoding/decode-text.ts";
import { requireFields, urlEncodedPairs } from "../encoding/form-urlencoded.ts";
import { bytesOfLatin1, latin1 } from "../encoding/latin1.ts";
import { boundaryOf } from "../encoding/multipart/boundary.ts";
import { decodePartName } from "../encoding/multipart/part-name.ts";
import { essenceOf, isMediaFamily } from "../encoding/text-types.ts";
import { StepwellError } from "../errors.ts";
import type { JsonValue } from "../json.ts";

/** The fields of the input for which a form of any sender has values. */
export interface InputNames {
  /** Finds the field that a sender means. */
  readonly match: (given: string) => string;
  /** Names of the fields whose files are returned as they are. */
  readonly ofFiles: ReadonlySet<string>;
}

/** A file of a request, for a field of the input. */
export interface ReceivedFile {
  readonly field: string;
  readonly name: string;
  readonly body: Uint8Array;
}

/** Reading so many fields blocks the event loop for up to 0.2 s. Anybody may send them to a webhook without a signature. */
const MAX_FORM_FIELDS = 10_000;

export type Field = readonly [name: string, value: JsonValue];

/**
 * Parses `application/x-www-form-urlencoded` as the URL standard does, but in the `charset` of the media type, else UTF-8,
 * else windows-1252, which old web pages send.
 * @throws StepwellError `malformed` for fields that are not text; `too_large` for too many fields
 */
export function readForm(bytes: Uint8Array, contentType: string, names: Pick<InputNames, "match">): Field[] {
  const pairs = urlEncodedPairs(bytes, MAX_FORM_FIELDS);
  const decoded = fieldDecoder(contentType, pairs.flat());
  return pairs.map((_, index) => [matchedName(decoded(2 * index), names), decoded(2 * index + 1)] as const);
}

/**
 * Parses `multipart/form-data` (RFC 7578). A file becomes its text, or an object with its bytes as base64.
 * @throws StepwellError `malformed`; `too_large` for too many fields
 */
export async function readMultipartForm(
  bytes: Uint8Array,
  contentType: string,
  names: InputNames,
): Promise<{ readonly fields: readonly Field[]; readonly files: readonly ReceivedFile[] }> {
  const entries = [...(await formDataOf(bytes, contentType))];
  const plain = entries.flatMap(([name, value]) => (typeof value === "string" ? [name, value] : [name, value.name]));
  const decoded = fieldDecoder(contentType, plain.map(bytesOfLatin1));
  const fields: Field[] = [];
  const files: ReceivedFile[] = [];
  for (const [index, [, value]] of entries.entries()) {
    // Not every runtime decodes names. Decoding them again changes nothing.
    const name = matchedName(decodePartName(decoded(2 * index)), names);
    const text = decoded(2 * index + 1);
    const field = name.endsWith("[]") ? name.slice(0, -2) : name;
    if (typeof value === "string") fields.push([name, text]);
    else if (!names.ofFiles.has(field)) fields.push([name, await fileField(value, text)]);
    // A browser sends an empty file without a name for a field in which nothing was chosen.
    else if (value.size > 0 || text !== "") files.push({ field, name: text, body: await bytesOfFile(value) });
  }
  return { fields, files };
}

/** Senders may end the name of a list with `[]`. */
function matchedName(given: string, { match }: Pick<InputNames, "match">): string {
  return given.endsWith("[]") ? `${match(given.slice(0, -2))}[]` : match(given);
}

/**
 * Parses with the runtime's parser, which decodes all text as UTF-8 and replaces invalid bytes. To keep the bytes, each is
 * passed as a character below U+0100 and converted back afterwards.
 */
async function formDataOf(bytes: Uint8Array, contentType: string): Promise<FormData> {
  const text = latin1(bytes);
  requireFields(countParts(text, boundaryOf(contentType)), MAX_FORM_FIELDS);
  try {
    return await new Response(text, { headers: { "content-type": contentType } }).formData();
  } catch (cause) {
    throw new StepwellError("malformed", "The body is not valid multipart/form-data.", { cause });
  }
}

/** The number of parts, or one more than the limit. Each follows a boundary, and another boundary follows the last. */
function countParts(text: string, boundary: string): number {
  const pieces = `\r\n${text}`.split(`\r\n--${boundary}`, MAX_FORM_FIELDS + 3);
  return pieces.length - 2;
}

/** The parser got each byte as a character, and has encoded it as UTF-8. */
const bytesOfFile = async (file: File): Promise<Uint8Array> =>
  bytesOfLatin1(new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.arrayBuffer()));

async function fileField(file: File, name: string): Promise<JsonValue> {
  const type = essenceOf(file.type);
  const bytes = await bytesOfFile(file);
  const text = isMediaFamily(type) ? null : decodeText(bytes, file.type);
  return text ?? { name, mime_type: type === "" ? null : type, encoding: "base64", body: toBase64(bytes) };
}

/** Decodes all fields in one encoding: a single field may be too short to detect it. */
function fieldDecoder(contentType: string, fields: readonly Uint8Array[]): (index: number) => string {
  const texts = decodeAllAs(charsetOf(contentType) ?? "utf-8", fields) ?? decodeAllAs("utf-8", fields);
  if (texts !== null) return (index) => texts[index] ?? "";
  // Each byte is a character then, but text has no control characters.
  const characters = decodeAllAs("windows-1252", fields) ?? [];
  if (characters.some(hasControlCharacters)) {
    throw new StepwellError(
      "malformed",
      "The form has a field that is not text. Send binary data as a file part of multipart/form-data.",
    );
  }
  return (index) => characters[index] ?? "";
}
