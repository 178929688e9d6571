/** Bytes as a string with one character per byte: ISO-8859-1, not the windows-1252 that TextDecoder calls `latin1`. */

/** Characters per call of `fromCharCode`: a number of arguments that every runtime accepts. */
const CHARS_PER_CALL = 4_096;

export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHARS_PER_CALL)
    text += String.fromCharCode(...bytes.subarray(at, at + CHARS_PER_CALL));
  return text;
}

export function bytesOfLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
