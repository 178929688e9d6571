/** Fetches URLs that users supply, without giving access to the internal network. */
import { MEBIBYTE } from "../encoding/bytes.ts";
import { isStepwellError, StepwellError, systemErrorCode } from "../errors.ts";
import type { Answer, Dial } from "../ports/dial.ts";
import type { GuardedFetch, GuardedRequest } from "../ports/fetch.ts";
import { systemClock } from "../time/system-clock.ts";
import { createAddressFilter } from "./allowed-addresses.ts";
import { checkUrl, displayOrigin, firstHop, portOf } from "./check-request.ts";
import { limitBody, tooLarge } from "./limited-body.ts";
import { type Hop, redirectHop, redirectTarget } from "./redirect.ts";

const DEFAULTS = { timeoutMs: 30_000, idleTimeoutMs: 30_000, maxBytes: 10 * MEBIBYTE, maxRedirects: 5 } as const;

/** Statuses of responses without a body (Fetch standard, "null body status"). */
const WITHOUT_BODY = new Set([101, 204, 205, 304]);

/**
 * @param allow The option `net.allow`.
 * @throws StepwellError `invalid` for an invalid entry of `allow`
 */
export function createGuardedFetch({ dial, allow }: { dial: Dial; allow?: readonly string[] }): GuardedFetch {
  const permitted = createAddressFilter(allow);
  return async (address, request = {}) => {
    const timeoutMs = request.timeoutMs ?? DEFAULTS.timeoutMs;
    const late = new AbortController();
    const startTimer = () => systemClock.after(timeoutMs, () => late.abort());
    let cancelTimer = startTimer();
    let isAnswered = false;
    const restartTimer = () => {
      if (isAnswered) return;
      cancelTimer();
      cancelTimer = startTimer();
    };
    const signal = request.signal === undefined ? late.signal : AbortSignal.any([request.signal, late.signal]);
    let hop = withProgress(firstHop(address, request), restartTimer);
    try {
      for (let redirects = 0; ; redirects++) {
        const { url } = hop;
        const target = { hostname: url.hostname, port: portOf(url), name: displayOrigin(url) };
        const answer = await dial({ ...hop, signal, permitted: (found) => permitted(target, found) });
        const next = nextHop(hop, answer);
        if (next === undefined) return toResponse(hop, answer, request);
        await answer.body.cancel();
        if (redirects === (request.maxRedirects ?? DEFAULTS.maxRedirects)) throw tooManyRedirects(hop, redirects);
        hop = next;
      }
    } catch (error) {
      if (isStepwellError(error)) throw error;
      request.signal?.throwIfAborted();
      throw fetchFailed(hop.url, late.signal.aborted ? `no response within ${timeoutMs} ms` : reasonOf(error), error);
    } finally {
      isAnswered = true; // the rest of a streamed body may still be sent
      cancelTimer();
    }
  };
}

/** Reports each piece of a streamed body that the connection accepts. */
function withProgress(hop: Hop, onProgress: () => void): Hop {
  const { body } = hop;
  if (body === undefined || body instanceof Uint8Array) return hop;
  async function* pieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const bytes of source) {
      yield bytes;
      onProgress();
    }
  }
  return { ...hop, body: { size: body.size, open: () => pieces(body.open()) } };
}

function nextHop(hop: Hop, answer: Answer): Hop | undefined {
  const target = redirectTarget(hop.url, answer.status, answer.headers.get("location"));
  if (target === undefined) return undefined;
  if (target === null) throw fetchFailed(hop.url, "it redirects to an invalid URL");
  return redirectHop(hop, answer.status, checkUrl(target));
}

function toResponse(hop: Hop, answer: Answer, request: GuardedRequest): Response {
  const maxBytes = request.maxBytes ?? DEFAULTS.maxBytes;
  const { status } = answer;
  const { headers } = answer;
  const name = displayOrigin(hop.url);
  if (status < 200 || status > 599) throw fetchFailed(hop.url, `${status} is not a valid HTTP status`);
  const announced = Number(headers.get("content-length") ?? "0");
  const empty = hop.method === "HEAD" || WITHOUT_BODY.has(status);
  if (!empty && announced > maxBytes) {
    answer.body.cancel().catch(() => undefined);
    throw tooLarge({ name, maxBytes });
  }
  if (empty) answer.body.cancel().catch(() => undefined);
  const idleMs = request.idleTimeoutMs ?? DEFAULTS.idleTimeoutMs;
  const limits = { maxBytes, idleMs, name, signal: request.signal, clock: systemClock };
  const decoded = empty ? { body: null, headers } : decompress(hop.url, answer);
  const body = decoded.body && limitBody(decoded.body, limits);
  const response = new Response(body, { status, headers: decoded.headers });
  // A constructed Response has no URL.
  return Object.defineProperty(response, "url", { value: hop.url.href });
}

/** Returns the body decompressed, and the headers without its compression. The request offers only gzip. */
function decompress(url: URL, answer: Answer): { body: ReadableStream<Uint8Array>; headers: Headers } {
  const headers = new Headers(answer.headers);
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity" || headers.get("content-length") === "0") {
    return { body: answer.body, headers };
  }
  if (encoding !== "gzip" && encoding !== "x-gzip") {
    answer.body.cancel().catch(() => undefined);
    throw fetchFailed(
      url,
      `it responded with the content encoding ${JSON.stringify(encoding.slice(0, 40))}, but only gzip was requested`,
    );
  }
  headers.delete("content-encoding");
  headers.delete("content-length");
  return { body: answer.body.pipeThrough(new DecompressionStream("gzip")), headers };
}

function tooManyRedirects(hop: Hop, redirects: number): StepwellError {
  if (redirects === 0) return fetchFailed(hop.url, "it redirects, but this request does not follow redirects");
  return fetchFailed(hop.url, `it redirects more than ${redirects} times`);
}

function fetchFailed(url: URL, reason: string, cause?: unknown): StepwellError {
  return new StepwellError("fetch_failed", `${displayOrigin(url)} could not be fetched: ${reason}.`, { cause });
}

/** The system code of the error, such as ECONNREFUSED, if there is one. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "the connection failed";
  return systemErrorCode(error) ?? error.message.replace(/\.$/, "");
}
