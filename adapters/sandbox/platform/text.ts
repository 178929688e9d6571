/** `TextEncoder`, `TextDecoder`, `atob` and `btoa`. The host converts one chunk at a time, so code can be stopped between them. */
import type { DecoderState, Platform } from "./sandboxed.ts";

export function textGlobals({ ask, askBytes, domException, chunk }: Platform): Readonly<Record<string, unknown>> {
  const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

  /** Yields pieces of the text that don't separate a surrogate pair. */
  function* pieces(text: string): Generator<string> {
    for (let start = 0; start < text.length; ) {
      const end = start + chunk;
      const next = end < text.length && isHigh(text.charCodeAt(end - 1)) ? end - 1 : end;
      yield text.slice(start, next);
      start = next;
    }
  }

  function encode(text: string): Uint8Array<ArrayBuffer> {
    const parts = Array.from(pieces(text), (piece) => new Uint8Array(askBytes("text.encode", [piece])));
    const [first] = parts;
    if (first !== undefined && parts.length === 1) return first;
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  function bytesOf(value: unknown): Uint8Array {
    if (value === undefined) return new Uint8Array();
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return new Uint8Array(value);
    throw new TypeError("Must be an ArrayBuffer, a typed array or a DataView.");
  }

  class TextEncoder {
    get encoding(): string {
      return "utf-8";
    }

    encode(text?: unknown): Uint8Array {
      return text === undefined ? new Uint8Array() : encode(`${text}`);
    }

    encodeInto(source: unknown, target: unknown): { read: number; written: number } {
      if (!(target instanceof Uint8Array)) throw new TypeError("The target must be a Uint8Array.");
      const text = `${source}`;
      // Each code unit has at least one byte.
      const end = isHigh(text.charCodeAt(target.length - 1)) ? target.length + 1 : target.length;
      const bytes = encode(text.slice(0, end));
      let written = 0;
      let read = 0;
      while (written < bytes.length) {
        const lead = bytes[written] ?? 0;
        const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        if (written + size > target.length) break;
        written += size;
        read += size === 4 ? 2 : 1;
      }
      target.set(bytes.subarray(0, written));
      return { read, written };
    }
  }

  let decoders = 0;

  class TextDecoder {
    readonly #state: DecoderState;
    readonly #encoding: string;

    constructor(label: unknown = "utf-8", options?: { fatal?: unknown; ignoreBOM?: unknown }) {
      const encoding = ask("text.encoding", [`${label}`.slice(0, 100)]);
      if (encoding === null) throw new RangeError(`The "${label}" encoding is not supported.`);
      this.#encoding = encoding;
      const { fatal, ignoreBOM } = options ?? {};
      this.#state = { id: ++decoders, label: encoding, fatal: Boolean(fatal), ignoreBOM: Boolean(ignoreBOM) };
    }

    get encoding(): string {
      return this.#encoding;
    }

    get fatal(): boolean {
      return this.#state.fatal;
    }

    get ignoreBOM(): boolean {
      return this.#state.ignoreBOM;
    }

    decode(input?: unknown, options?: { stream?: unknown }): string {
      const bytes = bytesOf(input);
      const isStream = Boolean(options?.stream);
      let text = "";
      let start = 0;
      do {
        const part = new Uint8Array(bytes.subarray(start, start + chunk));
        start += chunk;
        const piece = ask("text.decode", [this.#state, !isStream && start >= bytes.length], part.buffer);
        if (piece === null) throw new TypeError(`The encoded data was not valid for encoding ${this.#encoding}`);
        text += piece;
      } while (start < bytes.length);
      return text;
    }
  }

  function first(given: unknown[]): unknown {
    if (given.length === 0) throw new TypeError("Needs 1 argument.");
    return given[0];
  }

  const invalid = (message: string) => domException(message, "InvalidCharacterError");

  function atob(...given: unknown[]): string {
    const data = first(given);
    const text = `${data}`.replaceAll(/[\t\n\f\r ]+/g, "");
    let decoded = "";
    for (let start = 0; start < text.length; start += chunk) {
      const part = text.slice(start, start + chunk);
      // Padding before the end is invalid.
      const isBroken = start + chunk < text.length && part.includes("=");
      const piece = isBroken ? null : ask("text.atob", [part]);
      if (piece === null) throw invalid("The string to be decoded is not correctly encoded.");
      decoded += piece;
    }
    return decoded;
  }

  function btoa(...given: unknown[]): string {
    const data = first(given);
    const text = `${data}`;
    if (/[^\0-\xff]/.test(text)) throw invalid("Invalid character");
    const third = chunk - (chunk % 3); // only the last piece may need padding
    let encoded = "";
    for (let start = 0; start < text.length; start += third) {
      encoded += ask("text.btoa", [text.slice(start, start + third)]);
    }
    return encoded;
  }

  return { TextEncoder, TextDecoder, atob, btoa };
}
