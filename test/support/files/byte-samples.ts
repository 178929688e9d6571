/** Bytes that are not UTF-8, as programs send them. */
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** An image of one pixel: 70 bytes. */
export const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);
export const PNG_BASE64 = Buffer.from(PNG).toString("base64");

export const NAMES = "Müller, Café, 5 €";
/** Encoded in windows-1252, which browsers also use for ISO-8859-1. */
export const NAMES_1252 = latin1("M\xfcller, Caf\xe9, 5 \x80");

export function utf16(text: string, order: "le" | "be", mark: boolean): Uint8Array {
  const units = [...(mark ? "\ufeff" : ""), ...text].join("");
  const bytes = new Uint8Array(units.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < units.length; index++) view.setUint16(2 * index, units.charCodeAt(index), order === "le");
  return bytes;
}

export function utf32(text: string, order: "le" | "be"): Uint8Array {
  const points = ["\ufeff", ...text];
  const bytes = new Uint8Array(points.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, point] of points.entries()) view.setUint32(4 * index, point.codePointAt(0) ?? 0, order === "le");
  return bytes;
}

export const concat = (...parts: readonly (string | Uint8Array)[]) =>
  Uint8Array.from(parts.flatMap((part) => [...(typeof part === "string" ? new TextEncoder().encode(part) : part)]));
