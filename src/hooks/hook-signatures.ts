/** The hooks of an app and their signatures: set, rotated, removed and verified. */

import { listPage, marksOf, type PageQuery } from "../documents/documents.ts";
import type { Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { urlComponent } from "../encoding/url-component.ts";
import { omitUndefined } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Store } from "../ports/store.ts";
import { SCHEMES } from "../signatures/signature-schemes.ts";
import type { SignaturePut } from "../signatures/signature-settings.ts";
import type { ReceivedRequest, SigningSecrets, VerifiedSignature } from "../signatures/signing-secrets.ts";
import type { HookDocument } from "./hook.ts";
import { type Hooks, hookKey, hooksOf } from "./hook-registry.ts";
import type { Hook, HookCreate, SignedHook } from "./hook-view.ts";

export interface HooksQuery extends PageQuery {
  readonly workflow_id?: string | undefined;
}

export interface HookSignatures {
  list(appId: string, query: HooksQuery): Promise<Page<Hook>>;
  /** @throws StepwellError `not_found` */
  get(appId: string, hookId: string): Promise<Hook>;
  /**
   * Creates a hook before a workflow has it, so that it never accepts unsigned requests.
   * @throws StepwellError `invalid` for a path that no request can have, or a scheme that would sign nothing; `conflict` if
   * the hook exists; `not_configured` if the option `secret` is not set
   */
  create(appId: string, input: HookCreate, receipt: Receipt): Promise<SignedHook>;
  /**
   * Requires this signature from now on. Earlier secrets stay valid for a while.
   * @throws StepwellError `invalid` for a scheme that would sign nothing; `not_configured` if the option `secret` is not set
   */
  put(appId: string, hookId: string, input: SignaturePut): Promise<SignedHook>;
  /** Accepts unsigned requests again. */
  remove(appId: string, hookId: string): Promise<void>;
  /**
   * Verifies a request.
   * @returns The signature; null if the hook accepts unsigned requests.
   * @throws StepwellError `signature_mismatch`; `not_configured` if the secret cannot be decrypted, or a body parser
   * consumed the body
   */
  verifyHookRequest(hook: HookDocument, received: ReceivedRequest): Promise<VerifiedSignature | null>;
}

/** Binds a ciphertext to its hook, so that it cannot be moved within the storage. */
const boundTo = ({ app_id, id }: HookDocument) => JSON.stringify([app_id, "webhook", id]);

export function createHookSignatures(parts: {
  store: Store;
  signing: SigningSecrets;
  hooks: Hooks;
  baseUrl: string;
}): HookSignatures {
  const { store, signing, hooks, baseUrl } = parts;

  function view({ secrets, ...hook }: HookDocument): Hook {
    const path = hook.path.split("/").map(urlComponent).join("/");
    const url = `${baseUrl}/public/apps/hooks/${hook.app_id}/${path}`;
    return { ...hook, url, signature: signing.view(secrets) };
  }

  return {
    list: (appId, { workflow_id, ...query }) =>
      listPage<HookDocument, Hook>(
        store,
        hooksOf(appId),
        { ...query, marks: marksOf("workflow", workflow_id) },
        hookKey,
        view,
      ),

    get: async (appId, hookId) => view(await hooks.get(appId, hookId)),

    async create(appId, { signature: input, ...at }, receipt) {
      refuseBodyOnlyScheme(at, input, "/signature/scheme");
      const secret = signing.secretOf(input);
      const signed = (hook: HookDocument): SignedHook => ({ ...view(hook), ...shownSecret(input, secret) });
      const secretsOf = (hook: HookDocument) => signing.rotate([], input, secret, boundTo(hook));
      return signed(await hooks.create(appId, at, secretsOf, (hook) => receipt(signed(hook))));
    },

    async put(appId, hookId, input) {
      const secret = signing.secretOf(input);
      const hook = await hooks.sign(appId, hookId, (before) => {
        refuseBodyOnlyScheme(before, input, "/scheme");
        return signing.rotate(before.secrets, input, secret, boundTo(before));
      });
      return { ...view(hook), ...shownSecret(input, secret) };
    },

    async remove(appId, hookId) {
      await hooks.sign(appId, hookId, () => []);
    },

    verifyHookRequest: (hook, received) => signing.verifyWithSecrets(hook.secrets, boundTo(hook), received),
  };
}

/** Only a generated secret is new to the caller. */
const shownSecret = (input: SignaturePut, secret: string) =>
  omitUndefined({ secret: input.secret === undefined ? secret : undefined });

/** A GET request has no body: a signature of the body alone would always be the same. */
function refuseBodyOnlyScheme(
  { method }: Pick<HookDocument, "method">,
  { scheme }: SignaturePut,
  pointer: string,
): void {
  if (method !== "GET" || SCHEMES[scheme].hasTimestamp) return;
  const timestamped = Object.entries(SCHEMES).flatMap(([name, { hasTimestamp }]) => (hasTimestamp ? [name] : []));
  const message = `This scheme signs only the body, which a GET request does not have. Use ${timestamped.join(" or ")}.`;
  throw invalid([{ pointer, message }]);
}
