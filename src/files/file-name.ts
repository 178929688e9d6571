/** Names of files as people give them: read from headers, made safe to keep, written into headers again. */
import { headerParameters } from "../encoding/header-parameters.ts";

const MAX_NAME_CHARS = 255;
const DEFAULT_NAME = "file";
/** Control characters, and those that reverse the direction of text, which make `exe.gpj` read as `jpg.exe`. */
const UNSAFE = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name that can be kept: without path and control characters, of 1 to 255 characters. */
export function safeName(given: string | undefined): string {
  const last = (given ?? "").split(/[/\\]/).at(-1) ?? "";
  const name = [...last.replace(UNSAFE, "").trim()].slice(0, MAX_NAME_CHARS).join("");
  return name === "" || name === "." || name === ".." ? DEFAULT_NAME : name;
}

/** The file name in a Content-Disposition, as it was given; `filename*` (RFC 8187) counts more than `filename`. */
export function fileNameIn(disposition: string): string | undefined {
  const parameters = headerParameters(disposition);
  return decodeExtendedName(parameters.get("filename*")) ?? unescapeName(parameters.get("filename"));
}

/**
 * A Content-Disposition that makes browsers save and never show, under the name of the file. RFC 6266: plain ASCII for
 * old readers, the whole name for the others.
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
    return undefined; // not RFC 8187 after all: the plain one counts
  }
}

/** Browsers escape these three, and only these (HTML standard, multipart/form-data encoding algorithm). */
function unescapeName(name: string | undefined): string | undefined {
  return name?.replace(/%22/g, '"').replace(/%0D|%0A/gi, "");
}
