/** Sends an event to a webhook with one signed request, and returns the outcome. */
import { cut, isStepwellError } from "../errors.ts";
import { retryAfterMs } from "../net/retry-after.ts";
import type { Clock } from "../ports/clock.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import type { Secrets } from "../ports/secrets.ts";
import { signStandard } from "../signatures/verify-signature.ts";
import { instant } from "../time/iso.ts";
import { elapsedOf } from "../time/system-clock.ts";
import { SECOND_MS } from "../time/units.ts";
import { unlessAborted } from "../time/unless-aborted.ts";
import type { WebhookDocument } from "./webhook.ts";
import type { WebhookAttempt } from "./webhook-delivery.ts";

export interface SentRequest {
  readonly attempt: WebhookAttempt;
  /** Milliseconds that `Retry-After` requests. */
  readonly retryAfter: number | undefined;
}

/** @param message The id and the JSON of the event. @throws The signal's reason if it aborts. */
export type SendEvent = (
  webhook: WebhookDocument,
  message: { readonly id: string; readonly json: string },
  signal: AbortSignal,
) => Promise<SentRequest>;

/** Time limit from the start of a request to the headers of its response. The body is not read. */
const TIMEOUT_MS = 15 * SECOND_MS;
const MAX_ERROR_CHARS = 500;

/** Binds a ciphertext to its webhook, so that it cannot be moved within the storage. */
export const boundTo = ({ app_id, id }: Pick<WebhookDocument, "app_id" | "id">) =>
  JSON.stringify([app_id, "outgoing webhook", id]);

export function createSendEvent(parts: { clock: Clock; fetch: GuardedFetch; secrets: Secrets }): SendEvent {
  const { clock, fetch, secrets } = parts;

  /** Signs with each valid secret, so that a receiver can verify with any of them. */
  async function signatures(webhook: WebhookDocument, message: Parameters<typeof signStandard>[1]): Promise<string> {
    const now = instant(clock.now());
    const valid = webhook.secrets.filter(({ until }) => until === null || until > now);
    const signed = valid.map(async ({ encrypted }) =>
      signStandard(await secrets.decrypt(encrypted, boundTo(webhook)), message),
    );
    return (await Promise.all(signed)).join(" ");
  }

  async function request(webhook: WebhookDocument, { id, json }: { id: string; json: string }, signal: AbortSignal) {
    const body = new TextEncoder().encode(json);
    const timestamp = String(Math.floor(clock.now() / SECOND_MS));
    const signature = await signatures(webhook, { id, timestamp, body });
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signature,
    };
    const limits = { timeoutMs: TIMEOUT_MS, maxRedirects: 0, maxBytes: Number.MAX_SAFE_INTEGER };
    const response = await fetch(webhook.url, { method: "POST", headers, body, signal, ...limits });
    response.body?.cancel().catch(() => undefined); // only the status and the headers are used
    return response;
  }

  return async (webhook, message, signal) => {
    const late = new AbortController();
    const cancelTimer = clock.after(TIMEOUT_MS, () => late.abort());
    const begun = elapsedOf(clock);
    const at = instant(clock.now());
    const attempt = (status: number | null, error: string | null): WebhookAttempt => ({
      ...{ at, duration_ms: Math.round(elapsedOf(clock) - begun), status, error },
    });
    try {
      const ended = AbortSignal.any([signal, late.signal]);
      // The option `fetch` of the host may ignore the signal.
      const { status, ok, headers } = await unlessAborted(request(webhook, message, ended), ended);
      const retryAfter = retryAfterMs(headers.get("retry-after"), clock.now());
      return { attempt: attempt(status, ok ? null : `The response has the status ${status}.`), retryAfter };
    } catch (error) {
      signal.throwIfAborted();
      const reason = late.signal.aborted
        ? `There was no response within ${TIMEOUT_MS / SECOND_MS} seconds.`
        : textOf(error);
      return { attempt: attempt(null, cut(reason, MAX_ERROR_CHARS)), retryAfter: undefined };
    } finally {
      cancelTimer();
    }
  };
}

function textOf(error: unknown): string {
  return (isStepwellError(error) ? error.publicDetail : undefined) ?? "The request failed.";
}
