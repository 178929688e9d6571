/** Decides the type of a file by its content, helped by its name where content alone cannot tell. */
import * as v from "valibot";
import { decodeText, hasControlCharacters, isSingleByteText } from "../encoding/decode-text.ts";
import { isTextType } from "../encoding/text-types.ts";
import { byteOrderMark, hasUnlikelyCharacters } from "../encoding/unicode-forms.ts";
import { StepwellError } from "../errors.ts";

/** A media type, or a family of them. */
export const MediaTypePattern = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.regex(
    /^(\*\/\*|[a-z0-9][a-z0-9!#$&^_.+-]*\/(\*|[a-z0-9][a-z0-9!#$&^_.+-]*))$/,
    "Must be a media type such as application/pdf, or a wildcard such as image/*.",
  ),
  v.maxLength(255, "Must have at most 255 characters."),
);

/** Families of which the first bytes may show only the container; the name tells which member it is. */
const CONTAINERS: Readonly<Record<string, RegExp>> = {
  "application/zip": /^application\/(vnd\.(openxmlformats|oasis|ms-)|epub\+zip|java-archive)/,
  "application/x-cfb": /^application\/(msword|vnd\.(ms-|visio))/,
  "application/xml": /^(text\/xml|.+\+xml)$/,
};
const UNKNOWN = "application/octet-stream";

/**
 * The media type of a file: what its first bytes show; where they show nothing known, what its name says, unless that
 * would have shown. What begins as a page of HTML is one, whatever its name. Text counts as text in UTF-8, UTF-16 and UTF-32; in an older encoding, where its name does not
 * speak against it and the bytes hold no control character.
 */
export async function mediaType(head: Uint8Array, name: string): Promise<string> {
  // Loaded on first use: the tables of both are larger than the rest of the library.
  const [{ fileTypeFromBuffer, supportedMimeTypes }, mime] = await Promise.all([
    import("file-type/core"),
    import("mime"),
  ]);
  const named = mime.default.getType(name);
  const byName = named ?? UNKNOWN;
  const text = textOf(head, named ?? "text/plain");
  // The signatures of text formats are written in ASCII; UTF-16 itself looks like one of MPEG audio.
  const shown = byteOrderMark(head) === undefined || text === null ? head : new TextEncoder().encode(text);
  const byContent = (await fileTypeFromBuffer(shown).catch(() => undefined))?.mime;
  if (byContent !== undefined) {
    return !isEmptyArchive(head) && CONTAINERS[byContent]?.test(byName) === true ? byName : byContent;
  }
  if (text !== null && isHtml(text)) return HTML_TYPES.test(byName) ? byName : "text/html";
  if (text !== null) return isTextType(byName) ? byName : head.byteLength === 0 ? UNKNOWN : "text/plain";
  if (isTextType(byName) && !head.includes(0) && isSingleByteText(head)) return byName;
  const wouldShow = isTextType(byName) || supportedMimeTypes.has(byName);
  return wouldShow ? UNKNOWN : byName;
}

/** A ZIP of no entries begins with the end of its directory: no document is one. */
const isEmptyArchive = (head: Uint8Array) => END_OF_DIRECTORY.every((byte, at) => head[at] === byte);
const END_OF_DIRECTORY = [0x50, 0x4b, 0x05, 0x06];

const HTML_TYPES = /^(text\/html|application\/xhtml\+xml)$/;
/** What only pages begin with. A line of a table may begin with a tag such as `<b>` and is no page. */
const HTML_START = /^(<!doctype html|<(html|head|body|script|style|title|meta|link|iframe)[\s/>])/i;
const COMMENT_END = "-->";

/** Whether a text is a page, whatever its name: a browser that is given it would run what it says. */
function isHtml(text: string): boolean {
  let start = text.replace(/^\uFEFF/, "").trimStart();
  while (start.startsWith("<!--")) {
    const end = start.indexOf(COMMENT_END);
    if (end < 0) return false;
    start = start.slice(end + COMMENT_END.length).trimStart();
  }
  return HTML_START.test(start);
}

/** What the name of a file says it is; null where it says nothing. */
export async function typeOfName(name: string): Promise<string | null> {
  return (await import("mime")).default.getType(name);
}

/** Whether a type is one of those allowed: `image/png`, `image/*`, `*` + `/*`. */
export function isAllowed(type: string, allowed: readonly string[]): boolean {
  const family = type.slice(0, type.indexOf("/"));
  return allowed.some((pattern) => pattern === "*/*" || pattern === type || pattern === `${family}/*`);
}

/**
 * The media type of a file, where it is one that may come.
 * @param allowed Null for any.
 * @throws StepwellError `unsupported_media_type`
 */
export async function allowedType(head: Uint8Array, name: string, allowed: readonly string[] | null): Promise<string> {
  const type = await mediaType(head, name);
  if (allowed === null || isAllowed(type, allowed)) return type;
  const message = `The content of the file is ${type}. Allowed: ${allowed.join(", ")}.`;
  throw new StepwellError("unsupported_media_type", message);
}

/** The beginning of a text without control characters; null for anything else. */
function textOf(head: Uint8Array, type: string): string | null {
  const text = decodeText(head, type, { isStart: true });
  if (text === null) return null;
  // Two bytes are little of a promise: they may also begin something else.
  const isMarked = byteOrderMark(head) !== undefined;
  return (isMarked ? hasUnlikelyCharacters(text) : hasControlCharacters(text)) ? null : text;
}
