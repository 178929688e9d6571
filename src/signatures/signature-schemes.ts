/** Signature schemes: what is signed, where the signatures are, and what identifies an incoming request. Pure. */
import { StepwellError } from "../errors.ts";
import { parseObject } from "../json.ts";
import type { SignatureForm, SignatureScheme } from "./signature-form.ts";
import { standardKey } from "./signature-settings.ts";

/** A request, before anything is parsed. */
export interface RawRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** The signed content, and the signatures in the request, of which one must match. */
export interface SignedContent {
  /** The header that contains the signatures. */
  readonly header: string;
  readonly content: readonly Uint8Array[];
  readonly signatures: readonly string[];
}

export interface Scheme {
  /** The key that a secret contains. */
  key(secret: string): Uint8Array;
  /**
   * @param now Milliseconds since 1970.
   * @throws StepwellError `signature_mismatch` if the request has no signature to compare
   */
  readSigned(signed: RawRequest, form: SignatureForm, now: number): SignedContent;
  /** Whether the signature covers a timestamp, which prevents replays, including those of requests without a body. */
  readonly hasTimestamp: boolean;
  /** The signed id of a request; null if there is none. Must not depend on what the signature does not cover. */
  idOf(signed: RawRequest): string | null;
}

/** Seconds that the clocks of sender and receiver may differ. Standard Webhooks and Stripe use five minutes. */
const TOLERANCE_SECONDS = 5 * 60;
const utf8 = (text: string) => new TextEncoder().encode(text);

const bodyOnly: Scheme = {
  key: utf8,
  hasTimestamp: false,
  readSigned({ headers, body }, { header, prefix }) {
    const given = requiredHeader(headers, header);
    if (!given.startsWith(prefix)) throw signatureMismatch(`The header ${header} must start with ${prefix}`);
    return { header, content: [body], signatures: [given.slice(prefix.length)] };
  },
  idOf: () => null,
};

export const SCHEMES: Readonly<Record<SignatureScheme, Scheme>> = {
  "standard-webhooks": {
    key: standardKey,
    hasTimestamp: true,
    readSigned({ headers, body }, { prefix }, now) {
      const names = standardHeaders(headers);
      const id = singleHeader(headers, names.id);
      const timestamp = singleHeader(headers, names.timestamp);
      const given = singleHeader(headers, names.signature);
      checkTime(timestamp, now);
      const signatures = given.split(" ").filter((one) => one.startsWith(prefix));
      return {
        header: names.signature,
        content: [utf8(`${id}.${timestamp}.`), body],
        signatures: signatures.map((one) => one.slice(prefix.length)),
      };
    },
    idOf: ({ headers }) => headers.get(standardHeaders(headers).id),
  },
  stripe: {
    key: utf8,
    hasTimestamp: true,
    readSigned({ headers, body }, { header, prefix }, now) {
      const parts = singleHeader(headers, header).split(",");
      const [timestamp, ...others] = parts.filter((part) => part.startsWith("t=")).map((part) => part.slice(2));
      if (timestamp === undefined || others.length > 0)
        throw signatureMismatch(`The header ${header} must contain one t= timestamp`);
      checkTime(timestamp, now);
      const signatures = parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length));
      return { header, content: [utf8(`${timestamp}.`), body], signatures };
    },
    // Stripe signs a repeated request again, with another time. Only the id of the event stays the same.
    idOf: ({ body }) => idIn(body, "id"),
  },
  slack: {
    key: utf8,
    hasTimestamp: true,
    readSigned({ headers, body }, { header, prefix }, now) {
      const timestamp = singleHeader(headers, "x-slack-request-timestamp");
      const given = singleHeader(headers, header);
      checkTime(timestamp, now);
      if (!given.startsWith(prefix)) throw signatureMismatch(`The header ${header} must start with ${prefix}`);
      return { header, content: [utf8(`v0:${timestamp}:`), body], signatures: [given.slice(prefix.length)] };
    },
    // Slack signs a repeated event again, with another time. Commands and interactions have no id and are not repeated.
    idOf: ({ body }) => idIn(body, "event_id"),
  },
  github: bodyOnly,
  "hmac-sha256": bodyOnly,
};

/** The signature formats of the schemes that fix them. */
export const FORMS: Readonly<Record<Exclude<SignatureScheme, "hmac-sha256">, Omit<SignatureForm, "scheme">>> = {
  "standard-webhooks": { header: "webhook-signature", encoding: "base64", prefix: "v1," },
  github: { header: "x-hub-signature-256", encoding: "hex", prefix: "sha256=" },
  stripe: { header: "stripe-signature", encoding: "hex", prefix: "v1=" },
  slack: { header: "x-slack-signature", encoding: "hex", prefix: "v0=" },
};

/** The headers of Standard Webhooks. Svix, where they come from, still sends them under its own name. */
function standardHeaders(headers: Headers) {
  const name = !headers.has("webhook-signature") && headers.has("svix-signature") ? "svix" : "webhook";
  return { id: `${name}-id`, timestamp: `${name}-timestamp`, signature: `${name}-signature` };
}

/** A member of the body as JSON, whatever its Content-Type: no signature covers that. */
function idIn(body: Uint8Array, name: string): string | null {
  const id = parseObject(new TextDecoder().decode(body))?.[name];
  return typeof id === "string" && id !== "" ? id : null;
}

/** RFC 9110 requires a challenge with every 401. None is registered for signatures. */
const CHALLENGE = { "www-authenticate": 'Signature realm="stepwell"' };

export function signatureMismatch(reason: string): StepwellError {
  return new StepwellError("signature_mismatch", `${reason}. The request was not accepted.`, { headers: CHALLENGE });
}

function requiredHeader(headers: Headers, name: string): string {
  const value = headers.get(name);
  if (value === null || value === "")
    throw signatureMismatch(`This URL requires a signature, but the header ${name} is missing`);
  return value;
}

/** Repeated headers are joined by a comma and a space, which none of these values contains. */
function singleHeader(headers: Headers, name: string): string {
  const value = requiredHeader(headers, name);
  if (/,\s/.test(value)) throw signatureMismatch(`The header ${name} must be sent once`);
  return value;
}

function checkTime(timestamp: string, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw signatureMismatch("The timestamp of the signature must be in whole seconds since 1970");
  if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw signatureMismatch(
      `The timestamp of the signature is more than ${TOLERANCE_SECONDS / 60} minutes from the current time`,
    );
  }
}
