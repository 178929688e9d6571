/**
 * What the globals of the platform in this folder need. Each factory runs inside QuickJS: `sources.ts` takes its text, so
 * it must not refer to anything outside itself but built-ins of JavaScript. It runs when the code first reads one of its
 * globals, under the limits of the call.
 */

/** What the host computes: by name, the arguments and the result as JSON. */
export interface HostOperations {
  /** Parses a URL, with an optional base. */
  readonly "url.parse": { args: readonly [url: string, base?: string]; result: UrlParts | null };
  /** Sets a part of a URL, as its setter does. Null for an href that is invalid. */
  readonly "url.set": { args: readonly [href: string, part: UrlPart, value: string]; result: UrlParts | null };
  /** Parses `application/x-www-form-urlencoded`. */
  readonly "query.parse": { args: readonly [query: string]; result: [string, string][] };
  /** Returns the name of the encoding with this label, or null. */
  readonly "text.encoding": { args: readonly [label: string]; result: string | null };
  /** Decodes the next bytes of a text. Null if they are invalid and the decoder is fatal. */
  readonly "text.decode": { args: readonly [decoder: DecoderState, isLast: boolean]; result: string | null };
  readonly "text.atob": { args: readonly [base64: string]; result: string | null };
  readonly "text.btoa": { args: readonly [latin1: string]; result: string };
  readonly "crypto.uuid": { args: readonly []; result: string };
  /** Begins a digest. The bytes follow in `crypto.update`. */
  readonly "crypto.digest": { args: readonly [algorithm: string]; result: boolean };
  readonly "crypto.update": { args: readonly []; result: null };
  /** Milliseconds since an arbitrary point in time. Never goes back. */
  readonly "timers.now": { args: readonly []; result: number };
}

/** What the host computes as bytes. */
export interface HostBytes {
  /** Encodes text as UTF-8. */
  readonly "text.encode": readonly [text: string];
  /** Random bytes, at most 65,536. */
  readonly "crypto.random": readonly [count: number];
  /** Ends the digest that was begun last. */
  readonly "crypto.result": readonly [];
}

export type UrlPart =
  | "href"
  | "protocol"
  | "username"
  | "password"
  | "host"
  | "hostname"
  | "port"
  | "pathname"
  | "search"
  | "hash";
export type UrlParts = { readonly [Part in UrlPart | "origin"]: string };

export interface DecoderState {
  readonly id: number;
  readonly label: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
}

/** What a factory gets. */
export interface Platform {
  /** Asks the host. Texts and bytes are limited to {@link CHUNK}, except those of URLs. */
  ask<Name extends keyof HostOperations>(
    name: Name,
    args: HostOperations[Name]["args"],
    bytes?: ArrayBuffer,
  ): HostOperations[Name]["result"];
  askBytes<Name extends keyof HostBytes>(name: Name, args: HostBytes[Name]): ArrayBuffer;
  /** Creates a `DOMException`. */
  domException(message: string, name: string): Error;
  /** Sets the function that the host calls while the code waits: it runs the first timer that is due. */
  onIdle(turn: () => number): void;
  /** Maximum length of a text or of bytes that cross at once. */
  readonly chunk: number;
  /** Maximum length of a URL. */
  readonly maxUrl: number;
}
