/** Encodes and decodes base64, on every runtime. */

/** Bytes per step: a number of arguments that `fromCharCode` accepts everywhere, and a multiple of three. */
const BYTES_PER_CALL = 12_288;

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += BYTES_PER_CALL) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + BYTES_PER_CALL)));
  }
  return text;
}

/** @throws DOMException for invalid base64 */
export function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
