/** Converts an HTTP response to the output of a step: JSON, text, or a file of the app. */
import { concatBytes, MEBIBYTE } from "../../encoding/bytes.ts";
import { charsetOf } from "../../encoding/declared-encoding.ts";
import { decodeText, hasControlCharacters } from "../../encoding/decode-text.ts";
import { PART_BYTES, parseLongJson } from "../../encoding/json/parse-long-json.ts";
import { essenceOf, isJsonType, isMediaFamily, isTextType } from "../../encoding/text-types.ts";
import { isUtf8Type } from "../../encoding/utf8.ts";
import type { FileSummary } from "../../files/file.ts";
import { nameOfResponse } from "../../files/file-name.ts";
import type { JsonValue } from "../../json.ts";
import { FORBIDDEN_KEY } from "../../schema.ts";
import { ActionError } from "../action-error.ts";
import { parseBody, parsedJson } from "./parse-body.ts";
import { httpStatusError } from "./status-error.ts";

/** Maximum size of a response that becomes text or JSON, and so part of the run. */
const MAX_TEXT_BYTES = 10 * MEBIBYTE;
/** Number of bytes of an error response that are read. */
const MAX_ERROR_BYTES = 256 * 1024;

/** `auto`: text and JSON by the media type of the response, anything else becomes a file. */
export type ResponseFormat = "auto" | "json" | "text" | "file";

export interface HttpOutput {
  readonly status: number;
  /** By lowercase name. Several values of a header are separated by commas, those of `set-cookie` by line breaks. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or text decoded by its charset; null if the body became a file. */
  readonly body: JsonValue;
  /** The file of the app that the body became; null for text and JSON. */
  readonly file: FileSummary | null;
  /** Media type of the response in lowercase without parameters, or null if missing. */
  readonly mime_type: string | null;
}

export interface ResponseFile {
  readonly name: string;
  /** Media type that the server declared. */
  readonly type: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

interface ReadOptions {
  readonly format: ResponseFormat;
  /** Stores the body as a file of the app. */
  store(file: ResponseFile): Promise<FileSummary>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Called between the parts of long JSON. */
  pause(): Promise<void>;
}

/**
 * Files are stored as they arrive. Only text and JSON are read into memory.
 * @throws ActionError `http_status` for a status that is no success; `too_large` for a text above 10 MiB;
 * `invalid_response` for a body that is not what `format` says
 */
export async function readResponse(response: Response, options: ReadOptions): Promise<HttpOutput> {
  const body = await openBody(response);
  try {
    if (!response.ok) throw await statusErrorOf(response, body, options.now());
    return { ...headOf(response), ...(await contentOf(response, body, options)) };
  } finally {
    await body.close();
  }
}

function headOf({ status, headers }: Response): Pick<HttpOutput, "status" | "headers" | "mime_type"> {
  const type = essenceOf(headers.get("content-type") ?? "");
  // The output of a step cannot contain this key, and the request has been sent.
  const kept = Object.fromEntries([...headers].filter(([name]) => name !== FORBIDDEN_KEY));
  // Only these are not joined with commas, which a cookie may contain (RFC 6265 section 3).
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) kept["set-cookie"] = cookies.join("\n");
  return { status, headers: kept, mime_type: type === "" ? null : type };
}

async function contentOf(
  response: Response,
  body: OpenBody,
  { format, store, pause }: ReadOptions,
): Promise<Pick<HttpOutput, "body" | "file">> {
  const contentType = response.headers.get("content-type") ?? "";
  const type = contentType === "" ? undefined : contentType;
  const name = nameOfResponse(response);
  const asFile = async (pieces: AsyncIterable<Uint8Array>) => ({
    body: null,
    file: await store({ name, type, body: pieces }),
  });
  if (format === "file" || (format === "auto" && !isText(body.head, contentType))) return asFile(body.pieces);

  const { bytes, isWhole } = await collect(body.pieces, MAX_TEXT_BYTES);
  if (!isWhole) throw new ActionError("too_large", tooLongText(response));
  const isJson = format === "json" || (format === "auto" && isJsonType(essenceOf(contentType)));
  const isLong = bytes.length > PART_BYTES;
  const long = isJson && isLong && isUtf8Type(contentType) ? await parseLongJson(bytes, pause) : undefined;
  if (long !== undefined) return { body: long, file: null };
  const text = isMediaFamily(essenceOf(contentType)) && format === "auto" ? null : decodeText(bytes, contentType);
  if (text === null && format === "auto") return asFile(only(bytes));
  if (text === null) throw invalidResponse(response, "is not text", "file");
  if (format === "text") return { body: text, file: null };
  if (format === "auto") return { body: parseBody(text, essenceOf(contentType)), file: null };
  const value = parsedJson(text);
  if (value === undefined) throw invalidResponse(response, "is not JSON", "text");
  return { body: value, file: null };
}

/** Whether a body is text, by its media type; by its first bytes if it has none. */
function isText(head: Uint8Array, contentType: string): boolean {
  const type = essenceOf(contentType);
  if (head.length === 0) return true;
  if (type !== "") return isTextType(type) || (charsetOf(contentType) !== undefined && !isMediaFamily(type));
  const text = decodeText(head, "", { isStart: true });
  return text !== null && !hasControlCharacters(text);
}

interface OpenBody {
  /** The first bytes; none if the body is empty. */
  readonly head: Uint8Array;
  /** All bytes, once. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Ends the response, whether it was read or not. */
  close(): Promise<void>;
}

async function openBody({ body }: Response): Promise<OpenBody> {
  const reader = body?.getReader();
  const next = async () => (await reader?.read())?.value;
  let head = await next();
  while (head !== undefined && head.length === 0) head = await next();
  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    for (let bytes = head; bytes !== undefined; bytes = await next()) yield bytes;
  }
  return {
    head: head ?? new Uint8Array(),
    pieces: pieces(),
    close: async () => reader?.cancel().catch(() => undefined), // its failure has been reported, or does not matter
  };
}

/** The first bytes up to a limit, and whether they are all. */
async function collect(pieces: AsyncIterable<Uint8Array>, maxBytes: number) {
  const found: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of pieces) {
    found.push(bytes.subarray(0, maxBytes - size));
    size += bytes.length;
    if (size > maxBytes) break;
  }
  return { bytes: concatBytes(found), isWhole: size <= maxBytes };
}

async function statusErrorOf(response: Response, body: OpenBody, now: number): Promise<ActionError> {
  const { url, status, headers } = response;
  const contentType = headers.get("content-type") ?? "";
  const { bytes, isWhole } = await collect(body.pieces, MAX_ERROR_BYTES);
  const isMedia = isMediaFamily(essenceOf(contentType)) && bytes.length > 0;
  const text = isMedia ? null : decodeText(bytes, contentType, { isStart: !isWhole });
  const excerpt = text ?? `${isWhole ? bytes.length : `more than ${bytes.length}`} bytes that are not text`;
  const retryAfter = headers.get("retry-after");
  return httpStatusError({ url, status, retryAfter, headers: Object.fromEntries(headers), body: text, excerpt }, now);
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

function tooLongText({ url }: Response): string {
  return `The text of ${new URL(url).host} exceeds ${MAX_TEXT_BYTES} bytes. To store it as a file, use the service http with "response": "file".`;
}

function invalidResponse({ url }: Response, what: string, better: ResponseFormat): ActionError {
  return new ActionError(
    "invalid_response",
    `The body from ${new URL(url).host} ${what}. Use "response": "${better}".`,
  );
}
