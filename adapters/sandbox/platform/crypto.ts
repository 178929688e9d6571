/** `crypto`: random numbers and digests, which the host computes. */
import type { Platform } from "./sandboxed.ts";

export function cryptoGlobals({ ask, askBytes, domException, chunk }: Platform) {
  /** As on the platform. */
  const MAX_RANDOM_BYTES = 65_536;
  const DIGESTS = ["SHA-1", "SHA-256", "SHA-384", "SHA-512"];
  const INTEGERS = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array];
  const LARGE_INTEGERS = [BigInt64Array, BigUint64Array];

  function getRandomValues<View extends ArrayBufferView>(view: View): View {
    if (![...INTEGERS, ...LARGE_INTEGERS].some((type) => view instanceof type)) {
      throw domException("The data argument must be an integer-type TypedArray", "TypeMismatchError");
    }
    if (view.byteLength > MAX_RANDOM_BYTES) {
      const message = `The requested length exceeds ${MAX_RANDOM_BYTES.toLocaleString("en")} bytes`;
      throw domException(message, "QuotaExceededError");
    }
    const random = new Uint8Array(askBytes("crypto.random", [view.byteLength]));
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(random);
    return view;
  }

  function bytesOf(value: unknown): Uint8Array {
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    throw new TypeError("The data must be an ArrayBuffer, a typed array or a DataView.");
  }

  async function digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
    const isObject = typeof algorithm === "object" && algorithm !== null;
    const name = `${isObject ? Reflect.get(algorithm, "name") : algorithm}`.toUpperCase();
    const bytes = bytesOf(data);
    if (!DIGESTS.includes(name) || !ask("crypto.digest", [name])) {
      throw domException(`Unrecognized algorithm name. Use one of ${DIGESTS.join(", ")}.`, "NotSupportedError");
    }
    for (let start = 0; start < bytes.length; start += chunk) {
      ask("crypto.update", [], new Uint8Array(bytes.subarray(start, start + chunk)).buffer);
    }
    return askBytes("crypto.result", []).slice(0);
  }

  return { crypto: { getRandomValues, randomUUID: () => ask("crypto.uuid", []), subtle: { digest } } };
}
