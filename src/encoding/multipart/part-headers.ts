/** Reads the headers of a part, and rejects those that could be read in two ways. RFC 7578 §4. */
import { headerParameters } from "../header-parameters.ts";
import { malformed } from "./boundary.ts";
import { decodePartName } from "./part-name.ts";

/** Bytes of the headers of a part. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** A token (RFC 9110 §5.6.2), and a value without control characters except the tab. */
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const CONTROL = /[^\P{Cc}\t]/u;
/** Headers that must be unique, because two of them would be ambiguous. */
const UNIQUE_HEADERS = ["content-disposition", "content-transfer-encoding"];

export interface PartHeaders {
  /** Name of the form field. */
  readonly name: string;
  /** The value of Content-Disposition, which may name a file. */
  readonly disposition: string;
  /** Content-Type of the part. */
  readonly type: string | undefined;
}

/** @param bytes The header lines, without the empty line after them. @throws StepwellError `malformed` */
export function readPartHeaders(bytes: Uint8Array): PartHeaders {
  if (bytes.length > MAX_HEADER_BYTES) throw malformed(`the headers of a part exceed ${MAX_HEADER_BYTES} bytes`);
  const headers = headersOf(textOf(bytes));
  const disposition = headers.get("content-disposition");
  if (disposition === undefined) throw malformed("a part has no Content-Disposition");
  const [kind = ""] = disposition.split(";");
  if (kind.trim().toLowerCase() !== "form-data") {
    throw malformed(`the Content-Disposition of a part is ${quoted(kind.trim())}, not form-data`);
  }
  const name = headerParameters(disposition).get("name");
  if (name === undefined) throw malformed("a part has no name in its Content-Disposition");
  const encoding = headers.get("content-transfer-encoding") ?? "binary";
  if (!/^(binary|8bit|7bit)$/i.test(encoding.trim())) {
    throw malformed(
      "a part has a Content-Transfer-Encoding (deprecated by RFC 7578 section 4.7). Send the bytes unencoded",
    );
  }
  return { name: decodePartName(name), disposition, type: headers.get("content-type") };
}

/** Decodes UTF-8 (RFC 7578 §5.1), or Latin-1 for older clients. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

function headersOf(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  // A line that begins with white space continues the line before it (RFC 5322 §2.2.3).
  for (const line of text === "" ? [] : text.replace(/\r\n[ \t]+/g, " ").split("\r\n")) {
    const colon = line.indexOf(":");
    const [name, value] = [line.slice(0, Math.max(0, colon)), line.slice(colon + 1).trim()];
    if (!NAME.test(name) || CONTROL.test(value)) throw malformed(`${quoted(line)} is not a valid part header`);
    const key = name.toLowerCase();
    if (headers.has(key) && UNIQUE_HEADERS.includes(key)) throw malformed(`a part has more than one ${name}`);
    headers.set(key, value);
  }
  return headers;
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 100));
