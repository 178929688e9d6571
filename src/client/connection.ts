/** Sends requests to the server, and repeats them after transient errors. */
import { StepwellError } from "../errors.ts";
import { unlessAborted } from "../time/unless-aborted.ts";
import { anySignal, MAX_TIMER_MS, retryDelay, sleep } from "./backoff.ts";
import type { CallOptions, ClientOptions, GivenHeaders } from "./client.ts";
import { errorOf } from "./response-error.ts";

export interface Outgoing {
  readonly method: string;
  /** Path and query below the URL of the client, or an absolute URL such as an upload URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the client, for all attempts of a call. @default those of now */
  readonly shared?: GivenHeaders;
  readonly body?: string | Uint8Array | Blob | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether a repeat has no further effect. @default Whether the method says so */
  readonly isRepeatable?: boolean;
  /** Whether 404 is a success, because an earlier attempt may have deleted the resource. @default false */
  readonly mayBeGone?: boolean;
  /** Further statuses after which the caller may repeat the request. @default none */
  readonly transient?: readonly number[];
  /** Milliseconds for the attempt. @default the option of the client; `Infinity` for no limit */
  readonly timeoutMs?: number;
}

type Read<T> = (response: Response) => T | Promise<T>;

export interface Connection {
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly idempotencyKey: string | undefined;
  /**
   * Sends a request until a response has been read.
   * @throws StepwellError the error of the response; `unavailable` if none arrives. Also throws the reason of a signal.
   */
  exchange<T>(outgoing: Outgoing, read: Read<T>): Promise<T>;
  /**
   * Sends a request once. Returns an error after which a repeat may succeed and has no further effect.
   * @throws StepwellError any other. Also throws the reason of a signal.
   */
  attempt<T>(outgoing: Outgoing, read: Read<T>): Promise<T | StepwellError>;
  /**
   * Waits before a repeat.
   * @param failures In a row, from 1.
   * @throws StepwellError the given one, if there were too many failures
   */
  pause(failures: number, error: StepwellError, signal?: AbortSignal | undefined): Promise<void>;
}

const DEFAULT_RETRIES = 4;
const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

const REPEATABLE_METHODS = /^(GET|HEAD|PUT|DELETE)$/;
/** The server has not begun to handle the request. */
const UNTOUCHED = [425, 429];
const TRANSIENT = [408, 502, 503, 504];
/** Seconds of `Prefer: wait=N` (RFC 7240). */
const WAIT = /\bwait\s*=\s*"?(\d{1,6})/i;

/** @throws StepwellError `invalid` for a URL that is not one */
export function createConnection(options: ClientOptions, call: CallOptions): Connection {
  const { retries = DEFAULT_RETRIES, timeoutMs: defaultMs = DEFAULT_TIMEOUT_MS } = options;
  const { maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES, fetch: send = (url, init) => fetch(url, init) } = options;
  const key = call.key ?? options.key;
  const base = baseOf(options.url);

  const sharedHeaders = () => (typeof options.headers === "function" ? options.headers() : options.headers);

  /** An upload URL of another origin gets no headers that are meant for the server. */
  function headersOf({ path, headers, shared = sharedHeaders() }: Outgoing): Headers {
    const isTrusted = path.startsWith("/") || new URL(path).origin === new URL(base).origin;
    return joined({ accept: "application/json" }, ...(isTrusted ? [shared, call.headers] : []), headers);
  }

  /** Adds the key. An upload URL needs none. */
  async function authorize(path: string, headers: Headers): Promise<void> {
    if (!path.startsWith("/") || headers.has("authorization")) return;
    const token = typeof key === "function" ? await key() : key;
    if (token === undefined) return;
    // Refused here: the error of the runtime would contain the key.
    if (!/^[ -~]*$/.test(token)) throw wrongField("/key", "Must have only printable ASCII.");
    headers.set("authorization", `Bearer ${token}`);
  }

  async function attempt<T>(outgoing: Outgoing, read: Read<T>): Promise<T | StepwellError> {
    const { method, path, body, isRepeatable = REPEATABLE_METHODS.test(method), transient = [] } = outgoing;
    const url = path.startsWith("/") ? base + path : path;
    const aborting = anySignal(call.signal, outgoing.signal);
    aborting?.throwIfAborted();
    const headers = headersOf(outgoing);
    const waitMs = Number(WAIT.exec(headers.get("prefer") ?? "")?.[1] ?? 0) * 1_000;
    const { timeoutMs = defaultMs + waitMs } = outgoing;
    const timeUp = new AbortController();
    const delay = Math.min(timeoutMs, MAX_TIMER_MS);
    const timer = timeoutMs === Infinity ? undefined : setTimeout(() => timeUp.abort(), delay);
    const signal = anySignal(aborting, timeUp.signal);
    const init: RequestInit = { method, headers, redirect: "manual", signal: signal ?? null };
    if (body !== undefined) init.body = body as BodyInit; // TypeScript excludes bytes in shared memory
    let isAuthorized = false;
    try {
      // A key that is never found must not defeat the signal and the time limit.
      await unlessAborted(authorize(path, headers), signal);
      isAuthorized = true;
      const response = await send(url, init);
      const { ok, status } = response;
      if (ok || (status === 404 && outgoing.mayBeGone === true)) return await read(response);
      const error = await errorOf(response);
      const repeated = [...UNTOUCHED, ...transient, ...(isRepeatable ? TRANSIENT : [])];
      if (repeated.includes(status)) return error;
      throw error;
    } catch (cause) {
      aborting?.throwIfAborted();
      const isLate = timeUp.signal.aborted;
      // Also what the function of the key has thrown.
      if (cause instanceof StepwellError || !(isAuthorized || isLate)) throw cause;
      const missing = isAuthorized ? "complete response" : "key";
      const reason = isLate ? `no ${missing} within ${timeoutMs} ms` : reasonOf(cause);
      // Without the id of an upload URL: anyone who knows it can send a file.
      const error = new StepwellError("unavailable", `${method} ${url.split("fupl_")[0]}: ${reason}.`, { cause });
      if (isRepeatable) return error;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  const pause: Connection["pause"] = async (failures, error, signal) => {
    // Errors without a response have a cause. Nothing says when to repeat the request.
    const retryAfter = error.cause === undefined ? error.headers["retry-after"] : undefined;
    const delay = failures <= retries ? retryDelay(failures, retryAfter) : null;
    if (delay === null) throw error;
    await sleep(delay, anySignal(call.signal, signal));
  };

  async function exchange<T>(outgoing: Outgoing, read: Read<T>): Promise<T> {
    let mayBeGone = false;
    const shared = sharedHeaders() ?? {};
    for (let failures = 1; ; failures++) {
      const found: T | StepwellError = await attempt({ ...outgoing, shared, mayBeGone }, read);
      if (!(found instanceof StepwellError)) return found;
      await pause(failures, found, outgoing.signal);
      mayBeGone ||= outgoing.method === "DELETE" && found.code !== "too_many_requests";
    }
  }

  const { signal, idempotencyKey } = call;
  return { maxResponseBytes, signal, idempotencyKey, exchange, attempt, pause };
}

/** The URL without a slash at its end. */
function baseOf(given: string): string {
  try {
    // In a browser, a path is relative to the page, unless it is missing.
    const { protocol, host, pathname, search, hash } = new URL(given, given && globalThis.location?.href);
    if (/^http/.test(protocol) && search + hash === "")
      return `${protocol}//${host}${pathname.replace(/(?<!\/)\/+$/, "")}`;
  } catch {
    // the error below says what is expected
  }
  throw wrongField("/url", "Must be an http: or https: URL without query and fragment.");
}

/**
 * Later headers replace earlier ones.
 * @throws StepwellError `malformed` without the cause, which contains the value: it may be a secret
 */
export function joined(...parts: readonly GivenHeaders[]): Headers {
  const headers = new Headers();
  try {
    for (const part of parts) for (const [name, value] of new Headers(part)) headers.set(name, value);
    return headers;
  } catch {
    throw new StepwellError("malformed", "Headers must have valid names, and values without line breaks.");
  }
}

/** The error for an argument, or for a field of one. */
export function wrongField(pointer: string, message: string, within?: "query"): StepwellError {
  const place = pointer || "the argument";
  if (within === undefined)
    return new StepwellError("invalid", `${place}: ${message}`, { errors: [{ pointer, message }] });
  return new StepwellError("invalid", `${within} ${place}: ${message}`, { errors: [{ pointer, message, in: within }] });
}

/** Runtimes hide the reason in the cause: `fetch failed` alone says nothing. */
export function reasonOf(cause: unknown): string {
  const { message, cause: inner } = cause instanceof Error ? cause : { message: String(cause), cause: null };
  return inner instanceof Error ? `${message}: ${inner.message}` : message;
}
