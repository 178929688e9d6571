/** Why a model gave no answer: what may pass, what the provider says of it, and nothing that is secret. */
import { isTransientStatus } from "../../src/net/transient-status.ts";
import { ModelError } from "../../src/ports/models.ts";

type Sdk = typeof import("ai");

/** Characters of a provider's own words that are told. */
const MAX_EXCERPT_CHARS = 500;
/** Transient answers of providers beside those of HTTP: OpenAI's lock timeout, Anthropic's "overloaded". */
const TRANSIENT_STATUSES = new Set([409, 529]);
/** What looks like a credential: a provider may repeat what it was sent. */
const BEARER = /\bbearer\s+\S+/gi;
const KEY = /\b(?:(?:sk|pk|rk|key|api|token|gsk|xai)[-_]|AIza)[\w.-]+/gi;
/** Characters; shorter ones are words such as "api_key". */
const MIN_KEY_LENGTH = 9;

export function asModelError(error: unknown, provider: string, sdk: Sdk): ModelError {
  if (error instanceof ModelError) return error;
  if (sdk.APICallError.isInstance(error)) return refusedError(error, provider);
  if (sdk.AISDKError.isInstance(error)) {
    const isNonsense =
      sdk.JSONParseError.isInstance(error) ||
      sdk.TypeValidationError.isInstance(error) ||
      sdk.InvalidResponseDataError.isInstance(error) ||
      sdk.EmptyResponseBodyError.isInstance(error) ||
      sdk.NoContentGeneratedError.isInstance(error) ||
      sdk.NoOutputGeneratedError.isInstance(error);
    const what = isNonsense ? "returned an invalid response" : "could not be called";
    return new ModelError(`${provider} ${what}: ${safeExcerpt(error.message)}`, { retryable: isNonsense });
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
    // Such answers like to repeat the key that they refuse.
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
    .replaceAll(KEY, (key) => (key.length < MIN_KEY_LENGTH ? key : "[hidden]"));
  return safe.length > MAX_EXCERPT_CHARS ? `${safe.slice(0, MAX_EXCERPT_CHARS)}…` : safe;
}

function textOf(error: unknown): string {
  // A stream may also give the error of the provider as it came: an object.
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  return typeof message === "string" ? message : "no reason given";
}
