/** Byte arrays and sizes in bytes. */

export const KIBIBYTE = 1024;
export const MEBIBYTE = 1024 * KIBIBYTE;

export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Reads a stream to its end. Returns no bytes for a response without a body. */
export async function readBytes(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
