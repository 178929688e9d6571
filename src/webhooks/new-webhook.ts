/** A new webhook with its first secret. */
import type { Secrets } from "../ports/secrets.ts";
import { generateStandardSecret } from "../signatures/signing-secrets.ts";
import { boundTo } from "./send-event.ts";
import type { WebhookCreate, WebhookDocument } from "./webhook.ts";

export interface NewWebhook {
  readonly document: WebhookDocument;
  readonly secret: string;
}

/** @throws StepwellError `not_configured` if the option `secret` is not set */
export async function newWebhook(
  secrets: Pick<Secrets, "encrypt">,
  given: WebhookCreate & { readonly id: string; readonly app_id: string },
  isEnabled: boolean,
  now: string,
): Promise<NewWebhook> {
  const { id, app_id, url, events, collection_id = null, workflow_id = null } = given;
  const secret = generateStandardSecret();
  const document: WebhookDocument = {
    ...{ id, app_id, url, events, collection_id, workflow_id },
    ...{ enabled: isEnabled, off_reason: isEnabled ? null : "paused" },
    ...{ failing_since: null, catch_up: null, created_at: now, updated_at: now },
    secrets: [{ encrypted: await secrets.encrypt(secret, boundTo({ id, app_id })), until: null }],
  };
  return { document, secret };
}
