/** The earlier secrets of a webhook, with which requests are also signed for a while. Pure. */
import { StepwellError } from "../errors.ts";
import { instant } from "../time/iso.ts";
import { SECOND_MS } from "../time/units.ts";
import type { WebhookSecret } from "./webhook.ts";

/** Maximum number of earlier secrets that are valid. Each request is signed with all of them. */
const MAX_EARLIER_SECRETS = 5;

/**
 * The secrets that stay valid after a rotation.
 * @param overlap Seconds.
 * @throws StepwellError `conflict` if there are too many. None is dropped, because a receiver may still use it.
 */
export function earlierSecrets(stored: readonly WebhookSecret[], overlap: number, now: number): WebhookSecret[] {
  if (overlap === 0) return [];
  const ends = instant(now + overlap * SECOND_MS);
  const valid = stored.filter(({ until }) => until === null || until > instant(now));
  if (valid.length <= MAX_EARLIER_SECRETS) {
    return valid.map(({ encrypted, until }) => ({ encrypted, until: until !== null && until < ends ? until : ends }));
  }
  const [first] = valid.flatMap(({ until }) => until ?? []).sort();
  throw new StepwellError(
    "conflict",
    `Requests are already signed with ${MAX_EARLIER_SECRETS} earlier secrets, the limit. The first of them expires ` +
      `at ${first}. Rotate after that, or with "overlap": 0, which revokes all earlier secrets immediately.`,
  );
}
