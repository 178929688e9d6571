/** Encodes PNG. W3C PNG, third edition: clauses 5 and 9. */
import { deflateSync } from "node:zlib";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Grayscale, RGB or RGBA. */
  readonly channels: 1 | 3 | 4;
  /** Bits per channel. */
  readonly depth: 1 | 8;
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const COLOUR_TYPE = { 1: 0, 3: 2, 4: 6 } as const;
const NO_FILTER = 0;
const SUB_FILTER = 1;

/** @param data Rows of pixels, each padded to whole bytes. */
export function encodePng(pixels: Pixels, data: Uint8Array): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, pixels.width);
  header.setUint32(4, pixels.height);
  header.setUint8(8, pixels.depth);
  header.setUint8(9, COLOUR_TYPE[pixels.channels]);
  const chunks = [
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("IDAT", deflateSync(filterRows(pixels, data))),
    chunk("IEND", new Uint8Array(0)),
  ];
  const png = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of chunks) {
    png.set(part, at);
    at += part.length;
  }
  return png;
}

/** Prefixes each row with its filter. Differences to the previous pixel make photographs considerably smaller. */
function filterRows({ width, height, channels, depth }: Pixels, data: Uint8Array): Uint8Array {
  const line = Math.ceil((width * channels * depth) / 8);
  const lines = new Uint8Array((line + 1) * height);
  for (let y = 0; y < height; y++) {
    const from = y * line;
    const to = y * (line + 1) + 1;
    lines[to - 1] = depth === 8 ? SUB_FILTER : NO_FILTER;
    for (let x = 0; x < line; x++) {
      const before = depth === 8 && x >= channels ? (data[from + x - channels] ?? 0) : 0;
      lines[to + x] = (data[from + x] ?? 0) - before;
    }
  }
  return lines;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, checksum(bytes.subarray(4, data.length + 8)));
  return bytes;
}

const CRC = Uint32Array.from({ length: 256 }, (_, value) => {
  let crc = value;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function checksum(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
