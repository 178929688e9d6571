/**
 * Limits the memory of typed arrays in a thread. They are allocated outside the heap, so heap limits don't apply to
 * them, and decompression bombs inflate into them.
 */
import process from "node:process";
import { MEBIBYTE } from "../../../src/encoding/bytes.ts";

export interface AllocationLimit {
  /** Whether an allocation was refused. Libraries may have caught the error. */
  wereRefused(): boolean;
  /** Resets the state for the next document. */
  reset(): void;
}

const ARRAY_TYPES = [
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
/** Number of allocated bytes between two checks of the total. */
const CHECK_BYTES = 4 * MEBIBYTE;

/** Limits all allocations in this thread from now on. An array that exceeds the limit throws a RangeError. */
export function limitAllocations(limit: number): AllocationLimit {
  let sinceCheck = 0;
  let refused = false;

  function count(bytes: number): void {
    sinceCheck += bytes;
    if (sinceCheck < CHECK_BYTES) return;
    sinceCheck = 0;
    if (bytes > limit || process.memoryUsage().arrayBuffers + bytes > limit) {
      refused = true;
      throw new RangeError("Array buffer allocation failed");
    }
  }

  for (const kind of ARRAY_TYPES) {
    const original = globalThis[kind];
    const elementSize = "BYTES_PER_ELEMENT" in original ? original.BYTES_PER_ELEMENT : 1;
    const limited: object = new Proxy<object>(original, {
      construct(_, args, newTarget): object {
        const [first] = args;
        if (typeof first === "number") count(first * elementSize);
        else if (Array.isArray(first) || isTyped(first)) count(first.length * elementSize);
        return Reflect.construct(original, args, newTarget === limited ? original : newTarget);
      },
    });
    Object.defineProperty(globalThis, kind, { value: limited });
  }
  limitInflation(limit, count);
  return {
    wereRefused: () => refused,
    reset() {
      refused = false;
      sinceCheck = 0;
    },
  };
}

/**
 * PDF.js collects all inflated data before it checks the size, and the runtime allocates no array before the end. ZIP
 * data (deflate-raw) is counted where it is read and not collected.
 */
function limitInflation(limit: number, count: (bytes: number) => void): void {
  const countInflated = ({ readable, writable }: DecompressionStream) => {
    let size = 0;
    const transform = (bytes: Uint8Array, out: TransformStreamDefaultController<Uint8Array>) => {
      size += bytes.byteLength;
      count(size > limit ? size : bytes.byteLength);
      out.enqueue(bytes);
    };
    return { readable: readable.pipeThrough(new TransformStream({ transform })), writable };
  };
  globalThis.DecompressionStream = new Proxy(globalThis.DecompressionStream, {
    construct(target, [format]: [CompressionFormat]) {
      const stream = new target(format);
      return format === "deflate-raw" ? stream : countInflated(stream);
    },
  });
}

function isTyped(value: unknown): value is { readonly length: number } {
  return ArrayBuffer.isView(value) && "length" in value;
}
