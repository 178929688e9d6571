/** Whether an outgoing webhook sends events, and why not. */
import type { Webhook } from "../../../../src/webhooks/webhook.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { webhooks: texts } = useTexts();
  const format = useFormat();
  const { enabled, off_reason, failing_since } = webhook;
  return (
    <>
      {enabled || off_reason === null ? texts.on : texts.offReasons[off_reason]}
      {failing_since === null ? null : (
        <span className="failed-text"> {texts.failingSince(format.short(failing_since))}</span>
      )}
    </>
  );
}
