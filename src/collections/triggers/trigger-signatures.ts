/** Sets, rotates, removes and returns the signature settings of triggers. receive-events.ts verifies requests. */
import * as v from "valibot";
import { updateDocument } from "../../documents/documents.ts";
import { notFound } from "../../errors.ts";
import { omitUndefined } from "../../json.ts";
import type { Store } from "../../ports/store.ts";
import type { SigningSecret } from "../../signatures/signature-form.ts";
import { HookSignature, type SignaturePut } from "../../signatures/signature-settings.ts";
import type { SigningSecrets } from "../../signatures/signing-secrets.ts";
import { type FindTrigger, requireTrigger, type TriggerRef } from "./find-trigger.ts";
import { boundTo, stateChange, type TriggerState, triggerKey } from "./trigger-state.ts";

export const TriggerSignature = v.object({
  /** Trigger that the URL belongs to. */
  trigger_id: v.string(),
  /** URL to send events to. */
  url: v.string(),
  /** Signature that requests must have; null if the trigger accepts unsigned requests. */
  signature: v.nullable(HookSignature),
  /** The secret, if Stepwell has just generated it. Only this call returns it. */
  secret: v.exactOptional(v.string()),
});
/** The URL of a trigger, and the signature that requests to it must have. */
export interface TriggerSignature extends Readonly<v.InferOutput<typeof TriggerSignature>> {
  /** Signature that requests must have; null if the trigger accepts unsigned requests. */
  readonly signature: HookSignature | null;
}

/** All functions throw StepwellError `not_found`, including for a deleted collection. */
export interface TriggerSignatures {
  get(at: TriggerRef): Promise<TriggerSignature>;
  /**
   * Requires this signature from now on. Earlier secrets stay valid for a while.
   * @throws StepwellError `not_configured` if the option `secret` is not set
   */
  put(at: TriggerRef, input: SignaturePut): Promise<TriggerSignature>;
  /** Accepts unsigned requests again. */
  remove(at: TriggerRef): Promise<void>;
}

export function createTriggerSignatures(parts: {
  store: Store;
  find: FindTrigger;
  signing: Pick<SigningSecrets, "secretOf" | "rotate" | "view">;
  baseUrl: string;
}): TriggerSignatures {
  const { store, find, signing, baseUrl } = parts;

  function view({ id, secrets }: TriggerState): TriggerSignature {
    return { trigger_id: id, url: `${baseUrl}/public/apps/triggers/${id}/events`, signature: signing.view(secrets) };
  }

  async function change(
    at: TriggerRef,
    decide: (state: TriggerState) => Promise<readonly SigningSecret[]> | readonly SigningSecret[],
  ): Promise<TriggerSignature> {
    await requireTrigger(find, at);
    return updateDocument<TriggerState, TriggerSignature>(store, triggerKey(at.trigger_id), async (found) => {
      if (found === null) throw notFound("trigger", at.trigger_id);
      const state = { ...found.document, secrets: await decide(found.document) };
      return { changes: [stateChange(state, found.version)], result: view(state) };
    });
  }

  return {
    get: async (at) => view((await requireTrigger(find, at)).state.document),

    async put(at, input) {
      const secret = signing.secretOf(input);
      const signed = await change(at, (state) => signing.rotate(state.secrets, input, secret, boundTo(state)));
      return { ...signed, ...omitUndefined({ secret: input.secret === undefined ? secret : undefined }) };
    },

    async remove(at) {
      await change(at, () => []);
    },
  };
}
