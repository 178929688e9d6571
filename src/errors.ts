/** The one error class of the interface, its codes, and their mapping to HTTP (RFC 9457). */

/** Every code that a caller can meet: its status and the short title that never changes. */
export const ERRORS = {
  malformed: { status: 400, title: "Bad request" },
  unauthorized: { status: 401, title: "Unauthorized" },
  signature_mismatch: { status: 401, title: "Signature mismatch" },
  forbidden: { status: 403, title: "Forbidden" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  request_timeout: { status: 408, title: "Request timeout" },
  conflict: { status: 409, title: "Conflict" },
  idempotency_mismatch: { status: 409, title: "Idempotency-Key already used" },
  upload_used: { status: 409, title: "Upload URL already used" },
  upload_expired: { status: 410, title: "Upload URL expired" },
  link_expired: { status: 410, title: "Link expired" },
  precondition_failed: { status: 412, title: "Precondition failed" },
  unsupported_version: { status: 412, title: "Unsupported protocol version" },
  too_large: { status: 413, title: "Content too large" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  range_not_satisfiable: { status: 416, title: "Range not satisfiable" },
  invalid: { status: 422, title: "Unprocessable content" },
  address_refused: { status: 422, title: "Address not allowed" },
  fetch_failed: { status: 422, title: "Fetch failed" },
  too_many_requests: { status: 429, title: "Too many requests" },
  checksum_mismatch: { status: 460, title: "Checksum mismatch" },
  internal: { status: 500, title: "Internal server error" },
  not_configured: { status: 501, title: "Not implemented" },
  unavailable: { status: 503, title: "Service unavailable" },
} as const satisfies Readonly<Record<string, { status: number; title: string }>>;

export type ErrorCode = keyof typeof ERRORS;

/** Errors that one list reports. Checks stop when they have found as many: what a caller sends decides how many there are. */
export const MAX_ERRORS = 100;
/** Characters of a message, and of the pointer and message of an entry. */
const MAX_MESSAGE_LENGTH = 2_000;
const MAX_ENTRY_LENGTH = 1_000;
/** Characters of all entries together, as JSON. */
const MAX_ERRORS_LENGTH = 32 * 1024;

/** One thing that is wrong: where it stands and what would be right. */
export interface FieldError {
  /** JSON pointer (RFC 6901) into the body, or into the part of the request named by `in`. */
  readonly pointer: string;
  readonly message: string;
  /** Left out: the body. */
  readonly in?: "query" | "path" | "header";
}

export interface ErrorDetails {
  readonly errors?: readonly FieldError[];
  /** `errors` are not all that is wrong: the check stopped early. */
  readonly errors_truncated?: boolean;
  /** Headers that belong to the answer, such as Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The document that a `conflict` of the store is about. */
  readonly key?: string;
  /** What callers over HTTP read in place of the message. */
  readonly publicDetail?: string | undefined;
  readonly cause?: unknown;
}

/** Messages of storages name folders, hosts and processes: they are for the log and for callers in process. */
const NOT_AVAILABLE = "The storage is temporarily unavailable. Try again later.";
/** Seconds after which a request to a storage that was not available may be sent again. */
const RETRY_AFTER_SECONDS = "5";

/**
 * Everything that a service function rejects with when the caller, or the storage, is the reason.
 * `message` says what was wrong, where, and what would be right; it never holds secrets.
 */
export class StepwellError extends Error {
  override readonly name = "StepwellError";
  readonly code: ErrorCode;
  /** At most {@link MAX_ERRORS}; long pointers and messages are cut. */
  readonly errors: readonly FieldError[];
  /** Whether more is wrong than `errors` reports. */
  readonly errors_truncated: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string | undefined;
  /** What HTTP answers and stored runs say in place of the message; undefined: nothing. */
  readonly publicDetail: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(cut(message, MAX_MESSAGE_LENGTH), details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    const given = details.errors ?? [];
    this.errors = boundErrors(given);
    this.errors_truncated = details.errors_truncated === true || this.errors.length < given.length;
    const retryAfter = code === "unavailable" ? { "retry-after": RETRY_AFTER_SECONDS } : undefined;
    this.headers = { ...retryAfter, ...details.headers };
    this.key = details.key;
    this.publicDetail = details.publicDetail ?? publicDetailOf(code, this.message);
  }

  /** The HTTP status of the code. */
  get status(): number {
    return ERRORS[this.code].status;
  }
}

function publicDetailOf(code: ErrorCode, message: string): string | undefined {
  if (code === "internal") return undefined;
  return code === "unavailable" ? NOT_AVAILABLE : message;
}

export function isStepwellError(error: unknown, code?: ErrorCode): error is StepwellError {
  return error instanceof StepwellError && (code === undefined || error.code === code);
}

/** Says the same for what does not exist and for what belongs to another app, so that neither can be told apart. */
export function notFound(what: string, id: string): StepwellError {
  return new StepwellError("not_found", missingText(what, id));
}

export function missingText(what: string, id: string): string {
  return `There is no ${what} with the id ${JSON.stringify(id.slice(0, 100))}.`;
}

/** What the system calls an error, such as `ENOENT`. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** For what is not as it was stored, or is missing though something else names it. @param what Starts the sentence. */
export function damaged(key: string, what: string): StepwellError {
  return new StepwellError(
    "unavailable",
    `${what} at "${key}" in the storage is damaged or missing. Restore it from a backup, or run repairStorage.`,
  );
}

/** A text of at most so many characters; what is missing at its end shows as an ellipsis. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** The first of these errors, and one more than is reported, which tells that there are more: nobody looks for the rest. */
export function enoughErrors(found: Iterable<FieldError>): FieldError[] {
  const errors: FieldError[] = [];
  for (const error of found) {
    errors.push(error);
    if (errors.length > MAX_ERRORS) break;
  }
  return errors;
}

/** The first entries, as many as an answer has room for. */
function boundErrors(errors: readonly FieldError[]): readonly FieldError[] {
  const bounded: FieldError[] = [];
  let length = 0;
  for (const error of errors.slice(0, MAX_ERRORS)) {
    const { pointer, message } = error;
    const entry = { ...error, pointer: cut(pointer, MAX_ENTRY_LENGTH), message: cut(message, MAX_ENTRY_LENGTH) };
    length += JSON.stringify(entry).length;
    if (length > MAX_ERRORS_LENGTH) break;
    bounded.push(entry);
  }
  return bounded;
}
