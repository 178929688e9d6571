/** Byte arrays and sizes in bytes. */

export const KIBIBYTE = 1024;
export const MEBIBYTE = 1024 * KIBIBYTE;

export function concatBytes(arrays: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(arrays.reduce((size, array) => size + array.length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}

/** Reads a stream to its end. Returns no bytes for a response without a body. */
export async function readBytes(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
