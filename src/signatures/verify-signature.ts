/** Verifies the signature of an incoming request, and signs what Stepwell sends. */
import { toBase64 } from "../encoding/base64.ts";
import { concatBytes } from "../encoding/bytes.ts";
import type { Hash } from "../ports/hash.ts";
import type { SignatureForm } from "./signature-form.ts";
import { FORMS, type RawRequest, SCHEMES, signatureMismatch } from "./signature-schemes.ts";
import { standardKey } from "./signature-settings.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

/**
 * Verifies the signature of the bytes as received, in constant time.
 * @param now Milliseconds since 1970.
 * @returns The expected signature.
 * @throws StepwellError `signature_mismatch`
 */
export async function verifySignature(
  signed: RawRequest,
  form: SignatureForm,
  secret: string,
  { now, hash }: { now: number; hash: Hash },
): Promise<string> {
  const scheme = SCHEMES[form.scheme];
  const { header, content, signatures } = scheme.readSigned(signed, form, now);
  const expected = encode(await hmac(scheme.key(secret), content), form.encoding);
  for (const given of signatures) {
    if (hash.equal(form.encoding === "hex" ? given.toLowerCase() : given, expected)) return expected;
  }
  throw signatureMismatch(`The signature in the header ${header} does not match the request`);
}

/** Signs an outgoing message as Standard Webhooks specifies. @param message.timestamp Seconds since 1970. */
export async function signStandard(
  secret: string,
  { id, timestamp, body }: { readonly id: string; readonly timestamp: string; readonly body: Uint8Array },
): Promise<string> {
  const { header: _, encoding, prefix } = FORMS["standard-webhooks"];
  const content = [new TextEncoder().encode(`${id}.${timestamp}.`), body];
  return prefix + encode(await hmac(standardKey(secret), content), encoding);
}

async function hmac(key: Uint8Array, content: readonly Uint8Array[]): Promise<Uint8Array> {
  // A copy with its own buffer, which WebCrypto requires.
  const imported = await crypto.subtle.importKey("raw", new Uint8Array(key), HMAC, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, concatBytes(content)));
}

function encode(bytes: Uint8Array, encoding: SignatureForm["encoding"]): string {
  if (encoding === "base64") return toBase64(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
