/** Parses `application/x-www-form-urlencoded` as the URL standard does, but leaves the encoding of the text to the caller. */
import { StepwellError } from "../errors.ts";

/** Characters with a meaning, as bytes. */
const [SPACE, PERCENT, AMPERSAND, PLUS, EQUALS] = [0x20, 0x25, 0x26, 0x2b, 0x3d];

/**
 * The names and values of a form, with percent-encoding and `+` decoded.
 * @param limit Maximum number of fields. They are counted first, because decoding a field takes far longer than its bytes.
 * @throws StepwellError `too_large`
 */
export function urlEncodedPairs(body: Uint8Array, limit: number): (readonly [name: Uint8Array, value: Uint8Array])[] {
  requireFields(countPairs(body), limit);
  const pairs: [Uint8Array, Uint8Array][] = [];
  for (let start = 0; start < body.length; ) {
    const found = body.indexOf(AMPERSAND, start);
    const end = found < 0 ? body.length : found;
    if (end > start) pairs.push(pairOf(body.subarray(start, end)));
    start = end + 1;
  }
  return pairs;
}

function pairOf(bytes: Uint8Array): [name: Uint8Array, value: Uint8Array] {
  const equals = bytes.indexOf(EQUALS);
  if (equals < 0) return [decodePercent(bytes), new Uint8Array(0)];
  return [decodePercent(bytes.subarray(0, equals)), decodePercent(bytes.subarray(equals + 1))];
}

/** @throws StepwellError `too_large` for more fields than the limit */
export function requireFields(count: number, limit: number): void {
  if (count > limit) throw new StepwellError("too_large", `The form exceeds the limit of ${limit} fields.`);
}

function countPairs(body: Uint8Array): number {
  let count = 0;
  let before = AMPERSAND;
  for (const byte of body) {
    if (before === AMPERSAND && byte !== AMPERSAND) count++;
    before = byte;
  }
  return count;
}

function decodePercent(encoded: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at] ?? 0;
    const escaped = byte === PERCENT ? hexByte(encoded[at + 1], encoded[at + 2]) : null;
    bytes[length++] = escaped ?? (byte === PLUS ? SPACE : byte);
    if (escaped !== null) at += 2;
  }
  return bytes.subarray(0, length);
}

/** The byte of two hexadecimal digits; null if they are others. */
function hexByte(first: number | undefined, second: number | undefined): number | null {
  const [high, low] = [hexDigit(first), hexDigit(second)];
  return high === null || low === null ? null : high * 16 + low;
}

function hexDigit(byte = 0): number | null {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : null;
}
