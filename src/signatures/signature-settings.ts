/** Signature settings: what callers set, and what they can read back. */
import * as v from "valibot";
import { fromBase64 } from "../encoding/base64.ts";
import { secondsUpTo, strictObject } from "../schema.ts";
import { SIGNATURE_SCHEMES } from "./signature-form.ts";

/** Bytes of a key: 192 to 512 bits (Standard Webhooks, signature scheme). */
const STANDARD_KEY = { min: 24, max: 64 } as const;
export const STANDARD_PREFIX = "whsec_";

const standardSecret = v.pipe(
  v.string(),
  v.check(
    (secret) => isStandardKey(secret),
    `Must be whsec_ followed by ${STANDARD_KEY.min} to ${STANDARD_KEY.max} bytes in base64.`,
  ),
);
const text = v.pipe(
  v.string(),
  v.minLength(8, "Must have at least 8 characters."),
  v.maxLength(1_024, "Must have at most 1024 characters."),
  v.check((secret) => secret.trim() === secret, "Must not start or end with white space."),
);

const overlap = v.exactOptional(secondsUpTo(7, 0));

export const SignaturePut = v.variant("scheme", [
  strictObject({
    /**
     * `webhook-id`, `webhook-timestamp` and `webhook-signature` headers: https://www.standardwebhooks.com. The headers may
     * also begin with `svix-`.
     */
    scheme: v.literal("standard-webhooks"),
    /** Signing secret: `whsec_` followed by 24 to 64 bytes in base64. @default a generated secret, returned once */
    secret: v.exactOptional(standardSecret),
    /** Seconds for which earlier secrets stay valid, at most 604,800 (7 days). @default 86,400 (1 day) */
    overlap,
  }),
  strictObject({
    /** `X-Hub-Signature-256` header: HMAC-SHA256 of the body, in hex. */
    scheme: v.literal("github"),
    /** Signing secret, 8 to 1,024 characters. @default a generated secret, returned once */
    secret: v.exactOptional(text),
    /** Seconds for which earlier secrets stay valid, at most 604,800 (7 days). @default 86,400 (1 day) */
    overlap,
  }),
  strictObject({
    /** `Stripe-Signature` header: `t=…,v1=…`. */
    scheme: v.literal("stripe"),
    /** The signing secret that Stripe issued. */
    secret: text,
    /** Seconds for which earlier secrets stay valid, at most 604,800 (7 days). @default 86,400 (1 day) */
    overlap,
  }),
  strictObject({
    /** `X-Slack-Signature` and `X-Slack-Request-Timestamp` headers: `v0=…`. */
    scheme: v.literal("slack"),
    /** The signing secret of the Slack app. */
    secret: text,
    /** Seconds for which earlier secrets stay valid, at most 604,800 (7 days). @default 86,400 (1 day) */
    overlap,
  }),
  strictObject({
    /** HMAC-SHA256 of the body in a header of your choice: Shopify, Linear and most others. */
    scheme: v.literal("hmac-sha256"),
    /** Name of the header that contains the signature. */
    header: v.pipe(
      v.string(),
      v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/, "Must be a valid header name."),
      v.toLowerCase(),
    ),
    /** Encoding of the signature. @default hex */
    encoding: v.exactOptional(v.picklist(["hex", "base64"], "Must be hex or base64.")),
    /** Text before the signature, such as `sha256=`, at most 64 characters. @default none */
    prefix: v.exactOptional(
      v.pipe(v.string(), v.regex(/^([!-~]([ -~]*[!-~])?)?$/, "Must be printable ASCII."), v.maxLength(64)),
    ),
    /** Signing secret, 8 to 1,024 characters. @default a generated secret, returned once */
    secret: v.exactOptional(text),
    /** Seconds for which earlier secrets stay valid, at most 604,800 (7 days). @default 86,400 (1 day) */
    overlap,
  }),
]);
/** The signature that requests must have: scheme and secret. */
export type SignaturePut = v.InferOutput<typeof SignaturePut>;

export const HookSignature = v.object({
  /** Signature scheme. */
  scheme: v.picklist(SIGNATURE_SCHEMES),
  /** Name of the header that contains the signature. */
  header: v.string(),
  /** Encoding of the signature. */
  encoding: v.picklist(["hex", "base64"]),
  /** Text before the signature. */
  prefix: v.string(),
  /** When the secret was set, ISO 8601. */
  created_at: v.string(),
  /** When earlier secrets stop being valid, ISO 8601; null if none are. */
  previous_until: v.nullable(v.string()),
});
/** The signature that requests must have, without its secret. */
export interface HookSignature extends Readonly<v.InferOutput<typeof HookSignature>> {}

function isStandardKey(secret: string): boolean {
  try {
    const { length } = standardKey(secret);
    return length >= STANDARD_KEY.min && length <= STANDARD_KEY.max;
  } catch {
    return false;
  }
}

/** @throws DOMException for invalid base64 */
export function standardKey(secret: string): Uint8Array {
  return fromBase64(secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : secret);
}
