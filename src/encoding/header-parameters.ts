/**
 * The parameters of a header value such as Content-Type or Content-Disposition (RFC 9110 §5.6.6), parsed in one pass, in
 * time linear to its length.
 */

/**
 * Parses parameters as browsers write them. Names are in lower case; the first of several with the same name counts. A
 * quoted value may contain any character. A backslash escapes only `"` and `\`, because Windows paths contain others. A
 * value without a closing quote is ignored.
 */
export function headerParameters(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let at = header.indexOf(";");
  while (at !== -1) {
    const nameStart = skipSpace(header, at + 1);
    const nameEnd = skipName(header, nameStart);
    const equals = skipSpace(header, nameEnd);
    if (nameEnd === nameStart || header[equals] !== "=") {
      at = header.indexOf(";", equals);
      continue;
    }
    const valueStart = skipSpace(header, equals + 1);
    const value = header[valueStart] === '"' ? quotedAt(header, valueStart) : tokenAt(header, valueStart);
    if (value === null) break;
    const name = header.slice(nameStart, nameEnd).toLowerCase();
    if (!found.has(name)) found.set(name, value.text);
    at = header.indexOf(";", value.end);
  }
  return found;
}

interface Value {
  readonly text: string;
  /** Position after the value. */
  readonly end: number;
}

function quotedAt(header: string, quote: number): Value | null {
  let text = "";
  let start = quote + 1;
  for (let at = start; at < header.length; at++) {
    const character = header[at];
    if (character === '"') return { text: text + header.slice(start, at), end: at + 1 };
    const next = header[at + 1];
    if (character !== "\\" || (next !== '"' && next !== "\\")) continue;
    text += header.slice(start, at);
    start = ++at;
  }
  return null;
}

function tokenAt(header: string, start: number): Value {
  let end = start;
  while (end < header.length && header[end] !== ";" && header[end] !== '"') end++;
  return { text: header.slice(start, end).trim(), end };
}

function skipName(header: string, start: number): number {
  let at = start;
  while (at < header.length && !isSpace(header[at]) && !'=;"'.includes(header.charAt(at))) at++;
  return at;
}

function skipSpace(header: string, start: number): number {
  let at = start;
  while (isSpace(header[at])) at++;
  return at;
}

/** Optional white space (RFC 9110 §5.6.3). */
const isSpace = (character: string | undefined) => character === " " || character === "\t";
