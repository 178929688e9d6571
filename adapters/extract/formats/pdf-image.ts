/** Converts decoded images of PDF.js to PNG. */
import { encodePng } from "../png.ts";

/** Pixel formats by PDF.js's `ImageKind`. */
const KINDS: Readonly<Record<number, { readonly channels: 1 | 3 | 4; readonly depth: 1 | 8 }>> = {
  1: { channels: 1, depth: 1 },
  2: { channels: 3, depth: 8 },
  3: { channels: 4, depth: 8 },
};

/** Returns null if PDF.js could not decode the image. */
export function imageOf(image: unknown): Uint8Array | null {
  if (typeof image !== "object" || image === null) return null;
  if (!("width" in image && "height" in image && "data" in image && "kind" in image)) return null;
  const { width, height, data, kind } = image;
  if (typeof width !== "number" || typeof height !== "number" || typeof kind !== "number") return null;
  const pixels = KINDS[kind];
  if (pixels === undefined || !ArrayBuffer.isView(data)) return null;
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const line = Math.ceil((width * pixels.channels * pixels.depth) / 8);
  return bytes.length < line * height ? null : encodePng({ width, height, ...pixels }, bytes);
}
