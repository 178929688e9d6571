/** File names: read from headers, made safe, and written to headers. */
import { headerParameters } from "../encoding/header-parameters.ts";

const MAX_NAME_CHARS = 255;
/** Without the dot. What is longer is no ending of a file name. */
const MAX_ENDING_CHARS = 16;
const DEFAULT_NAME = "file";
/** Control characters, and those that reverse the text direction, which make `exe.gpj` look like `jpg.exe`. */
const UNSAFE = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Makes a name safe: without path and control characters, 1 to 255 characters. It keeps its ending, which tells its type. */
export function safeName(given: string | undefined): string {
  const last = (given ?? "").split(/[/\\]/).at(-1) ?? "";
  const name = shortened([...last.replace(UNSAFE, "").trim()]).join("");
  return name === "" || name === "." || name === ".." ? DEFAULT_NAME : name;
}

function shortened(name: readonly string[]): readonly string[] {
  if (name.length <= MAX_NAME_CHARS) return name;
  const dot = name.lastIndexOf(".");
  const ending = name.length - dot - 1 <= MAX_ENDING_CHARS ? name.slice(dot) : [];
  return [...name.slice(0, MAX_NAME_CHARS - ending.length), ...ending];
}

/** The file name in a Content-Disposition header. `filename*` (RFC 8187) takes precedence over `filename`. */
export function fileNameIn(disposition: string): string | undefined {
  const parameters = headerParameters(disposition);
  return decodeExtendedName(parameters.get("filename*")) ?? unescapeName(parameters.get("filename"));
}

/** The name that a server gives to its response, or the end of the URL. */
export function nameOfResponse({ url, headers }: Pick<Response, "url" | "headers">): string {
  const disposition = headers.get("content-disposition");
  return (disposition === null ? undefined : fileNameIn(disposition)) ?? lastSegment(url);
}

function lastSegment(url: string): string {
  const segment = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * A Content-Disposition header that makes browsers save the file instead of showing it. Contains an ASCII name for old
 * clients and the full name for the others (RFC 6266).
 */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name.replace(/\p{Cs}/gu, "")).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function decodeExtendedName(value: string | undefined): string | undefined {
  const [, charset = "", encoded = ""] = /^([^']*)'[^']*'(.*)$/.exec(value ?? "") ?? [];
  if (charset.toLowerCase() !== "utf-8") return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined; // not valid RFC 8187: use the plain name
  }
}

/** Reverses the escaping of browsers, which escape only these three (HTML standard, multipart/form-data encoding). */
function unescapeName(name: string | undefined): string | undefined {
  return name?.replace(/%22/g, '"').replace(/%0D|%0A/gi, "");
}
