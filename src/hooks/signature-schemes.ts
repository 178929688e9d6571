/** How senders sign: for each scheme what is signed, where the signatures stand, and what a delivery is known by. Pure. */
import { StepwellError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { SignatureForm, SignatureScheme } from "./hook.ts";
import { standardKey } from "./signature.ts";

/** What came, before anything is read from it. */
export interface Signed {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** What a signature is of, and the signatures that were sent: one that is right is enough. */
export interface Claim {
  readonly content: readonly Uint8Array[];
  readonly signatures: readonly string[];
}

export interface Scheme {
  /** The key in the secret. */
  key(secret: string): Uint8Array;
  /**
   * @param now Milliseconds.
   * @throws StepwellError `signature_mismatch` where there is nothing to compare
   */
  claim(signed: Signed, form: SignatureForm, now: number): Claim;
  /** Whether it says when, so that what was overheard is of no use later, also where there is no body. */
  readonly isDated: boolean;
  /** The sender's name for a delivery, of what is signed; null where that has none. */
  idOf(headers: Headers, values: JsonObject): string | null;
}

/** Seconds that the clocks of sender and receiver may differ: Standard Webhooks and Stripe both use five minutes. */
const TOLERANCE = 5 * 60;
const utf8 = (text: string) => new TextEncoder().encode(text);

const bodyOnly: Scheme = {
  key: utf8,
  isDated: false,
  claim({ headers, body }, { header, prefix }) {
    const given = required(headers, header);
    if (!given.startsWith(prefix)) throw refused(`The header ${header} must start with ${prefix}`);
    return { content: [body], signatures: [given.slice(prefix.length)] };
  },
  idOf: () => null,
};

export const SCHEMES: Readonly<Record<SignatureScheme, Scheme>> = {
  "standard-webhooks": {
    key: standardKey,
    isDated: true,
    claim({ headers, body }, { header, prefix }, now) {
      const id = single(headers, "webhook-id");
      const timestamp = single(headers, "webhook-timestamp");
      const given = single(headers, header);
      checkTime(timestamp, now);
      const signatures = given.split(" ").filter((one) => one.startsWith(prefix));
      return {
        content: [utf8(`${id}.${timestamp}.`), body],
        signatures: signatures.map((one) => one.slice(prefix.length)),
      };
    },
    idOf: (headers) => headers.get("webhook-id"),
  },
  stripe: {
    key: utf8,
    isDated: true,
    claim({ headers, body }, { header, prefix }, now) {
      const parts = single(headers, header).split(",");
      const [timestamp, ...others] = parts.filter((part) => part.startsWith("t=")).map((part) => part.slice(2));
      if (timestamp === undefined || others.length > 0)
        throw refused(`The header ${header} must contain one t= timestamp`);
      checkTime(timestamp, now);
      const signatures = parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length));
      return { content: [utf8(`${timestamp}.`), body], signatures };
    },
    // What is sent again is signed anew, with another time: it is the event that stays the same.
    idOf: (_, { id }) => (typeof id === "string" ? id : null),
  },
  github: bodyOnly,
  "hmac-sha256": bodyOnly,
};

/** Where the schemes that leave no choice have their signature. */
export const FORMS: Readonly<Record<Exclude<SignatureScheme, "hmac-sha256">, Omit<SignatureForm, "scheme">>> = {
  "standard-webhooks": { header: "webhook-signature", encoding: "base64", prefix: "v1," },
  github: { header: "x-hub-signature-256", encoding: "hex", prefix: "sha256=" },
  stripe: { header: "stripe-signature", encoding: "hex", prefix: "v1=" },
};

/** RFC 9110 wants a challenge with every 401; there is none registered for this. */
const CHALLENGE = { "www-authenticate": 'Signature realm="stepwell"' };

export function refused(reason: string): StepwellError {
  return new StepwellError("signature_mismatch", `${reason}. No run was started.`, { headers: CHALLENGE });
}

function required(headers: Headers, name: string): string {
  const value = headers.get(name);
  if (value === null || value === "")
    throw refused(`This webhook requires a signature, but the header ${name} is missing`);
  return value;
}

/** Headers that are sent several times are joined by a comma and a space, which none of these holds. */
function single(headers: Headers, name: string): string {
  const value = required(headers, name);
  if (/,\s/.test(value)) throw refused(`The header ${name} must be sent once`);
  return value;
}

function checkTime(timestamp: string, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw refused("The timestamp of the signature must be in whole seconds since 1970");
  if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE) {
    throw refused(`The timestamp of the signature is more than ${TOLERANCE / 60} minutes from the current time`);
  }
}
