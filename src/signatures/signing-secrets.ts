/** Secrets for signed requests: sets, rotates, shows and verifies them. */
import { toBase64 } from "../encoding/base64.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Secrets } from "../ports/secrets.ts";
import { instant } from "../time/iso.ts";
import { DAY_SECONDS } from "../time/units.ts";
import { senderId } from "./sender-id.ts";
import type { SignatureForm, SigningSecret } from "./signature-form.ts";
import { FORMS, type RawRequest, SCHEMES } from "./signature-schemes.ts";
import { type HookSignature, type SignaturePut, STANDARD_PREFIX } from "./signature-settings.ts";
import { verifySignature } from "./verify-signature.ts";

export interface SigningSecrets {
  /** The secret to set: the one of the caller, or a generated one. */
  secretOf(input: SignaturePut): string;
  /**
   * Puts a secret in front of the others. Earlier ones stay valid for a while.
   * @param boundTo Binds the ciphertext to its owner, so that it cannot be moved within the storage.
   * @throws StepwellError `not_configured` if the option `secret` is not set
   */
  rotate(
    before: readonly SigningSecret[],
    input: SignaturePut,
    secret: string,
    boundTo: string,
  ): Promise<readonly SigningSecret[]>;
  /** The signature that requests must have; null if unsigned ones are accepted. */
  view(secrets: readonly SigningSecret[]): HookSignature | null;
  /**
   * Verifies a request with each valid secret, until one matches.
   * @returns The signature; null if unsigned requests are accepted.
   * @throws StepwellError `signature_mismatch`; `not_configured` if the secret cannot be decrypted, or a body parser consumed
   * the body
   */
  verifyWithSecrets(
    secrets: readonly SigningSecret[],
    boundTo: string,
    received: ReceivedRequest,
  ): Promise<VerifiedSignature | null>;
}

export interface ReceivedRequest extends RawRequest {
  readonly isBodyRebuilt: boolean;
}

export interface VerifiedSignature {
  readonly scheme: SignatureForm["scheme"];
  readonly signature: string;
}

/** The default of `overlap`. */
const DEFAULT_OVERLAP_SECONDS = DAY_SECONDS;
/** Secrets that are valid at the same time. Each costs work per request. The oldest is dropped. */
const MAX_SECRETS = 5;
const STANDARD_SECRET_BYTES = 32;
const SECRET_CHARS = 40;
/** Rejects even a rebuilt body with the same bytes. Otherwise, hosts would notice the mistake only when the bytes differ. */
const REBUILT_BODY_MESSAGE =
  "This URL requires a signature, but a body parser consumed the body before Stepwell could verify it. Mount " +
  "Stepwell before the body parser, or keep the raw bytes: express.json({ verify: (request, _, bytes) => { " +
  "request.rawBody = bytes; } }).";

export function createSigningSecrets(parts: { clock: Clock; ids: Ids; hash: Hash; secrets: Secrets }): SigningSecrets {
  const { clock, ids, hash, secrets: encryption } = parts;

  function valid(secrets: readonly SigningSecret[]): SigningSecret[] {
    const now = instant(clock.now());
    return secrets.filter(({ until }) => until === null || until > now);
  }

  async function open(secret: SigningSecret, boundTo: string): Promise<string> {
    try {
      return await encryption.decrypt(secret.encrypted, boundTo);
    } catch (cause) {
      if (!isStepwellError(cause, "not_configured")) throw cause;
      // The log tells the host why. The sender must not learn it.
      const message = "The signature cannot be verified at the moment. The request was not accepted.";
      throw new StepwellError("not_configured", message, { cause });
    }
  }

  return {
    secretOf: (input) => input.secret ?? generateSecret(input.scheme, ids),

    async rotate(before, input, secret, boundTo) {
      const { overlap = DEFAULT_OVERLAP_SECONDS } = input;
      const now = clock.now();
      const ends = instant(now + overlap * 1_000);
      const encrypted = await encryption.encrypt(secret, boundTo);
      const current: SigningSecret = { ...formOf(input), encrypted, created_at: instant(now), until: null };
      const earlier = valid(before).map(({ until, ...rest }) => ({
        ...rest,
        until: until !== null && until < ends ? until : ends,
      }));
      return [current, ...(overlap === 0 ? [] : earlier)].slice(0, MAX_SECRETS);
    },

    view(secrets) {
      const [current, previous] = valid(secrets);
      if (current === undefined) return null;
      const { scheme, header, encoding, prefix, created_at } = current;
      return { scheme, header, encoding, prefix, created_at, previous_until: previous?.until ?? null };
    },

    async verifyWithSecrets(secrets, boundTo, { isBodyRebuilt, ...signed }) {
      if (secrets.length === 0) return null;
      if (isBodyRebuilt) throw new StepwellError("not_configured", REBUILT_BODY_MESSAGE);
      const mismatches: unknown[] = [];
      for (const secret of valid(secrets)) {
        const { scheme } = secret;
        const now = clock.now();
        try {
          return {
            scheme,
            signature: await verifySignature(signed, secret, await open(secret, boundTo), { now, hash }),
          };
        } catch (error) {
          if (!isStepwellError(error, "signature_mismatch")) throw error;
          mismatches.push(error);
        }
      }
      throw mismatches[0]; // the error for the current secret
    },
  };
}

/**
 * Returns the id that a request shares with its repeats, or null if it has none. If it is signed, only a signed id counts: a replayed
 * request could carry any other.
 * @throws StepwellError `malformed` for an id that cannot be one
 */
export function requestId(verified: VerifiedSignature | null, request: RawRequest): string | null {
  if (verified !== null && SCHEMES[verified.scheme].hasTimestamp) {
    return SCHEMES[verified.scheme].idOf(request) ?? verified.signature;
  }
  return senderId(request.headers);
}

function formOf(input: SignaturePut): SignatureForm {
  if (input.scheme !== "hmac-sha256") return { scheme: input.scheme, ...FORMS[input.scheme] };
  const { scheme, header, encoding = "hex", prefix = "" } = input;
  return { scheme, header, encoding, prefix };
}

function generateSecret(scheme: SignaturePut["scheme"], ids: Ids): string {
  return scheme === "standard-webhooks" ? generateStandardSecret() : ids.random(SECRET_CHARS);
}

/** A new secret of Standard Webhooks. */
export function generateStandardSecret(): string {
  return `${STANDARD_PREFIX}${toBase64(crypto.getRandomValues(new Uint8Array(STANDARD_SECRET_BYTES)))}`;
}
