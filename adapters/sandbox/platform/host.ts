/**
 * What the platform's globals ask the host. Code can call these functions with any arguments, so each checks its own. They
 * compute something of their arguments and reach nothing else; their work is linear in texts whose length is limited.
 */
import { Buffer } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import type { UrlParts } from "./sandboxed.ts";

/** Maximum length of texts and bytes that cross at once. */
export const CHUNK = 65_536;

/** An answer: JSON or bytes. */
export type HostAnswer = { readonly json: unknown } | { readonly bytes: Uint8Array };

export interface PlatformHost {
  /** @throws TypeError or RangeError for arguments that the sandboxed part never sends. */
  answer(name: string, args: readonly unknown[], bytes: Uint8Array | undefined): HostAnswer;
  /** Forgets what a call has begun. Call it before the next. */
  reset(): void;
}

/** As in Chromium. Longer URLs are invalid. */
export const MAX_URL_CHARS = 2 * 1024 * 1024;
/** The conversion of names to ASCII takes quadratic time. Names that can be resolved have at most 253 characters. */
const MAX_AUTHORITY_CHARS = 4_096;
/** Only the names of these schemes are converted. Without a scheme, a URL with a base can have an authority, too. */
const AUTHORITY = /^(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})([^/\\?#]*)/i;
/** What a URL ignores: at its start and everywhere. */
const IGNORED = /^[\0-\x20]+|[\t\n\r]+/g;
/** What can be set, besides `href`. */
const PARTS = ["protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"] as const;
/** Decoders of a call that wait for more bytes. */
const MAX_OPEN_DECODERS = 256;
const DIGESTS: ReadonlyMap<string, string> = new Map([
  ["SHA-1", "sha1"],
  ["SHA-256", "sha256"],
  ["SHA-384", "sha384"],
  ["SHA-512", "sha512"],
]);

type Operation = (args: readonly unknown[], bytes: Uint8Array | undefined) => HostAnswer;

export function createPlatformHost(): PlatformHost {
  const decoders = new Map<number, TextDecoder>();
  let hash: Hash | undefined;

  const operations: Readonly<Record<string, Operation>> = {
    "url.parse": ([url, base]) => json(parseUrl(text(url, MAX_URL_CHARS + 1), base)),
    "url.set": ([href, part, value]) => json(setPart(text(href, MAX_URL_CHARS + 1), part, value)),
    "query.parse": ([query]) => json([...new URLSearchParams(`?${text(query, MAX_URL_CHARS)}`)]),
    "text.encoding": ([label]) => json(encodingOf(text(label, CHUNK))),
    "text.encode": ([value]) => ({ bytes: new TextEncoder().encode(text(value, CHUNK)) }),
    "text.decode": ([state, isLast], bytes) => json(decode(state, isLast === true, chunk(bytes))),
    "text.atob": ([base64]) => json(attempt(() => atob(text(base64, CHUNK)))),
    "text.btoa": ([latin1]) => json(Buffer.from(text(latin1, CHUNK), "latin1").toString("base64")),
    "crypto.uuid": () => json(crypto.randomUUID()),
    "crypto.random": ([count]) => ({ bytes: crypto.getRandomValues(new Uint8Array(byteCount(count))) }),
    "crypto.digest": ([name]) => {
      const algorithm = DIGESTS.get(text(name, CHUNK));
      hash = algorithm === undefined ? undefined : createHash(algorithm);
      return json(hash !== undefined);
    },
    "crypto.update": (_, bytes) => {
      hash?.update(chunk(bytes));
      return json(null);
    },
    "crypto.result": () => {
      if (hash === undefined) throw new TypeError("No digest is in progress.");
      const bytes = hash.digest();
      hash = undefined;
      return { bytes };
    },
    "timers.now": () => json(performance.now()),
  };

  function decode(state: unknown, isLast: boolean, bytes: Uint8Array): string | null {
    if (typeof state !== "object" || state === null) throw new TypeError("Must be a decoder.");
    const { id, label, fatal, ignoreBOM }: Readonly<Record<string, unknown>> = { ...state };
    const key = Number(id);
    const options = { fatal: fatal === true, ignoreBOM: ignoreBOM === true };
    const decoder = decoders.get(key) ?? new TextDecoder(text(label, CHUNK), options);
    if (isLast) decoders.delete(key);
    else decoders.set(key, decoder);
    if (decoders.size > MAX_OPEN_DECODERS) {
      decoders.delete(key);
      throw new RangeError(`At most ${MAX_OPEN_DECODERS} decoders with stream: true can be open.`);
    }
    const decoded = attempt(() => decoder.decode(bytes, { stream: !isLast }));
    if (decoded === null) decoders.delete(key);
    return decoded;
  }

  return {
    answer(name, args, bytes) {
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
      if (operation === undefined) throw new TypeError("Unknown operation.");
      return operation(args, bytes);
    },
    reset() {
      decoders.clear();
      hash = undefined;
    },
  };
}

function json(value: unknown): HostAnswer {
  return { json: value };
}

function text(value: unknown, most: number): string {
  if (typeof value !== "string") throw new TypeError("Must be a string.");
  if (value.length > most) throw new RangeError(`The text exceeds ${most.toLocaleString("en")} characters.`);
  return value;
}

function chunk(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new TypeError("Must be bytes.");
  return bytes;
}

function byteCount(value: unknown): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 0 || count > CHUNK) throw new RangeError("Too many bytes.");
  return count;
}

function attempt<Result>(compute: () => Result): Result | null {
  try {
    return compute();
  } catch {
    return null;
  }
}

function parseUrl(url: string, base: unknown): UrlParts | null {
  if (isTooLong(url)) return null;
  if (base === undefined) return attempt(() => partsOf(new URL(url)));
  const parent = text(base, MAX_URL_CHARS + 1);
  return isTooLong(parent) ? null : attempt(() => partsOf(new URL(url, parent)));
}

/** Like the setters of URL, leaves the URL unchanged if the value doesn't fit. Returns null for an invalid href. */
function setPart(href: string, part: unknown, value: unknown): UrlParts | null {
  const given = text(value, MAX_URL_CHARS + 1);
  const url = new URL(href);
  if (part === "href") return parseUrl(given, undefined);
  const isName = part === "host" || part === "hostname";
  if (href.length + given.length > MAX_URL_CHARS || (isName && given.length > MAX_AUTHORITY_CHARS)) {
    throw new RangeError("The URL would be too long.");
  }
  const settable = PARTS.find((name) => name === part);
  if (settable !== undefined) url[settable] = given;
  return partsOf(url);
}

function isTooLong(url: string): boolean {
  if (url.length <= MAX_AUTHORITY_CHARS) return false;
  const [, authority = ""] = AUTHORITY.exec(url.replaceAll(IGNORED, "")) ?? [];
  return url.length > MAX_URL_CHARS || authority.length > MAX_AUTHORITY_CHARS;
}

function partsOf(url: URL): UrlParts {
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url;
  return { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash };
}

function encodingOf(label: string): string | null {
  return attempt(() => new TextDecoder(label).encoding);
}
