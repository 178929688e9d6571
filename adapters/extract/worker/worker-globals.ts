/** Prepares the globals of the worker thread for the document libraries. */

/** Call this once per thread, before any library is loaded. */
export function prepareWorkerGlobals(): void {
  completeArrayBuffer();
  completeObject();
}

/** PDF.js needs this method, which Node.js 20 lacks. Without it, PDF.js omits all images of pages with fonts. */
function completeArrayBuffer(): void {
  if ("transferToFixedLength" in ArrayBuffer.prototype) return;
  Object.defineProperty(ArrayBuffer.prototype, "transferToFixedLength", {
    value(this: ArrayBuffer, length: number) {
      return this.slice(0, length);
    },
  });
}

/** Mammoth sets prototypes through `__proto__`, which Deno doesn't support. */
function completeObject(): void {
  const [probe, prototype] = [{}, {}];
  Reflect.set(probe, "__proto__", prototype);
  if (Object.getPrototypeOf(probe) === prototype) return;
  Object.defineProperty(Object.prototype, "__proto__", {
    configurable: true,
    get(this: object) {
      return Object.getPrototypeOf(this);
    },
    set(this: object, value: object | null) {
      Object.setPrototypeOf(this, value);
    },
  });
}
