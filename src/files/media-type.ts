/** Decides the type of a file by its content, helped by its name where content alone cannot tell. */
import * as v from "valibot";
import { StepwellError } from "../errors.ts";

/** Bytes that tell a file's type; as many as a BlobWriter keeps. */
export const HEAD = 4_100;

/** A media type, or a family of them. */
export const MediaTypePattern = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.regex(
    /^(\*\/\*|[a-z0-9][a-z0-9!#$&^_.+-]*\/(\*|[a-z0-9][a-z0-9!#$&^_.+-]*))$/,
    "Must be a media type such as application/pdf, or a family such as image/*.",
  ),
  v.maxLength(255, "At most 255 characters."),
);

/** Not text in name, but text in content. */
const TEXT_TYPES = new Set([
  "application/javascript",
  "application/json",
  "application/sql",
  "application/toml",
  "application/x-ndjson",
  "application/x-sh",
  "application/xml",
  "application/yaml",
]);
/** Families of which the first bytes may show only the container; the name tells which member it is. */
const CONTAINERS: Readonly<Record<string, RegExp>> = {
  "application/zip": /^application\/(vnd\.(openxmlformats|oasis|ms-)|epub\+zip|java-archive)/,
  "application/x-cfb": /^application\/(msword|vnd\.(ms-|visio))/,
  "application/xml": /^(text\/xml|.+\+xml)$/,
};
const UNKNOWN = "application/octet-stream";
/** Of the control characters, those that texts do not have. */
const CONTROL = /[^\P{Cc}\t\n\f\r]/u;

/**
 * The media type of a file: what its first bytes show; where they show nothing known, what its name says, unless that
 * would have shown.
 */
export async function mediaType(head: Uint8Array, name: string): Promise<string> {
  // Loaded on first use: the tables of both are larger than the rest of the library.
  const [{ fileTypeFromBuffer, supportedMimeTypes }, mime] = await Promise.all([
    import("file-type/core"),
    import("mime"),
  ]);
  const byName = mime.default.getType(name) ?? UNKNOWN;
  const byContent = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime;
  if (byContent !== undefined) return CONTAINERS[byContent]?.test(byName) === true ? byName : byContent;
  if (isText(head)) return isTextType(byName) ? byName : head.byteLength === 0 ? UNKNOWN : "text/plain";
  const wouldShow = isTextType(byName) || supportedMimeTypes.has(byName);
  return wouldShow ? UNKNOWN : byName;
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
  const message = `The file is ${type} by its content; allowed is ${allowed.join(", ")}.`;
  throw new StepwellError("unsupported_media_type", message);
}

function isTextType(type: string): boolean {
  return type.startsWith("text/") || /\+(json|xml)$/.test(type) || TEXT_TYPES.has(type);
}

/** Whether bytes are the beginning of a text: UTF-8, perhaps cut within a character, without control characters. */
function isText(head: Uint8Array): boolean {
  try {
    return !CONTROL.test(new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true }));
  } catch {
    return false;
  }
}
