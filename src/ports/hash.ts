/** Synchronous and streaming hashes, which WebCrypto lacks. */

/** Stepwell uses SHA-256. The others verify checksums that clients send. */
export type DigestAlgorithm = "sha256" | "sha1" | "md5";

export interface Hash {
  /** Hexadecimal digest of a short text. */
  sha256(text: string): string;
  /** Hexadecimal HMAC-SHA256 of a short text (RFC 2104). */
  hmac(key: string, text: string): string;
  /** Creates a streaming digest. @param algorithm Default: `sha256`. */
  stream(algorithm?: DigestAlgorithm): HashStream;
  /** Compares two strings in constant time. */
  equal(one: string, other: string): boolean;
}

export interface HashStream {
  update(bytes: Uint8Array): void;
  /** Hexadecimal digest. Ends the stream. */
  digest(): string;
}
