/** The character encoding that a sender or a document declares (WHATWG Encoding, HTML §13.2.3.2). */
import { Parser } from "htmlparser2";
import { headerParameters } from "./header-parameters.ts";
import { trimEnds } from "./trim.ts";

/** Bytes of a document to search for its declaration. HTML requires it within the first 1,024. */
const PRESCAN_BYTES = 16 * 1024;
const XML_DECLARATION = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/;
/** Characters. No name of an encoding is longer. */
const MAX_NAME_CHARS = 40;

/** The `charset` of a media type. Accepts single quotes around it, as HTML does. */
export function charsetOf(contentType: string): string | undefined {
  const charset = headerParameters(contentType).get("charset");
  return charset === undefined ? undefined : trimEnds(charset, "'");
}

/** The encoding that an HTML or XML document declares. @param type Its media type, without parameters. */
export function documentEncoding(bytes: Uint8Array, type: string): string | undefined {
  const isHtml = type === "text/html" || type === "application/xhtml+xml";
  if (!isHtml && !/[/+]xml$/.test(type)) return undefined;
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, PRESCAN_BYTES));
  const name = XML_DECLARATION.exec(start)?.[1]?.slice(0, MAX_NAME_CHARS) ?? (isHtml ? metaEncoding(start) : undefined);
  if (name === undefined) return undefined;
  // A declaration that is readable as ASCII cannot be in UTF-16 (HTML §13.2.3.2).
  return /^utf-?16/i.test(name) ? "utf-8" : name;
}

/** The first `<meta charset>` or `<meta http-equiv=content-type>`. */
function metaEncoding(start: string): string | undefined {
  let found: string | undefined;
  const parser = new Parser({
    onopentag(name, { charset, content, "http-equiv": equivalent }) {
      if (name !== "meta" || found !== undefined) return;
      if (charset !== undefined) found = charset.trim();
      else if (equivalent?.toLowerCase() === "content-type") found = charsetOf(content ?? "");
    },
  });
  parser.write(start);
  return found;
}
