/** `DOMException`, which the other globals throw. */
export function exceptionGlobals() {
  /** The codes of WebIDL, for names that have one. */
  const CODES = new Map([
    ["InvalidCharacterError", 5],
    ["NotSupportedError", 9],
    ["TypeMismatchError", 17],
    ["AbortError", 20],
    ["QuotaExceededError", 22],
    ["TimeoutError", 23],
    ["DataCloneError", 25],
  ]);

  class DOMException extends Error {
    constructor(message: unknown = "", name: unknown = "Error") {
      super(`${message}`);
      Object.defineProperty(this, "name", { value: `${name}`, configurable: true });
    }

    get code(): number {
      return CODES.get(this.name) ?? 0;
    }
  }
  return { DOMException };
}
