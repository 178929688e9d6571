/** Sends a request to a search provider, with limits on time and size. Errors name the provider but never the key. */
import { concatBytes, MEBIBYTE } from "../../src/encoding/bytes.ts";
import { decodeText } from "../../src/encoding/decode-text.ts";
import { trimEnd } from "../../src/encoding/trim.ts";
import { isRecord } from "../../src/json.ts";
import { type WebResult, WebSearchError } from "../../src/ports/web-search.ts";
import { type ErrorMeaning, type RefusedResponse, refusedError } from "./errors.ts";

/** Options of every provider. */
export interface ProviderOptions {
  /** Timeout of a request in milliseconds. @default 15,000 */
  readonly timeoutMs?: number;
}

export interface SearchRequest {
  /** Name in errors, such as `Brave Search`. */
  readonly provider: string;
  readonly url: URL;
  readonly init: RequestInit;
  readonly options: ProviderOptions;
  readonly signal: AbortSignal;
  /** Returns the provider-specific meaning of a response. */
  meaning?(refused: RefusedResponse): ErrorMeaning | undefined;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const MAX_BYTES = 4 * MEBIBYTE;

/** Returns the response as JSON. @throws WebSearchError */
export async function requestJson(exchange: SearchRequest): Promise<unknown> {
  const { provider, url, init, options, signal } = exchange;
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const failed = (what: string) => new WebSearchError(`${provider} ${what}`, { retryable: true });
  try {
    // Not followed: a redirect would send the key to another server.
    const response = await fetch(url, { ...init, redirect: "manual", signal: within });
    const text = textOf(response);
    // If the body of an error is unreadable, its status is enough.
    const body = parseJson(await (response.ok ? text : text.catch(() => "")));
    if (!response.ok) {
      const refused = { status: response.status, headers: response.headers, body: body ?? null };
      throw refusedError(provider, refused, exchange.meaning?.(refused));
    }
    if (body === undefined) throw unreadableAnswer(provider);
    return body;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WebSearchError) throw error;
    if (within.aborted) throw failed(`did not respond within ${timeoutMs} ms.`);
    throw failed("is unreachable, or the connection to it was lost.");
  }
}

async function textOf({ body, headers }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.byteLength;
    if (size > MAX_BYTES) return "";
    pieces.push(piece);
  }
  return decodeText(concatBytes(pieces), headers.get("content-type") ?? "application/json") ?? "";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Retryable, because the response may come from a proxy in between. */
function unreadableAnswer(provider: string): WebSearchError {
  return new WebSearchError(`${provider} returned a response in an unknown format.`, { retryable: true });
}

/** Returns the results of a response. @param snippet Name of the provider's field for the text of a result. */
export function resultsOf(list: unknown, snippet: string, count: number, provider: string): WebResult[] {
  if (!Array.isArray(list)) throw unreadableAnswer(provider);
  return list.flatMap((item) => resultOf(item, snippet)).slice(0, count);
}

/** Skips results without a web URL. */
function resultOf(item: unknown, snippet: string): WebResult[] {
  if (!isRecord(item)) return [];
  const { title, url, [snippet]: text } = item;
  if (typeof url !== "string" || !/^https?:\/\//i.test(url)) return [];
  return [{ title: textual(title), url, snippet: textual(text) }];
}

const textual = (value: unknown) => (typeof value === "string" ? value : "");

/** @throws TypeError if a header cannot contain the key. The error doesn't contain it either. */
export function checkKey(provider: string, key: unknown): asserts key is string {
  if (typeof key === "string" && /^[\x21-\x7e]+$/.test(key)) return;
  throw new TypeError(`The API key of ${provider} must be a string of printable ASCII characters without spaces.`);
}

/** Appends a path to a base URL with or without a trailing slash. @throws TypeError */
export function addressOf(provider: string, base: string, path: string): URL {
  const isAddress = URL.canParse(base) && /^https?:$/.test(new URL(base).protocol);
  if (!isAddress)
    throw new TypeError(`The URL of ${provider} must be an http or https URL such as https://search.example.com.`);
  const url = new URL(base);
  url.pathname = `${trimEnd(url.pathname, "/")}/${path}`;
  return url;
}
