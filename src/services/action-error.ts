/** Errors with a code that actions throw. */
import { type ActionErrorDetails, boundedDetails } from "./error-details.ts";

const CODE = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Throw it from an action to give its error a code, which workflows can catch: `error.code == 'card_declined'`.
 *
 * @example
 * ```ts
 * throw new ActionError("card_declined", "The bank declined the card.");
 * ```
 */
export class ActionError extends Error {
  /** Always `ActionError`. */
  override readonly name = "ActionError";
  /** Error code that workflows can compare: 1 to 64 lowercase letters, digits and `_`, starting with a letter. */
  readonly code: string;
  /** Whether Stepwell retries the action. */
  readonly retryable: boolean;
  /** Milliseconds to wait before the next attempt. Undefined for the default backoff. */
  readonly retryAfterMs: number | undefined;
  /** Fields of `steps.KEY.error` besides `code` and `message`: up to 64 Ki characters of body and 16 Ki of headers. */
  readonly details: ActionErrorDetails | undefined;

  /** @throws TypeError for an invalid code */
  constructor(
    code: string,
    message: string,
    options: {
      /** Whether Stepwell retries the action. @default false */
      retryable?: boolean;
      /** Milliseconds to wait before the next attempt. @default the default backoff */
      retryAfterMs?: number | undefined;
      /** Fields of `steps.KEY.error` besides `code` and `message`. @default none */
      details?: ActionErrorDetails | undefined;
      /** The error that caused this one, for logs. */
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    if (!CODE.test(code)) {
      throw new TypeError(
        `${JSON.stringify(code)} is not a valid error code: it must be 1 to 64 lowercase letters, digits and "_".`,
      );
    }
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.details = options.details && boundedDetails(options.details);
  }
}
