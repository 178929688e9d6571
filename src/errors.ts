/** StepwellError, its codes, and their HTTP statuses and titles (RFC 9457). */

/** The HTTP status of each error code. 460 is defined by tus. */
const STATUSES = {
  malformed: 400,
  unauthorized: 401,
  signature_mismatch: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  idempotency_mismatch: 409,
  upload_used: 409,
  upload_expired: 410,
  link_expired: 410,
  precondition_failed: 412,
  unsupported_version: 412,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  invalid: 422,
  address_refused: 422,
  fetch_failed: 422,
  too_many_requests: 429,
  checksum_mismatch: 460,
  internal: 500,
  not_configured: 501,
  unavailable: 503,
} as const;

/** The standard phrase of each status. */
const TITLES: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  408: "Request timeout",
  409: "Conflict",
  410: "Gone",
  412: "Precondition failed",
  413: "Content too large",
  415: "Unsupported media type",
  416: "Range not satisfiable",
  422: "Unprocessable content",
  429: "Too many requests",
  460: "Checksum mismatch",
  500: "Internal server error",
  501: "Not implemented",
  503: "Service unavailable",
};

/** The error codes: the HTTP status of each, and the standard phrase of the status as its title. */
export const ERRORS = /* @__PURE__ */ withTitles(STATUSES); // pure, so that bundles of the client drop the titles

function withTitles<const Codes extends Readonly<Record<string, number>>>(codes: Codes) {
  const entries = Object.entries(codes).map(([code, status]) => [code, { status, title: TITLES[status] ?? "" }]);
  return Object.fromEntries(entries) as {
    readonly [Code in keyof Codes]: { readonly status: Codes[Code]; readonly title: string };
  }; // an entry for each code
}

/** The code of a {@link StepwellError}. */
export type ErrorCode = keyof typeof STATUSES;

/** Errors in one report. Checks stop when they have found as many, because callers control how many there are. */
export const MAX_ERRORS = 100;
/** Characters of a message. Long pointers and messages of entries are cut as well. */
const MAX_MESSAGE_CHARS = 2_000;
const MAX_ENTRY_CHARS = 1_000;
/** Characters of all entries together, as JSON. */
const MAX_ERRORS_CHARS = 32 * 1024;

/** An invalid field: where it is, what is wrong, and what would be right. */
export interface FieldError {
  /** JSON Pointer (RFC 6901) into the body, or into the part of the request named by `in`. */
  readonly pointer: string;
  /** What is wrong, and what would be right. */
  readonly message: string;
  /** Part of the request that contains the field. Absent for the body. */
  readonly in?: "query" | "path" | "header";
  /** Index of the first wrong character, for a part of an expression in the field. */
  readonly at?: number;
  /** Index after the last wrong character. */
  readonly end?: number;
}

/** Something that uses a resource, which therefore is not deleted. */
export interface ResourceUser {
  /** What it is. */
  readonly type: "workflow" | "schedule" | "rule" | "trigger";
  /** Its id, or the key of a rule. */
  readonly id: string;
  /** Its name for people. */
  readonly name: string | null;
  /** Collection of a rule or trigger. */
  readonly collection_id?: string;
}

/** Details of a {@link StepwellError}. */
export interface ErrorDetails {
  /** The invalid fields. */
  readonly errors?: readonly FieldError[];
  /** Whether the check stopped early, so that `errors` is incomplete. */
  readonly errors_truncated?: boolean;
  /** What uses the resource, for a deletion that is refused. */
  readonly users?: readonly ResourceUser[];
  /** Headers of the HTTP response, such as Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Key of the document that a `conflict` of the store is about. */
  readonly key?: string;
  /** Text that HTTP responses contain instead of the message. */
  readonly publicDetail?: string | undefined;
  /** The underlying error. */
  readonly cause?: unknown;
}

/** Storage messages contain folders, hosts and processes, so only logs and in-process callers see them. */
const NOT_AVAILABLE = "The storage is temporarily unavailable. Try again later.";
/** Seconds after which a client may repeat a request that failed because the storage was unavailable. */
const RETRY_AFTER_SECONDS = "5";

/**
 * The error with which service functions reject. `message` says what was wrong, where, and what would be right. It never
 * contains secrets.
 */
export class StepwellError extends Error {
  /** Always `StepwellError`. */
  override readonly name = "StepwellError";
  /** The error code, such as `invalid` or `not_found`. */
  readonly code: ErrorCode;
  /** The invalid fields, at most 100. Long pointers and messages are cut. */
  readonly errors: readonly FieldError[];
  /** Whether more fields are invalid than `errors` reports. */
  readonly errors_truncated: boolean;
  /** What uses the resource that was to be deleted, at most 100. Empty for other errors. */
  readonly users: readonly ResourceUser[];
  /** Headers of the HTTP response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Key of the document that a `conflict` of the store is about. */
  readonly key: string | undefined;
  /** Text that HTTP responses and stored runs contain instead of the message, if any. */
  readonly publicDetail: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(cut(message, MAX_MESSAGE_CHARS), details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    const given = details.errors ?? [];
    this.errors = boundErrors(given);
    this.errors_truncated = details.errors_truncated === true || this.errors.length < given.length;
    this.users = details.users ?? [];
    // The headers of a response that was received stay as they are.
    this.headers = details.headers ?? (code === "unavailable" ? { "retry-after": RETRY_AFTER_SECONDS } : {});
    this.key = details.key;
    this.publicDetail = details.publicDetail ?? publicDetailOf(code, this.message);
  }

  /** The HTTP status of the code. */
  get status(): number {
    return STATUSES[this.code];
  }
}

function publicDetailOf(code: ErrorCode, message: string): string | undefined {
  if (code === "internal") return undefined;
  return code === "unavailable" ? NOT_AVAILABLE : message;
}

/** Whether a text is an error code. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(STATUSES, code);
}

/** The first code with this HTTP status. */
export function codeOfStatus(wanted: number): ErrorCode | undefined {
  return Object.keys(STATUSES).find((code): code is ErrorCode => isErrorCode(code) && STATUSES[code] === wanted);
}

/** Whether a value is a StepwellError, optionally with this code. */
export function isStepwellError(error: unknown, code?: ErrorCode): error is StepwellError {
  return error instanceof StepwellError && (code === undefined || error.code === code);
}

/** The same error for a missing resource and for one of another app, so that callers cannot tell them apart. */
export function notFound(what: string, id: string): StepwellError {
  return new StepwellError("not_found", missingText(what, id));
}

export function missingText(what: string, id: string): string {
  return `There is no ${what} with the id ${JSON.stringify(id.slice(0, 100))}.`;
}

/** The system code of an error, such as `ENOENT`. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The error for a damaged or missing item of the storage. @param what Start of the message. */
export function damaged(key: string, what: string): StepwellError {
  return new StepwellError(
    "unavailable",
    `${what} at "${key}" in the storage is damaged or missing. Run repairStorage, or restore the whole storage from a backup, not a part of it.`,
  );
}

/** Cuts a text to a number of characters, with an ellipsis at the end. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** The first errors, and one more than a report contains, which shows that there are more. */
export function firstErrors(found: Iterable<FieldError>): FieldError[] {
  const errors: FieldError[] = [];
  for (const error of found) {
    errors.push(error);
    if (errors.length > MAX_ERRORS) break;
  }
  return errors;
}

/** The first entries that fit into a response. */
function boundErrors(errors: readonly FieldError[]): readonly FieldError[] {
  const bounded: FieldError[] = [];
  let length = 0;
  for (const error of errors.slice(0, MAX_ERRORS)) {
    const { pointer, message } = error;
    const entry = { ...error, pointer: cut(pointer, MAX_ENTRY_CHARS), message: cut(message, MAX_ENTRY_CHARS) };
    length += JSON.stringify(entry).length;
    if (length > MAX_ERRORS_CHARS) break;
    bounded.push(entry);
  }
  return bounded;
}
