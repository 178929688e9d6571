/** Converts errors of models: detects transient ones, quotes the provider's message, and hides secrets. */
import { isTransientStatus } from "../../src/net/transient-status.ts";
import { ModelError } from "../../src/ports/models.ts";

type Sdk = typeof import("ai");

/** Maximum length of a quoted provider message, in characters. */
const MAX_EXCERPT_CHARS = 500;
/** Additional transient statuses: OpenAI's lock timeout and Anthropic's "overloaded". */
const TRANSIENT_STATUSES = new Set([409, 529]);
/** Patterns of credentials, because providers may repeat what they received. */
const BEARER = /\bbearer\s+\S+/gi;
const KEY = /\b(?:(?:sk|pk|rk|key|api|token|gsk|xai)[-_]|AIza)[\w.-]+/gi;
/** Minimum length of a key in characters. Shorter matches are words such as "api_key". */
const MIN_KEY_CHARS = 9;

export function asModelError(error: unknown, provider: string, sdk: Sdk): ModelError {
  if (error instanceof ModelError) return error;
  if (sdk.APICallError.isInstance(error)) return refusedError(error, provider);
  if (sdk.AISDKError.isInstance(error)) {
    const isInvalidResponse =
      sdk.JSONParseError.isInstance(error) ||
      sdk.TypeValidationError.isInstance(error) ||
      sdk.InvalidResponseDataError.isInstance(error) ||
      sdk.EmptyResponseBodyError.isInstance(error) ||
      sdk.NoContentGeneratedError.isInstance(error) ||
      sdk.NoOutputGeneratedError.isInstance(error);
    const what = isInvalidResponse ? "returned an invalid response" : "could not be called";
    return new ModelError(`${provider} ${what}: ${safeExcerpt(error.message)}`, { retryable: isInvalidResponse });
  }
  return new ModelError(`The connection to ${provider} was lost: ${safeExcerpt(textOf(error))}`, { retryable: true });
}

function refusedError(error: InstanceType<Sdk["APICallError"]>, provider: string): ModelError {
  const { statusCode: status, responseHeaders, message } = error;
  const retry_after = responseHeaders?.["retry-after"] ?? null;
  if (status === undefined)
    return new ModelError(`${provider} is unreachable: ${safeExcerpt(message)}`, { retryable: true });
  if (status < 300) {
    return new ModelError(`${provider} returned an invalid response: ${safeExcerpt(message)}`, {
      retryable: true,
    });
  }
  if (status === 401 || status === 403) {
    // Such responses often contain the rejected key.
    return new ModelError(`${provider} responded with ${status}: it rejected the configured credentials.`);
  }
  return new ModelError(`${provider} responded with ${status}: ${safeExcerpt(message)}`, {
    retryable: isTransientStatus(status) || TRANSIENT_STATUSES.has(status),
    retry_after,
  });
}

function safeExcerpt(message: string): string {
  const safe = message
    .replaceAll(BEARER, "[hidden]")
    .replaceAll(KEY, (key) => (key.length < MIN_KEY_CHARS ? key : "[hidden]"));
  return safe.length > MAX_EXCERPT_CHARS ? `${safe.slice(0, MAX_EXCERPT_CHARS)}…` : safe;
}

function textOf(error: unknown): string {
  // A stream may yield the provider's original error, which is a plain object.
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  return typeof message === "string" ? message : "no reason given";
}
