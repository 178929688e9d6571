/** The webhooks of an app and their signatures: set, rotated, removed and verified. */

import { listPage, marksOf, type PageQuery } from "../documents/documents.ts";
import type { Page } from "../documents/pagination.ts";
import { toBase64 } from "../encoding/base64.ts";
import { urlComponent } from "../encoding/url-component.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Secrets } from "../ports/secrets.ts";
import type { Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { DAY_SECONDS } from "../time/units.ts";
import type { HookDocument, HookSecret, SignatureForm } from "./hook.ts";
import { type Hooks, hookKey, hooksOf } from "./hook-registry.ts";
import { FORMS, SCHEMES, type Signed } from "./signature-schemes.ts";
import {
  type Hook,
  type HookSignature,
  type SignaturePut,
  type SignedHook,
  STANDARD_PREFIX,
} from "./signature-settings.ts";
import { verify } from "./verify-signature.ts";

export interface HooksQuery extends PageQuery {
  readonly workflow_id?: string | undefined;
}

export interface Signatures {
  list(appId: string, query: HooksQuery): Promise<Page<Hook>>;
  /** @throws StepwellError `not_found` */
  get(appId: string, hookId: string): Promise<Hook>;
  /**
   * Requires this signature from now on. Earlier secrets stay valid for a while.
   * @throws StepwellError `invalid` for a scheme that would sign nothing; `not_configured` if the option `secret` is not set
   */
  put(appId: string, hookId: string, input: SignaturePut): Promise<SignedHook>;
  /** Accepts unsigned requests again. */
  remove(appId: string, hookId: string): Promise<void>;
  /**
   * Verifies a delivery.
   * @returns The signature; null if the webhook accepts unsigned requests.
   * @throws StepwellError `signature_mismatch`; `not_configured` if the secret cannot be decrypted, or a body parser
   * consumed the body
   */
  check(hook: HookDocument, delivered: Delivered): Promise<VerifiedSignature | null>;
}

export interface Delivered extends Signed {
  readonly isBodyRebuilt: boolean;
}

export interface VerifiedSignature {
  readonly scheme: SignatureForm["scheme"];
  readonly signature: string;
}

/** The default of `overlap`. */
const DEFAULT_OVERLAP_SECONDS = DAY_SECONDS;
/** Secrets that are valid at the same time. Each costs work per delivery. The oldest is dropped. */
const MAX_SECRETS = 5;
const STANDARD_SECRET_BYTES = 32;
const SECRET_CHARS = 40;
/** Rejects even a rebuilt body with the same bytes: an error that occurs only sometimes is found too late. */
const REBUILT =
  "This webhook requires a signature, but a body parser consumed the body before Stepwell could verify it. Mount " +
  "Stepwell before the body parser, or keep the raw bytes: express.json({ verify: (request, _, bytes) => { " +
  "request.rawBody = bytes; } }).";

/** Binds a ciphertext to its webhook, so that it cannot be moved within the storage. */
const aboutOf = ({ app_id, id }: HookDocument) => JSON.stringify([app_id, "webhook", id]);

export function createSignatures(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  hash: Hash;
  secrets: Secrets;
  hooks: Hooks;
  baseUrl: string;
}): Signatures {
  const { store, clock, ids, hash, secrets, hooks, baseUrl } = parts;

  function validSecrets(hook: HookDocument): HookSecret[] {
    const now = instant(clock.now());
    return hook.secrets.filter(({ until }) => until === null || until > now);
  }

  function toHook({ secrets: _, ...hook }: HookDocument, [current, previous]: readonly HookSecret[]): Hook {
    const path = hook.path.split("/").map(urlComponent).join("/");
    const url = `${baseUrl}/public/apps/hooks/${hook.app_id}/${path}`;
    if (current === undefined) return { ...hook, url, signature: null };
    const { scheme, header, encoding, prefix, created_at } = current;
    const previous_until = previous?.until ?? null;
    const signature: HookSignature = { scheme, header, encoding, prefix, created_at, previous_until };
    return { ...hook, url, signature };
  }

  const view = (hook: HookDocument) => toHook(hook, validSecrets(hook));

  async function openSecret(hook: HookDocument, secret: HookSecret): Promise<string> {
    try {
      return await secrets.open(secret.sealed, aboutOf(hook));
    } catch (cause) {
      if (!isStepwellError(cause, "not_configured")) throw cause;
      // The log tells the host why. The sender must not learn it.
      throw new StepwellError("not_configured", "The signature cannot be verified at the moment. No run was started.", {
        cause,
      });
    }
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

    async put(appId, hookId, input) {
      const { overlap = DEFAULT_OVERLAP_SECONDS } = input;
      const now = clock.now();
      const ends = instant(now + overlap * 1_000);
      const secret = input.secret ?? generateSecret(input.scheme, ids);
      const hook = await hooks.sign(appId, hookId, async (before) => {
        refuseUnsigned(before, input);
        const sealed = await secrets.seal(secret, aboutOf(before));
        const current: HookSecret = { ...formOf(input), sealed, created_at: instant(now), until: null };
        const earlier = validSecrets(before).map(({ until, ...rest }) => ({
          ...rest,
          until: until !== null && until < ends ? until : ends,
        }));
        return [current, ...(overlap === 0 ? [] : earlier)].slice(0, MAX_SECRETS);
      });
      return { ...view(hook), ...omitUndefined({ secret: input.secret === undefined ? secret : undefined }) };
    },

    async remove(appId, hookId) {
      await hooks.sign(appId, hookId, () => []);
    },

    async check(hook, { isBodyRebuilt, ...signed }) {
      if (hook.secrets.length === 0) return null;
      if (isBodyRebuilt) throw new StepwellError("not_configured", REBUILT);
      const refusals: unknown[] = [];
      for (const secret of validSecrets(hook)) {
        const { scheme } = secret;
        const now = clock.now();
        try {
          return { scheme, signature: await verify(signed, secret, await openSecret(hook, secret), { now, hash }) };
        } catch (error) {
          if (!isStepwellError(error, "signature_mismatch")) throw error;
          refusals.push(error);
        }
      }
      throw refusals[0]; // the error for the current secret
    },
  };
}

function formOf(input: SignaturePut): SignatureForm {
  if (input.scheme !== "hmac-sha256") return { scheme: input.scheme, ...FORMS[input.scheme] };
  const { scheme, header, encoding = "hex", prefix = "" } = input;
  return { scheme, header, encoding, prefix };
}

/** A GET request has no body: a signature of the body alone would always be the same. */
function refuseUnsigned({ method }: HookDocument, { scheme }: SignaturePut): void {
  if (method !== "GET" || SCHEMES[scheme].isDated) return;
  const dated = Object.entries(SCHEMES).flatMap(([name, { isDated }]) => (isDated ? [name] : []));
  const message = `This scheme signs only the body, which a GET request does not have. Use ${dated.join(" or ")}.`;
  throw invalid([{ pointer: "/scheme", message }]);
}

function generateSecret(scheme: SignaturePut["scheme"], ids: Ids): string {
  if (scheme !== "standard-webhooks") return ids.random(SECRET_CHARS);
  return `${STANDARD_PREFIX}${toBase64(crypto.getRandomValues(new Uint8Array(STANDARD_SECRET_BYTES)))}`;
}
