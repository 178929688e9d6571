/** Makes the thread, which is our own, one that the libraries for documents run in as they should. */

/** Once for each thread, before any of them is loaded. */
export function prepareWorkerGlobals(): void {
  completeArrayBuffer();
  completeObject();
}

/** PDF.js needs this of the runtime, which Node 20 has not, and without it leaves out all images of a page with fonts. */
function completeArrayBuffer(): void {
  if ("transferToFixedLength" in ArrayBuffer.prototype) return;
  Object.defineProperty(ArrayBuffer.prototype, "transferToFixedLength", {
    value(this: ArrayBuffer, length: number) {
      return this.slice(0, length);
    },
  });
}

/** Mammoth sets prototypes by `__proto__`, which does nothing on Deno. */
function completeObject(): void {
  const [probe, prototype] = [{}, {}];
  Reflect.set(probe, "__proto__", prototype);
  if (Object.getPrototypeOf(probe) === prototype) return;
  Object.defineProperty(Object.prototype, "__proto__", {
    configurable: true,
    get(this: object) {
      return Object.getPrototypeOf(this);
    },
    set(this: object, given: object | null) {
      Object.setPrototypeOf(this, given);
    },
  });
}
