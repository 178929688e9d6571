/** One question to a search provider over HTTP: limits of time and size, and errors that name the provider and no key. */
import { concatBytes, MEBIBYTE } from "../../src/encoding/bytes.ts";
import { decodeText } from "../../src/encoding/decode-text.ts";
import { trimEnd } from "../../src/encoding/trim.ts";
import { isRecord } from "../../src/json.ts";
import { type WebResult, WebSearchError } from "../../src/ports/web-search.ts";
import { type ErrorMeaning, type RefusedResponse, refusedError } from "./errors.ts";

/** What every provider takes. */
export interface ProviderOptions {
  /** Milliseconds that an answer may take. @default 15,000 */
  readonly timeoutMs?: number;
}

export interface SearchRequest {
  /** As the host calls it: `Brave Search`. */
  readonly provider: string;
  readonly url: URL;
  readonly init: RequestInit;
  readonly options: ProviderOptions;
  readonly signal: AbortSignal;
  /** What an answer means that this provider uses in a way of its own. */
  meaning?(refused: RefusedResponse): ErrorMeaning | undefined;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const MAX_BYTES = 4 * MEBIBYTE;

/** The answer as JSON. @throws WebSearchError */
export async function requestJson(exchange: SearchRequest): Promise<unknown> {
  const { provider, url, init, options, signal } = exchange;
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const failed = (what: string) => new WebSearchError(`${provider} ${what}`, { retryable: true });
  try {
    // Followed, a redirect would take the key along to wherever it leads.
    const response = await fetch(url, { ...init, redirect: "manual", signal: within });
    const text = textOf(response);
    const body = parseJson(await (response.ok ? text : text.catch(() => ""))); // the status of a refusal says enough
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

/** Which may be a page of a proxy on the way: another try may go better. */
function unreadableAnswer(provider: string): WebSearchError {
  return new WebSearchError(`${provider} returned a response in an unknown format.`, { retryable: true });
}

/** The results of an answer, by the name that the provider has for the text of one. */
export function resultsOf(list: unknown, snippet: string, count: number, provider: string): WebResult[] {
  if (!Array.isArray(list)) throw unreadableAnswer(provider);
  return list.flatMap((item) => resultOf(item, snippet)).slice(0, count);
}

/** What has no address is no page. */
function resultOf(item: unknown, snippet: string): WebResult[] {
  if (!isRecord(item)) return [];
  const { title, url, [snippet]: text } = item;
  if (typeof url !== "string" || !/^https?:\/\//i.test(url)) return [];
  return [{ title: textual(title), url, snippet: textual(text) }];
}

const textual = (value: unknown) => (typeof value === "string" ? value : "");

/** @throws TypeError for what no header can carry; never with the key. */
export function checkKey(provider: string, key: unknown): asserts key is string {
  if (typeof key === "string" && /^[\x21-\x7e]+$/.test(key)) return;
  throw new TypeError(`The API key of ${provider} must be a string of printable ASCII characters without spaces.`);
}

/** An address with what follows it, whether or not it ends in a slash. @throws TypeError */
export function addressOf(provider: string, base: string, path: string): URL {
  const isAddress = URL.canParse(base) && /^https?:$/.test(new URL(base).protocol);
  if (!isAddress)
    throw new TypeError(`The URL of ${provider} must be an http or https URL such as https://search.example.com.`);
  const url = new URL(base);
  url.pathname = `${trimEnd(url.pathname, "/")}/${path}`;
  return url;
}
