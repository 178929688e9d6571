/** Parses `application/x-www-form-urlencoded` as the URL standard does, but leaves the encoding of the text to the caller. */
import { bytesOfLatin1, latin1 } from "./latin1.ts";

const PERCENT = 0x25;

/** The names and values of a form, with percent-encoding and `+` decoded. */
export function urlEncodedPairs(body: Uint8Array): (readonly [name: Uint8Array, value: Uint8Array])[] {
  return latin1(body)
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const equals = pair.indexOf("=");
      const [name, value] = equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [decodePercent(name), decodePercent(value)];
    });
}

function decodePercent(text: string): Uint8Array {
  const bytes = bytesOfLatin1(text.replaceAll("+", " "));
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const escaped = bytes[at] === PERCENT ? hexByte(text, at + 1) : null;
    bytes[length++] = escaped ?? bytes[at] ?? 0;
    if (escaped !== null) at += 2;
  }
  return bytes.subarray(0, length);
}

/** The byte of two hexadecimal digits; null if there are none. */
function hexByte(text: string, at: number): number | null {
  const digits = text.slice(at, at + 2);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : null;
}
