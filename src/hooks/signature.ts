/** What may be asked for the signature of an incoming webhook, and what is shown of it. The fields are ours. */
import * as v from "valibot";
import { fromBase64 } from "../encoding/base64.ts";
import { secondsUpTo, strictObject } from "../schema.ts";
import { SIGNATURE_SCHEMES } from "./hook.ts";

/** Standard Webhooks, signature scheme: 192 to 512 bits. */
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

/** Seconds for which secrets that were in force before go on to be taken. Left out, 86,400, which is a day. */
const overlap = v.exactOptional(secondsUpTo(7, 0));

/** A secret that is left out is generated, where the sender lets one choose it. */
export const SignaturePut = v.variant("scheme", [
  /** `webhook-id`, `webhook-timestamp`, `webhook-signature`: https://www.standardwebhooks.com */
  strictObject({ scheme: v.literal("standard-webhooks"), secret: v.exactOptional(standardSecret), overlap }),
  /** `X-Hub-Signature-256`: the body under HMAC-SHA256, in hex. */
  strictObject({ scheme: v.literal("github"), secret: v.exactOptional(text), overlap }),
  /** `Stripe-Signature: t=…,v1=…`. Stripe makes the secret. */
  strictObject({ scheme: v.literal("stripe"), secret: text, overlap }),
  /** The body under HMAC-SHA256 in any header: Shopify, Linear and most others. */
  strictObject({
    scheme: v.literal("hmac-sha256"),
    /** The header that the signature stands in. */
    header: v.pipe(
      v.string(),
      v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/, "Must be a valid header name."),
      v.toLowerCase(),
    ),
    /** Left out, hex. */
    encoding: v.exactOptional(v.picklist(["hex", "base64"], "Must be hex or base64.")),
    /** What stands in front of the signature, such as `sha256=`. Left out, nothing. */
    prefix: v.exactOptional(
      v.pipe(v.string(), v.regex(/^([!-~]([ -~]*[!-~])?)?$/, "Must be printable ASCII."), v.maxLength(64)),
    ),
    secret: v.exactOptional(text),
    overlap,
  }),
]);
export type SignaturePut = v.InferOutput<typeof SignaturePut>;

/** What is shown of a signature: never the secret. */
export const HookSignature = v.object({
  scheme: v.picklist(SIGNATURE_SCHEMES),
  /** The header that it is looked for in. */
  header: v.string(),
  encoding: v.picklist(["hex", "base64"]),
  prefix: v.string(),
  /** When its secret was set. */
  created_at: v.string(),
  /** Until when the secrets before it are taken as well; null for not at all. */
  previous_until: v.nullable(v.string()),
});
export interface HookSignature extends Readonly<v.InferOutput<typeof HookSignature>> {}

const hook = {
  /** `hook_…` */
  id: v.string(),
  app_id: v.string(),
  method: v.string(),
  /** Without slashes around it. */
  path: v.string(),
  /** Where to send to. */
  url: v.string(),
  /** Null while no deployed workflow has the address, which is there for its signature only. */
  workflow_id: v.nullable(v.string()),
  step_key: v.nullable(v.string()),
  /** Null where anyone may send. */
  signature: v.nullable(HookSignature),
  created_at: v.string(),
};

/** An address that starts runs, as the app sees it. */
export const Webhook = v.object(hook);
export interface Webhook extends Readonly<v.InferOutput<typeof Webhook>> {
  readonly signature: HookSignature | null;
}

/** The answer to a signature that was set; the only time that a generated secret is shown. */
export const SignedWebhook = v.object({
  ...hook,
  /** Only where it was generated. */
  secret: v.exactOptional(v.string()),
});
export interface SignedWebhook extends Readonly<v.InferOutput<typeof SignedWebhook>> {
  readonly signature: HookSignature | null;
}

function isStandardKey(secret: string): boolean {
  try {
    const { length } = standardKey(secret);
    return length >= STANDARD_KEY.min && length <= STANDARD_KEY.max;
  } catch {
    return false;
  }
}

/** @throws DOMException for what is not base64 */
export function standardKey(secret: string): Uint8Array {
  return fromBase64(secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : secret);
}
