/** The id that the sender of a request gives it, by which repeats are recognized. */
import { checkedIdempotencyKey } from "../calls/path-params.ts";

/** Standard Webhooks, IETF draft, GitHub. */
const HEADERS = ["webhook-id", "idempotency-key", "x-github-delivery"] as const;

/** @throws StepwellError `malformed` for an id that cannot be one */
export function senderId(headers: Headers): string | null {
  for (const name of HEADERS) {
    const value = headers.get(name);
    if (value !== null) return checkedIdempotencyKey(name, value);
  }
  return null;
}
