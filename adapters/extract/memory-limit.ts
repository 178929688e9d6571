/**
 * Holds the byte arrays of a thread to a limit. They lie outside its heap, so that no runtime's limit of the heap is one
 * for them, and they are what a bomb inflates into.
 */
import process from "node:process";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";

export interface AllocationLimit {
  /** Whether something asked for more than there was; libraries may have hidden what was thrown then. */
  wereRefused(): boolean;
  /** For the next document. */
  reset(): void;
}

const KINDS = [
  "ArrayBuffer",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int8Array",
  "Uint16Array",
  "Int16Array",
  "Uint32Array",
  "Int32Array",
  "Float32Array",
  "Float64Array",
] as const;
/** How many bytes are given out between two looks at how many are held. */
const CHECK_BYTES = 4 * MEBIBYTE;

/** From now on, in all of this thread, arrays that would go over the limit are not made: a RangeError comes instead. */
export function limitAllocations(limit: number): AllocationLimit {
  let sinceLook = 0;
  let refused = false;

  function count(bytes: number): void {
    sinceLook += bytes;
    if (sinceLook < CHECK_BYTES) return;
    sinceLook = 0;
    if (bytes > limit || process.memoryUsage().arrayBuffers + bytes > limit) {
      refused = true;
      throw new RangeError("Array buffer allocation failed");
    }
  }

  for (const kind of KINDS) {
    const original = globalThis[kind];
    const each = "BYTES_PER_ELEMENT" in original ? original.BYTES_PER_ELEMENT : 1;
    const limited: object = new Proxy<object>(original, {
      construct(_, given, newTarget): object {
        const [first] = given;
        if (typeof first === "number") count(first * each);
        else if (Array.isArray(first) || isTyped(first)) count(first.length * each);
        return Reflect.construct(original, given, newTarget === limited ? original : newTarget);
      },
    });
    Object.defineProperty(globalThis, kind, { value: limited });
  }
  limitInflation(limit, count);
  return {
    wereRefused: () => refused,
    reset() {
      refused = false;
      sinceLook = 0;
    },
  };
}

/**
 * PDF.js takes all that the runtime inflates before it asks how much that is, and the runtime makes no array of it until
 * it is there. What zip archives inflate (deflate-raw) is counted where they are read, and not kept.
 */
function limitInflation(limit: number, count: (bytes: number) => void): void {
  const counted = ({ readable, writable }: DecompressionStream) => {
    let size = 0;
    const transform = (piece: Uint8Array, out: TransformStreamDefaultController<Uint8Array>) => {
      size += piece.byteLength;
      count(size > limit ? size : piece.byteLength);
      out.enqueue(piece);
    };
    return { readable: readable.pipeThrough(new TransformStream({ transform })), writable };
  };
  globalThis.DecompressionStream = new Proxy(globalThis.DecompressionStream, {
    construct(target, [format]: [CompressionFormat]) {
      const stream = new target(format);
      return format === "deflate-raw" ? stream : counted(stream);
    },
  });
}

function isTyped(value: unknown): value is { readonly length: number } {
  return ArrayBuffer.isView(value) && "length" in value;
}
