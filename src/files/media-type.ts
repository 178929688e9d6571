/** Detects the type of a file by its content, and by its name if the content is ambiguous. */
import * as v from "valibot";
import { charsetOf } from "../encoding/declared-encoding.ts";
import { decodeText, hasControlCharacters, isSingleByteText } from "../encoding/decode-text.ts";
import { essenceOf, isTextType } from "../encoding/text-types.ts";
import { byteOrderMark, hasUnlikelyCharacters } from "../encoding/unicode-forms.ts";
import { StepwellError } from "../errors.ts";

/** A media type, or a family of media types. */
export const MediaTypePattern = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.regex(
    /^(\*\/\*|[a-z0-9][a-z0-9!#$&^_.+-]*\/(\*|[a-z0-9][a-z0-9!#$&^_.+-]*))$/,
    "Must be a media type such as application/pdf, or a wildcard such as image/*.",
  ),
  v.maxLength(255, "Must have at most 255 characters."),
);

/** Families whose first bytes may show only the container. The name identifies the member. */
const CONTAINERS: Readonly<Record<string, RegExp>> = {
  "application/zip": /^application\/(vnd\.(openxmlformats|oasis|ms-)|epub\+zip|java-archive)/,
  "application/x-cfb": /^application\/(msword|vnd\.(ms-|visio))/,
  "application/xml": /^(text\/xml|.+\+xml)$/,
};
const UNKNOWN = "application/octet-stream";

/**
 * The media type of a file, by its first bytes. If they match no known type, by its name, or by the type that its sender
 * declared if the name has no known one, unless the bytes of that type would have matched. Content that begins like an
 * HTML page is HTML, whatever its name. Text may be UTF-8, UTF-16 or
 * UTF-32. Another encoding counts as text if the name does not say otherwise and there are no control characters.
 */
export async function mediaType(head: Uint8Array, name: string, declared?: string): Promise<string> {
  // Loaded on first use: the tables of both are larger than the rest of the library.
  const [{ fileTypeFromBuffer, supportedMimeTypes }, knownType] = await Promise.all([
    import("file-type/core"),
    typeOfName(name),
  ]);
  const typeByName = knownType ?? declaredType(declared);
  const byName = typeByName ?? UNKNOWN;
  const textType = typeByName ?? "text/plain";
  const charset = declaredCharset(declared, textType);
  const text = textOf(head, charset === undefined ? textType : `${textType}; charset=${charset}`);
  // Signatures of text formats are in ASCII, and UTF-16 itself looks like MPEG audio.
  const bytes = byteOrderMark(head) === undefined || text === null ? head : new TextEncoder().encode(text);
  const byContent = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime;
  if (byContent !== undefined) {
    return !isEmptyArchive(head) && CONTAINERS[byContent]?.test(byName) === true ? byName : byContent;
  }
  if (text !== null && isHtml(text)) return HTML_TYPES.test(byName) ? byName : "text/html";
  if (text !== null) return isTextType(byName) ? byName : head.byteLength === 0 ? UNKNOWN : "text/plain";
  if (isTextType(byName) && !head.includes(0) && isSingleByteText(head)) return byName;
  const isDetectable = isTextType(byName) || supportedMimeTypes.has(byName);
  return isDetectable ? UNKNOWN : byName;
}

/** The media type in a `Content-Type`; undefined if it says nothing about the content. */
export function declaredType(contentType = ""): string | undefined {
  const type = essenceOf(contentType);
  return type !== UNKNOWN && !type.includes("*") && v.is(MediaTypePattern, type) ? type : undefined;
}

/**
 * The encoding that a `Content-Type` declares, by its name in the WHATWG Encoding standard. Undefined for UTF-8, for one that the
 * platform does not know, and for types that are no text.
 * @param type Media type of the file.
 */
export function declaredCharset(contentType: string | undefined, type: string): string | undefined {
  const label = contentType === undefined || !isTextType(type) ? undefined : charsetOf(contentType);
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    return encoding === "utf-8" ? undefined : encoding;
  } catch {
    return undefined;
  }
}

/** A ZIP without entries begins with the end of its directory. No document is one. */
const isEmptyArchive = (head: Uint8Array) => END_OF_DIRECTORY.every((byte, at) => head[at] === byte);
const END_OF_DIRECTORY = [0x50, 0x4b, 0x05, 0x06];

const HTML_TYPES = /^(text\/html|application\/xhtml\+xml)$/;
/** Starts of HTML pages only. A line of a table may begin with a tag such as `<b>`. */
const HTML_START = /^(<!doctype html|<(html|head|body|script|style|title|meta|link|iframe)[\s/>])/i;
const COMMENT_END = "-->";

/** Whether a text is an HTML page, whatever its name: a browser would execute it. */
function isHtml(text: string): boolean {
  let start = text.replace(/^\uFEFF/, "").trimStart();
  while (start.startsWith("<!--")) {
    const end = start.indexOf(COMMENT_END);
    if (end < 0) return false;
    start = start.slice(end + COMMENT_END.length).trimStart();
  }
  return HTML_START.test(start);
}

/** The media type by name; null if the name has no known extension. */
export async function typeOfName(name: string): Promise<string | null> {
  const { default: mime } = await import("mime");
  return name.includes(".") ? mime.getType(name) : null; // the library takes a name without a dot for an extension
}

/** Whether a type is allowed by a pattern: `image/png`, `image/*`, `*` + `/*`. */
export function isAllowed(type: string, allowed: readonly string[]): boolean {
  const family = type.slice(0, type.indexOf("/"));
  return allowed.some((pattern) => pattern === "*/*" || pattern === type || pattern === `${family}/*`);
}

/**
 * Detects the media type of a file, and checks that it is allowed.
 * @param allowed Patterns; null for any type.
 * @throws StepwellError `unsupported_media_type`
 */
export async function allowedType(
  head: Uint8Array,
  { name, type: declared }: { readonly name: string; readonly type?: string | undefined },
  allowed: readonly string[] | null,
): Promise<string> {
  const type = await mediaType(head, name, declared);
  if (allowed === null || isAllowed(type, allowed)) return type;
  const message = `The content of the file is ${type}. Allowed: ${allowed.join(", ")}.`;
  throw new StepwellError("unsupported_media_type", message);
}

/** The beginning of a text without control characters; null for anything else. */
function textOf(head: Uint8Array, type: string): string | null {
  const text = decodeText(head, type, { isStart: true });
  if (text === null) return null;
  // A byte order mark of two bytes is weak evidence: other formats may begin with them.
  const isMarked = byteOrderMark(head) !== undefined;
  return (isMarked ? hasUnlikelyCharacters(text) : hasControlCharacters(text)) ? null : text;
}
