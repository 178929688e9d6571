/** Texts that are kept encrypted: what is in the storage tells nothing of them to who has no secret. */

/** An encrypted text, as plain JSON. */
export interface Sealed {
  /** Which secret it was encrypted with: a fingerprint that tells nothing of it. */
  readonly key: string;
  /** 96 random bits in base64, new with every text. */
  readonly nonce: string;
  /** Base64. */
  readonly data: string;
}

/**
 * Encrypts with AES-256-GCM, under a key derived from a secret of the host. Several secrets may be known: the first
 * encrypts, all of them decrypt.
 */
export interface Secrets {
  /**
   * @param about What the text belongs to: it can only be opened for the same.
   * @throws StepwellError `not_configured` when the host gave no secret
   */
  seal(text: string, about: string): Promise<Sealed>;
  /**
   * @throws StepwellError `not_configured` when it was sealed with a secret that is not known, or was changed since, or
   * belongs to something else
   */
  open(sealed: Sealed, about: string): Promise<string>;
}
