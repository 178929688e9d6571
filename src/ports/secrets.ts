/** Encrypts texts, so that the storage reveals nothing about them without a secret. */

/** An encrypted text as plain JSON. */
export interface Encrypted {
  /** Fingerprint of the secret. Doesn't reveal anything about it. */
  readonly key: string;
  /** 96 random bits in base64, new for every text. */
  readonly nonce: string;
  /** Base64. */
  readonly data: string;
}

/**
 * Encrypts with AES-256-GCM and a key derived from the option `secret`. If there are several secrets, the first
 * encrypts and all decrypt.
 */
export interface Secrets {
  /**
   * @param boundTo What the text belongs to. It can only be decrypted with the same value.
   * @throws StepwellError `not_configured` if the option `secret` is not set.
   */
  encrypt(text: string, boundTo: string): Promise<Encrypted>;
  /**
   * @throws StepwellError `not_configured` if the secret is unknown, the data was modified, or `boundTo` differs.
   */
  decrypt(encrypted: Encrypted, boundTo: string): Promise<string>;
}
