/** Digests, synchronous and streaming, which WebCrypto's are not. */

/** SHA-256 is what we use; the others are for checking what clients say they have sent. */
export type DigestAlgorithm = "sha256" | "sha1" | "md5";

export interface Hash {
  /** Hex digest of a short text. */
  sha256(text: string): string;
  /** Hex HMAC-SHA256 of a short text (RFC 2104). */
  hmac(key: string, text: string): string;
  /** A digest of bytes as they come. @param algorithm Default `sha256`. */
  stream(algorithm?: DigestAlgorithm): HashStream;
  /** Whether two texts are the same, in a time that does not tell where they differ. */
  equal(one: string, other: string): boolean;
}

export interface HashStream {
  update(bytes: Uint8Array): void;
  /** Hex; ends the stream. */
  digest(): string;
}
