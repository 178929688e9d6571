/** Encrypts stored secrets with WebCrypto, which every runtime has. */
import { fromBase64, toBase64 } from "../encoding/base64.ts";
import { StepwellError } from "../errors.ts";
import type { Encrypted, Secrets } from "../ports/secrets.ts";

interface Key {
  readonly id: string;
  readonly aes: CryptoKey;
}

/** The standard size for AES-GCM. Random nonces are safe for 2^32 messages under one key (NIST SP 800-38D §8.3). */
const NONCE_BYTES = 12;
const ID_BITS = 64;
const ENCRYPTION = bytesOf("stepwell credentials v1");
const FINGERPRINT = bytesOf("stepwell fingerprint v1");

/** @param secrets The first encrypts, all of them decrypt. */
export function createSecrets(secrets: readonly string[]): Secrets {
  // Derived when first needed, and only once.
  let derived: Promise<readonly Key[]> | undefined;
  const keys = () => {
    derived ??= Promise.all(secrets.map(keyOf));
    return derived;
  };

  return {
    async encrypt(text, boundTo) {
      const [key] = await keys();
      if (key === undefined) {
        const message = "Secrets are stored encrypted, but no encryption secret is configured.";
        throw new StepwellError("not_configured", `${message} Pass createStepwell({ secret }).`);
      }
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const data = await crypto.subtle.encrypt(algorithm(nonce, boundTo), key.aes, bytesOf(text));
      return { key: key.id, nonce: toBase64(nonce), data: toBase64(new Uint8Array(data)) };
    },

    async decrypt({ key: id, nonce, data }: Encrypted, boundTo) {
      const key = (await keys()).find((known) => known.id === id);
      if (key === undefined) {
        const given = secrets.length === 0 ? "no secret is configured" : "none of the configured secrets matches";
        const message = `They are encrypted with another secret: ${given}.`;
        throw new StepwellError(
          "not_configured",
          `${message} Add the old one: createStepwell({ secret: [new, old] }).`,
        );
      }
      try {
        const plain = await crypto.subtle.decrypt(algorithm(decodeOwned(nonce), boundTo), key.aes, decodeOwned(data));
        return new TextDecoder().decode(plain);
      } catch (cause) {
        throw new StepwellError("not_configured", "The ciphertext was modified in the storage.", {
          cause,
        });
      }
    },
  };
}

async function keyOf(secret: string): Promise<Key> {
  const material = await crypto.subtle.importKey("raw", bytesOf(secret), "HKDF", false, ["deriveKey", "deriveBits"]);
  const hkdf = (info: BufferSource) => ({ name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info });
  const aes = { name: "AES-GCM", length: 256 };
  const [id, key] = await Promise.all([
    crypto.subtle.deriveBits(hkdf(FINGERPRINT), material, ID_BITS),
    crypto.subtle.deriveKey(hkdf(ENCRYPTION), material, aes, false, ["encrypt", "decrypt"]),
  ]);
  return { id: toBase64(new Uint8Array(id)), aes: key };
}

const algorithm = (iv: BufferSource, boundTo: string) => ({ name: "AES-GCM", iv, additionalData: bytesOf(boundTo) });

function bytesOf(text: string) {
  return new TextEncoder().encode(text);
}

/** A copy with its own buffer, which WebCrypto requires. */
function decodeOwned(base64: string) {
  return new Uint8Array(fromBase64(base64));
}
